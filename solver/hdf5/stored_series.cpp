#include "solver/hdf5/stored_series.hpp"

#include <fmt/format.h>

#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

/// A list with a row for each time; returns how many values a row has.
template <typename Number>
std::size_t read_list(hid_t file, const std::string &name, std::size_t times, std::vector<Number> &values) {
    const std::string path = "/series/" + name;
    const std::string action = "read " + path;
    const Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, action);
    const std::vector<std::int64_t> shape = shape_of(dataset);
    if (shape.empty() || shape.size() > 2 || static_cast<std::size_t>(shape.front()) != times) {
        throw Error(fmt::format("cannot {}: its shape is {}, but there are {} times", action,
                                shape_text(shape), times));
    }
    const std::size_t width = shape.size() > 1 ? static_cast<std::size_t>(shape.back()) : 1;
    values.resize(times * width);
    check(H5Dread(dataset, native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), action);
    return width;
}

std::size_t count_of_times(hid_t file) {
    const std::string action = "read /series/time";
    const Handle dataset(H5Dopen2(file, "/series/time", H5P_DEFAULT), H5Dclose, action);
    const std::vector<std::int64_t> shape = shape_of(dataset);
    return shape.empty() ? 1 : static_cast<std::size_t>(shape.front());
}

}  // namespace

bool read_stored_series(const std::filesystem::path &result, Series &series) {
    const File file = open_own_file(result);
    if (check(H5Lexists(file, "series", H5P_DEFAULT), "look for /series") == 0) {
        return false;
    }
    const std::size_t times = count_of_times(file);
    read_list(file, "time", times, series.times);
    read_list(file, "step", times, series.steps);
    for (SeriesVariable &variable : series.variables) {
        variable.width = read_list(file, variable.name, times, variable.values);
    }
    return true;
}

}  // namespace perdure::hdf5
