#include "solver/hdf5/snapshot_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/snapshot_file.hpp"

namespace perdure::hdf5 {
namespace {

constexpr const char *finding = "find the snapshots";

std::vector<std::int64_t> read_steps(hid_t file) {
    const bool is_temporal = check(H5Lexists(file, "/iteration", H5P_DEFAULT), finding) > 0;
    const Handle dataset(
        H5Dopen2(file, is_temporal ? "/iteration" : "/VTKHDF/FieldData/iteration", H5P_DEFAULT), H5Dclose,
        finding);
    const Handle space(H5Dget_space(dataset), H5Sclose, finding);
    std::vector<std::int64_t> steps(
        static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space), finding)));
    check(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps.data()), finding);
    return steps;
}

std::uint64_t place_of(hid_t field, std::size_t time) {
    const Handle properties(H5Dget_create_plist(field), H5Pclose, finding);
    haddr_t place = HADDR_UNDEF;
    if (H5Pget_layout(properties) == H5D_CHUNKED) {
        std::vector<hsize_t> origin(shape_of(field).size(), 0);
        origin.front() = time;
        unsigned filters = 0;
        hsize_t bytes = 0;
        check(H5Dget_chunk_info_by_coord(field, origin.data(), &filters, &place, &bytes), finding);
    } else {
        place = H5Dget_offset(field);
    }
    if (place == HADDR_UNDEF) {
        throw Error(fmt::format("{}: the values of number {} are missing", finding, time));
    }
    return place;
}

/// Which times of the file they are.
std::vector<std::size_t> times_of(std::span<const Snapshot> kept, const std::vector<std::int64_t> &steps) {
    std::vector<std::size_t> times;
    for (const Snapshot &snapshot : kept) {
        const auto found = std::ranges::find(steps, snapshot.step);
        if (found == steps.end()) {
            throw Error(fmt::format("{}: there is none of step {}", finding, snapshot.step));
        }
        times.push_back(static_cast<std::size_t>(found - steps.begin()));
    }
    return times;
}

/// A vector has one axis more than the grid.
void expect_shape(const std::string &name, std::vector<std::int64_t> shape, const Grid &grid) {
    std::vector<std::int64_t> cells;
    for (int axis = grid.axes() - 1; axis >= 0; --axis) {
        cells.push_back(grid.cells[axis]);
    }
    shape.resize(std::min(shape.size(), cells.size()));
    if (shape != cells) {
        throw Error(fmt::format("the field {} has the shape {}, but the grid has {}", name, shape_text(shape),
                                shape_text(cells)));
    }
}

}  // namespace

void expect_snapshots(const std::filesystem::path &path, std::span<const Snapshot> snapshots,
                      const Grid &grid, const std::vector<std::string> &fields) {
    const File file = open_own_file(path);
    const std::vector<std::int64_t> steps = read_steps(file);
    (void)times_of(snapshots, steps);
    const bool is_temporal = check(H5Lexists(file, "/iteration", H5P_DEFAULT), finding) > 0;
    std::vector<std::string> missing = fields;
    for_each_field(file, finding, [&](const std::string &name, hid_t field) {
        std::vector<std::int64_t> shape = shape_of(field);
        if (is_temporal && !shape.empty()) {
            shape.erase(shape.begin());
        }
        expect_shape(name, std::move(shape), grid);
        if (H5Dget_storage_size(field) == 0) {
            throw Error(fmt::format("the field {} has no values", name));
        }
        std::erase(missing, name);
    });
    if (!missing.empty()) {
        throw Error(fmt::format("the field {} is missing", missing.front()));
    }
}

std::vector<FieldPlaces> read_places(const std::filesystem::path &path, std::span<const Snapshot> kept) {
    const File file = open_own_file(path);
    const std::vector<std::int64_t> steps = read_steps(file);
    const std::vector<std::size_t> times = times_of(kept, steps);
    std::vector<FieldPlaces> fields;
    for_each_field(file, finding, [&](const std::string &name, hid_t field) {
        FieldPlaces places{name, {}, {}};
        for (const std::size_t time : times) {
            places.kept.push_back(place_of(field, time));
        }
        for (std::size_t time = 0; time < steps.size(); ++time) {
            if (std::ranges::find(times, time) == times.end()) {
                places.others.push_back(place_of(field, time));
            }
        }
        fields.push_back(places);
    });
    return fields;
}

}  // namespace perdure::hdf5
