#include "solver/hdf5/describe_contents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "solver/formats.hpp"
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

bool names_perdure(const Json &root) {
    const auto source = root.find("source");
    return source != root.end() && source->is_string() && source->get<std::string>().starts_with("perdure ");
}

bool is_perdure_output(hid_t file, const Json &root) {
    return names_perdure(root) && has_hard_link(file, "VTKHDF") && has_hard_link(file, "report");
}

std::int64_t format_of(const Json &root) {
    const auto format = root.find("format_version");
    return format != root.end() && format->is_number_integer() ? format->get<std::int64_t>() : 1;
}

/// What kind of file it is, in the words of its description; an output of a later format need not be laid out as here.
std::string kind_of_contents(hid_t file, const Json &root) {
    const bool is_later = names_perdure(root) && format_of(root) > result_format;
    const bool is_table = names_perdure(root) && root.contains("columns");
    return is_later || is_perdure_output(file, root) ? "perdure output" : is_table ? "perdure table" : "HDF5";
}

std::vector<std::int64_t> whole_extent(const Json &attributes) {
    const Json &extent = attributes.at("WholeExtent");
    if (!std::all_of(extent.begin(), extent.end(), [](const Json &n) { return n.is_number_integer(); })) {
        throw Error("the attribute WholeExtent of /VTKHDF does not hold integers");
    }
    return extent.get<std::vector<std::int64_t>>();
}

Json describe_grid(hid_t file) {
    const auto attributes = read_attributes(open_group(file, "VTKHDF"));
    const auto extent = whole_extent(attributes);
    const std::size_t dimensions = extent.at(5) > 0 ? 3 : extent.at(3) > 0 ? 2 : 1;
    constexpr std::array orders{"x", "x, y", "x, y, z"};
    Json grid{{"order", orders[dimensions - 1]}};
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        grid["cells"].push_back(extent.at(2 * axis + 1));
        grid["spacing"].push_back(attributes.at("Spacing").at(axis));
        grid["origin"].push_back(attributes.at("Origin").at(axis));
    }
    return grid;
}

/// A number of a scalar field; of a vector field a list of those of its components.
Json of_components(const std::vector<FieldStatistics> &statistics, double FieldStatistics::*number) {
    if (statistics.size() == 1) {
        return statistics.front().*number;
    }
    Json list = Json::array();
    for (const FieldStatistics &of : statistics) {
        list.push_back(of.*number);
    }
    return list;
}

