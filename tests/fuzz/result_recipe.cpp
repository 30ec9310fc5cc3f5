#include "tests/fuzz/result_recipe.hpp"

#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "solver/formats.hpp"
#include "solver/hdf5/attributes.hpp"
#include "tests/fuzz/hdf5_recipe.hpp"

namespace perdure::fuzz {
namespace {

using hdf5::Handle;
using hdf5::write_attribute;
using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Which items deviate, and how; items are counted as they are written.
class Deviations {
  public:
    Deviations(Bytes &recipe, std::size_t count, std::size_t items) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t item = recipe.below(items);
            how_[item] = recipe.byte();
        }
    }
    /// 0: as it should be.
    unsigned next() {
        const auto found = how_.find(at_++);
        return found == how_.end() ? 0U : found->second;
    }

  private:
    std::map<std::size_t, unsigned> how_;
    std::size_t at_ = 0;
};

template <class Value>
void attribute(hid_t object, const char *name, const Value &value, Deviations &deviations) {
    const unsigned how = deviations.next();
    switch (how % 11) {
        case 0:
            return write_attribute(object, name, value);
        case 1:
            return;
        case 2:
            return write_attribute(object, name, std::int64_t{-7});
        case 3:
            return write_attribute(object, name, nan);
        case 4:
            return write_attribute(object, name, "text");
        case 5:
            return write_attribute(object, name, std::string("not UTF-8: \xff\xc3"));
        case 6:
            return write_attribute(
                object, name, std::vector<std::int64_t>{1, -2, std::numeric_limits<std::int64_t>::max()});
        case 7:
            return write_attribute(object, name,
                                   std::vector<double>{1.5, nan, -std::numeric_limits<double>::infinity()});
        case 8:
            return write_attribute(object, name, std::vector<std::string>{"one", "", "three"});
        case 9:
            return write_attribute(object, name, std::string(5000, 'x'));
        default:
            return hdf5::write_ascii_attribute(object, name, "ascii");
    }
}

/// A dataset of that extent, or one that deviates.
void dataset(hid_t parent, const char *name, std::vector<hsize_t> extent, hid_t type,
             Deviations &deviations) {
    const unsigned how = deviations.next();
    if (how % 8 == 1) {
        return;
    }
    if (how % 8 == 2) {
        H5Gclose(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return;
    }
    if (how % 8 == 3) {
        H5Lcreate_soft("/time", parent, name, H5P_DEFAULT, H5P_DEFAULT);
        return;
    }
    const std::array<hid_t, 4> types{type, H5T_IEEE_F32LE, H5T_STD_U8LE, H5T_C_S1};
    const hid_t stored = types[how % 8 >= 4 ? how / 8 % 4 : 0];
    if (how % 8 == 5) {
        extent.clear();
    } else if (how % 8 == 6) {
        extent.assign(2, 0);
    } else if (how % 8 == 7) {
        extent.push_back(2);
    }
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                       "make a space");
    const Handle made(H5Dcreate2(parent, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose, "create a dataset");
    std::vector<double> values(256, 0.25);
    values[1] = nan;
    H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    attribute(made, "units", "K", deviations);
}

Json report_json(Bytes &recipe) {
    Json direction{{"coefficient", 0.5}, {"tortuosity", 1.5}};
    Json report{{"version", "0.1.0"},
                {"stop_reason", "converged (rtol)"},
                {"outcome", "converged (rtol)"},
                {"cells", 12},
                {"iterations", 60},
                {"launches", 1},
                {"residual", 1e-9},
                {"tolerance", nullptr},
                {"total_seconds", 0.25},
                {"exit_code", 0},
                {"notes", Json::array()},
                {"effective", {{"x", direction}, {"remarks", {"a remark"}}}}};
    const std::array<Json, 12> others{nullptr,
                                      Json(true),
                                      Json(-1),
                                      Json(1e300),
                                      Json("stopped"),
                                      Json("\xff"),
                                      Json::array(),
                                      Json::array({1, "a"}),
                                      Json::object(),
                                      Json({{"coefficient", "text"}, {"remarks", 3}}),
                                      Json(std::string(300, 'y')),
                                      Json(std::numeric_limits<std::uint64_t>::max())};
    for (int i = 0; i < 2; ++i) {
        const std::size_t entry = recipe.below(report.size() + 4);
        const Json &other = recipe.pick(others);
        if (entry >= 4) {
            std::next(report.begin(), static_cast<std::ptrdiff_t>(entry - 4)).value() = other;
        }
    }
    return report;
}

Handle group(hid_t parent, const char *name) {
    return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "create a group"};
}

