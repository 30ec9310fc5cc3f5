#include "solver/hdf5/describe_contents.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/field_statistics.hpp"
#include "solver/hdf5/open_dataset.hpp"

namespace perdure::hdf5 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_datasets = 1000;

Handle open_group(hid_t file, const char *name) {
    return {H5Gopen2(file, name, H5P_DEFAULT), H5Gclose, std::string("open ") + name};
}

bool has_hard_link(hid_t file, const char *name) {
    H5L_info_t link;
    return check(H5Lexists(file, name, H5P_DEFAULT), std::string("look for ") + name) > 0 &&
           H5Lget_info(file, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

bool is_perdure_output(hid_t file, const nlohmann::ordered_json &root) {
    return root.value("source", nlohmann::ordered_json()).is_string() &&
           root.at("source").get<std::string>().starts_with("perdure ") && has_hard_link(file, "VTKHDF") &&
           has_hard_link(file, "report");
}

Json describe_grid(hid_t file) {
    const auto attributes = read_attributes(open_group(file, "VTKHDF"));
    const auto extent = attributes.at("WholeExtent").get<std::vector<std::int64_t>>();
    const std::size_t dimensions = extent.at(5) > 0 ? 3 : 2;
    Json grid{{"order", dimensions == 3 ? "x, y, z" : "x, y"}};
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        grid["cells"].push_back(extent.at(2 * axis + 1));
        grid["spacing"].push_back(attributes.at("Spacing").at(axis));
        grid["origin"].push_back(attributes.at("Origin").at(axis));
    }
    return grid;
}

Json describe_fields(hid_t file, const std::filesystem::path &path) {
    Json fields = Json::array();
    for (const std::string &name : dataset_names(open_group(file, "/VTKHDF/CellData"), most_datasets)) {
        const OpenDataset source = open_dataset(file, path, "/VTKHDF/CellData" + name);
        const FieldStatistics statistics = field_statistics(source);
        fields.push_back({{"name", name.substr(1)},
                          {"type", source.type},
                          {"units", read_attributes(source.dataset).value("units", "not stated")},
                          {"min", statistics.smallest},
                          {"max", statistics.largest},
                          {"mean", statistics.mean},
                          {"cells", statistics.values},
                          {"excluded_cells", statistics.not_a_number}});
    }
    return fields;
}

// Integers stay integers; NaN stands for what an empty dataset does not have.
Json number(const OpenDataset &source, double value) {
    const bool fits = std::abs(value) < 0x1p63;
    return fits && source.kind == NumberKind::integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json describe_history(hid_t file, const std::filesystem::path &path) {
    Json history;
    for (const char *name : {"iteration", "residual", "device_time"}) {
        const OpenDataset source = open_dataset(file, path, std::string("/report/history/") + name);
        const auto ends = first_and_last(source);
        if (history.contains("entries") && history.at("entries") != ends.count) {
            throw Error("the lists of /report/history have different lengths");
        }
        history["entries"] = ends.count;
        if (ends.count > 0) {
            history["first"][name] = number(source, ends.first);
            history["last"][name] = number(source, ends.last);
        }
    }
    return history;
}

Json describe_output(hid_t file, const std::filesystem::path &path, const nlohmann::ordered_json &root) {
    auto report = read_attributes(open_group(file, "report"));
    const auto take = [&](const char *name) {
        const std::string text = report.value(name, "");
        report.erase(name);
        return text;
    };
    const std::string case_text = take("case_text");
    const std::string as_read = take("case_as_read");
    const std::string report_json = take("json");
    const std::string data_files = take("data_files");
    Json result{{"file", path.string()}, {"kind", "perdure output"}};
    for (const char *name : {"title", "source", "history", "Conventions"}) {
        result[name] = root.value(name, "");
    }
    result["time"] = first_and_last(open_dataset(file, path, "/time")).first;
    const OpenDataset step = open_dataset(file, path, "/VTKHDF/FieldData/iteration");
    result["step"] = number(step, first_and_last(step).first);
    result["grid"] = describe_grid(file);
    result["fields"] = describe_fields(file, path);
    result["report"] = report;
    if (has_hard_link(file, "/report/effective")) {
        result["effective"] = read_attributes(open_group(file, "/report/effective"));
    }
    result["residual_history"] = describe_history(file, path);
    result["case_text"] = case_text;
    result["case_as_read"] = as_read;
    result["report_json"] = report_json;
    result["data_files"] = data_files;
    return result;
}

Json describe_datasets(hid_t file, const std::filesystem::path &path) {
    Json result{{"file", path.string()}, {"kind", "HDF5"}, {"datasets", Json::array()}};
    for (const std::string &name : dataset_names(file, most_datasets)) {
        const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open " + name);
        const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of " + name);
        result["datasets"].push_back(
            {{"name", name}, {"shape", shape_of(dataset)}, {"type", type_name(type)}});
    }
    return result;
}

}  // namespace

nlohmann::ordered_json describe_contents(const std::filesystem::path &file) {
    const Handle open = open_file(file);
    const auto root = read_attributes(open_group(open, "/"));
    return is_perdure_output(open, root) ? describe_output(open, file, root) : describe_datasets(open, file);
}

}  // namespace perdure::hdf5
