#include "solver/hdf5/snapshot_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

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

}  // namespace

std::vector<FieldPlaces> read_places(const std::filesystem::path &path, std::span<const Snapshot> kept) {
    const File file = open_own_file(path);
    const std::vector<std::int64_t> steps = read_steps(file);
    std::vector<std::size_t> times;
    for (const Snapshot &snapshot : kept) {
        const auto found = std::ranges::find(steps, snapshot.step);
        if (found == steps.end()) {
            throw Error(fmt::format("{}: there is none of step {}", finding, snapshot.step));
        }
        times.push_back(static_cast<std::size_t>(found - steps.begin()));
    }
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