/// How perdure lays a result out.
enum class Layout {
    version_0_1,  // the case stands in the attributes of /report
    one_time,
    temporal,
};

constexpr hsize_t times = 3;

void write_case(hid_t group, Deviations &deviations) {
    attribute(group, "case_text", "title: Plate\n# comment\n", deviations);
    attribute(group, "case_as_read", case_as_read, deviations);
    attribute(group, "data_files", "", deviations);
}

void write_report(hid_t file, Layout layout, const std::string &json, Deviations &deviations) {
    const Handle report = group(file, "report");
    if (layout == Layout::version_0_1) {
        write_case(report, deviations);
    }
    attribute(report, "json", json, deviations);
    attribute(report, "stop_reason", "converged (rtol)", deviations);
    attribute(report, "notes", std::vector<std::string>{"first", "second"}, deviations);
    const Handle effective = group(report, "effective");
    attribute(effective, "tortuosity", 2.0, deviations);
    const Handle history = group(report, "history");
    dataset(history, "iteration", {3}, H5T_STD_I64LE, deviations);
    dataset(history, "residual", {3}, H5T_IEEE_F64LE, deviations);
    dataset(history, "device_time", {3}, H5T_IEEE_F64LE, deviations);
}

/// Fields, and the times that they belong to.
void write_fields(hid_t file, hid_t vtk, std::size_t dimensions, Layout layout, Deviations &deviations) {
    const bool is_temporal = layout == Layout::temporal;
    const Handle cells = group(vtk, "CellData");
    std::vector<hsize_t> extent{2, 3};
    if (dimensions == 3) {
        extent.insert(extent.begin(), 2);
    }
    if (is_temporal) {
        extent.insert(extent.begin(), times);
    }
    dataset(cells, "u", extent, H5T_IEEE_F64LE, deviations);
    extent.push_back(3);
    dataset(cells, "flux", extent, H5T_IEEE_F32LE, deviations);
    const Handle of_times = group(vtk, is_temporal ? "Steps" : "FieldData");
    if (is_temporal) {
        attribute(of_times, "NSteps", std::int64_t{times}, deviations);
        dataset(of_times, "Values", {times}, H5T_IEEE_F64LE, deviations);
        dataset(file, "iteration", {times}, H5T_STD_I64LE, deviations);
        dataset(file, "time", {times}, H5T_IEEE_F64LE, deviations);
    } else {
        dataset(of_times, "TimeValue", {1}, H5T_IEEE_F64LE, deviations);
        dataset(of_times, "iteration", {1}, H5T_STD_I64LE, deviations);
        dataset(file, "time", {}, H5T_IEEE_F64LE, deviations);
    }
}

void write_result(hid_t file, std::size_t dimensions, Layout layout, const std::string &json,
                  Deviations &deviations) {
    attribute(file, "Conventions", "CF-1.10", deviations);
    attribute(file, "title", "Plate", deviations);
    attribute(file, "source", "perdure 0.1.0", deviations);
    attribute(file, "history", "2026-01-01", deviations);
    {
        const Handle vtk = group(file, "VTKHDF");
        attribute(vtk, "WholeExtent", std::vector<std::int64_t>{0, 3, 0, 2, 0, dimensions == 3 ? 2 : 0},
                  deviations);
        attribute(vtk, "Spacing", std::vector<double>{0.5, 0.5, 0.5}, deviations);
        attribute(vtk, "Origin", std::vector<double>{0.0, 1.0, 2.0}, deviations);
        write_fields(file, vtk, dimensions, layout, deviations);
    }
    write_report(file, layout, json, deviations);
    if (layout != Layout::version_0_1) {
        attribute(file, "format_version", result_format, deviations);
        const Handle manifest = group(file, "manifest");
        write_case(manifest, deviations);
        attribute(manifest, "case_file", "case.yaml", deviations);
        attribute(manifest, "complete", std::int64_t{1}, deviations);
    }
}

}  // namespace

Image make_result(Bytes recipe) {
    constexpr std::size_t items = 34;
    constexpr std::size_t most_deviations = 4;
    const unsigned version = static_cast<unsigned>(recipe.below(3));
    const std::size_t kind = recipe.below(6);
    const std::size_t dimensions = 2 + kind % 2;
    const auto layout = static_cast<Layout>(kind / 2);
    Deviations deviations(recipe, most_deviations, items + 8);
    const std::string json = report_json(recipe).dump(-1, ' ', false, Json::error_handler_t::ignore);
    const std::string cut = json.substr(0, json.size() - recipe.byte() % 2U);
    return file_image(version, [&](hid_t file) { write_result(file, dimensions, layout, cut, deviations); });
}

}  // namespace perdure::fuzz