/// Of a temporal file at the last of its `times`. A vector field has one axis more than the grid, and time.
Json describe_fields(hid_t file, const std::filesystem::path &path, std::size_t axes, std::int64_t times) {
    constexpr std::int64_t most_components = 9;
    Json fields = Json::array();
    for (const std::string &name : dataset_names(open_group(file, "/VTKHDF/CellData"), most_datasets)) {
        const OpenDataset source = open_dataset(file, path, "/VTKHDF/CellData" + name);
        const bool is_vector = source.shape.size() > axes + (times > 0 ? 1 : 0) && source.shape.back() > 1 &&
                               source.shape.back() <= most_components;
        const auto components = is_vector ? static_cast<std::size_t>(source.shape.back()) : std::size_t{1};
        const auto statistics = field_statistics(source, components, times > 0 ? times - 1 : 0);
        const FieldStatistics &first = statistics.front();
        fields.push_back({{"name", name.substr(1)},
                          {"type", source.type},
                          {"units", read_attributes(source.dataset).value("units", "not stated")},
                          {"min", of_components(statistics, &FieldStatistics::smallest)},
                          {"max", of_components(statistics, &FieldStatistics::largest)},
                          {"mean", of_components(statistics, &FieldStatistics::mean)},
                          {"cells", first.values},
                          {"excluded_cells", first.not_a_number}});
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

/// What was watched through time: of each list its name and its ends; of a table (time, point) its shape.
Json describe_series(hid_t file, const std::filesystem::path &path) {
    Json series{{"variables", Json::array()}};
    for (const std::string &name : dataset_names(open_group(file, "/series"), most_datasets)) {
        const OpenDataset source = open_dataset(file, path, "/series" + name);
        Json variable{{"name", name.substr(1)},
                      {"shape", shape_of(source.dataset)},
                      {"meaning", read_attributes(source.dataset).value("long_name", "")}};
        if (variable.at("shape").size() == 1 && variable.at("shape").at(0) > 0) {
            const FirstAndLast ends = first_and_last(source);
            variable["first"] = number(source, ends.first);
            variable["last"] = number(source, ends.last);
        }
        series["variables"].push_back(std::move(variable));
    }
    series["times"] = first_and_last(open_dataset(file, path, "/series/time")).count;
    return series;
}

/// Time and step of the last field, and of a temporal file how many there are.
std::int64_t describe_times(hid_t file, const std::filesystem::path &path, Json &result) {
    const FirstAndLast time = first_and_last(open_dataset(file, path, "/time"));
    const bool is_temporal = has_hard_link(file, "/VTKHDF/Steps");
    result["time"] = time.last;
    const OpenDataset step =
        open_dataset(file, path, is_temporal ? "/iteration" : "/VTKHDF/FieldData/iteration");
    result["step"] = number(step, first_and_last(step).last);
    if (is_temporal) {
        result["snapshots"] = time.count;
        result["first_time"] = time.first;
    }
    return is_temporal ? time.count : 0;
}

/// What perdure 0.1 wrote into the attributes of /report stands in those of /manifest.
Json describe_manifest(hid_t file, Json &report) {
    Json manifest;
    if (has_hard_link(file, "manifest")) {
        manifest = read_attributes(open_group(file, "manifest"));
    }
    for (const char *name : {"case_file", "case_text", "case_as_read", "problem", "data_files"}) {
        if (report.contains(name)) {
            manifest[name] = report.at(name);
            report.erase(name);
        }
    }
    return manifest;
}

Json describe_output(hid_t file, const std::filesystem::path &path, const nlohmann::ordered_json &root) {
    auto report = read_attributes(open_group(file, "report"));
    const std::string report_json = report.value("json", "");
    report.erase("json");
    Json manifest = describe_manifest(file, report);
    Json result{{"file", path.string()}, {"kind", "perdure output"}};
    for (const char *name : {"title", "source", "history", "Conventions"}) {
        result[name] = root.value(name, "");
    }
    result["format_version"] = format_of(root);
    const std::int64_t times = describe_times(file, path, result);
    result["grid"] = describe_grid(file);
    result["fields"] = describe_fields(file, path, result["grid"].at("cells").size(), times);
    result["report"] = report;
    if (has_hard_link(file, "/report/effective")) {
        result["effective"] = read_attributes(open_group(file, "/report/effective"));
    }
    if (has_hard_link(file, "series")) {
        result["series"] = describe_series(file, path);
    }
    result["residual_history"] = describe_history(file, path);
    for (const char *name : {"case_text", "case_as_read", "data_files"}) {
        result[name] = manifest.value(name, "");
        manifest.erase(name);
    }
    result["manifest"] = manifest;
    result["report_json"] = report_json;
    return result;
}

Json describe_datasets(hid_t file, const std::filesystem::path &path, const std::string &kind) {
    Json result{{"file", path.string()}, {"kind", kind}, {"datasets", Json::array()}};
    for (const std::string &name : dataset_names(file, most_datasets)) {
        const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open " + name);
        const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of " + name);
        Json entry{{"name", name}, {"shape", shape_of(dataset)}, {"type", type_name(type)}};
        const Json attributes = read_attributes(dataset);
        for (const char *const of_voxels : {"voxel_size", "voxel_unit"}) {
            if (attributes.contains(of_voxels)) {
                entry[of_voxels] = attributes.at(of_voxels);
            }
        }
        result["datasets"].push_back(std::move(entry));
    }
    return result;
}

}  // namespace

nlohmann::ordered_json describe_contents(const std::filesystem::path &file) {
    const File open = open_file(file);
    const auto root = read_attributes(open_group(open, "/"));
    const std::int64_t format = format_of(root);
    if (format > result_format && names_perdure(root)) {  // nothing else in it need be as it is here
        return {{"file", file.string()},
                {"kind", "perdure output"},
                {"source", root.at("source")},
                {"format_version", format}};
    }
    const std::string kind = kind_of_contents(open, root);
    return kind == "perdure output" ? describe_output(open, file, root) : describe_datasets(open, file, kind);
}

nlohmann::ordered_json describe_origin(const std::filesystem::path &file) {
    const File open = open_file(file);
    return {{"kind", kind_of_contents(open, read_attributes(open_group(open, "/")))}};
}

}  // namespace perdure::hdf5
