// Temporal VTKHDF image data: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html, "Temporal Data"; arrays have an
// axis of time before the others, and /VTKHDF/Steps says what the times are.
#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>

#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/hdf5/write_objects.hpp"

namespace perdure::hdf5 {
namespace {

/// Origins of all chunks of a dataset, the last index fastest.
template <typename Use>
void for_each_chunk(const std::vector<std::int64_t> &shape, const std::vector<hsize_t> &chunk, Use use) {
    std::vector<hsize_t> origin(shape.size(), 0);
    for (;;) {
        use(origin);
        std::size_t axis = shape.size();
        while (axis > 0) {
            --axis;
            origin[axis] += chunk[axis];
            if (origin[axis] < static_cast<hsize_t>(shape[axis])) {
                break;
            }
            origin[axis] = 0;
            if (axis == 0) {
                return;
            }
        }
    }
}

/// Of a dataset of so many axes; empty where it has none.
Extent chunk_of(hid_t dataset, std::size_t axes, const std::string &action) {
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, action);
    if (H5Pget_layout(properties) != H5D_CHUNKED) {
        return {};
    }
    Extent chunk(axes);
    check(H5Pget_chunk(properties, static_cast<int>(axes), chunk.data()), action);
    return chunk;
}

/// The filters that chunks went through, in their order.
std::vector<H5Z_filter_t> filters_of(hid_t dataset, const std::string &action) {
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, action);
    std::vector<H5Z_filter_t> filters(static_cast<std::size_t>(check(H5Pget_nfilters(properties), action)));
    for (std::size_t i = 0; i < filters.size(); ++i) {
        unsigned flags = 0;
        std::size_t no_values = 0;
        filters[i] = check(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &no_values, nullptr,
                                          0, nullptr, nullptr),
                           action);
    }
    return filters;
}

/// Takes the chunks over as they are stored: filtered, with their checksums.
void copy_chunks(hid_t source, const std::vector<std::int64_t> &shape, const Extent &chunk, hid_t target,
                 hsize_t time, Bytes &bytes, const std::string &action) {
    for_each_chunk(shape, chunk, [&](const std::vector<hsize_t> &origin) {
        hsize_t size = 0;
        check(H5Dget_chunk_storage_size(source, origin.data(), &size), action);
        bytes.resize(size);
        std::uint32_t unused_filters = 0;
        check(H5Dread_chunk(source, H5P_DEFAULT, origin.data(), &unused_filters, bytes.data()), action);
        std::vector<hsize_t> place{time};
        place.insert(place.end(), origin.begin(), origin.end());
        check(H5Dwrite_chunk(target, H5P_DEFAULT, unused_filters, place.data(), size, bytes.data()), action);
    });
}

/// Makes room for time number `time` in a field of the file, and returns its place.
Handle select_time(hid_t target, hsize_t time, const std::string &action) {
    const std::vector<std::int64_t> shape = shape_of(target);
    std::vector<hsize_t> extent(shape.begin(), shape.end()), start(shape.size(), 0);
    extent.front() = time + 1;
    check(H5Dset_extent(target, extent.data()), action);
    Handle space(H5Dget_space(target), H5Sclose, action);
    start.front() = time;
    extent.front() = 1;
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), action);
    return space;
}

/// Of fields that are stored without chunks, or in others than `target` has: those of a run that began with another compression or by
/// another build of perdure.
void copy_values(hid_t source, hid_t target, hid_t place, Bytes &bytes, const std::string &action) {
    const Handle type(H5Dget_type(source), H5Tclose, action);
    const Handle memory(H5Dget_space(source), H5Sclose, action);
    const std::int64_t values = check(H5Sget_simple_extent_npoints(memory), action);
    bytes.resize(static_cast<std::size_t>(values) * H5Tget_size(type));
    check(H5Dread(source, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), action);
    check(H5Dwrite(target, type, memory, place, H5P_DEFAULT, bytes.data()), action);
}

void copy_field(hid_t source, hid_t target, hsize_t time, Bytes &bytes, const std::string &action) {
    const Handle place = select_time(target, time, action);
    const std::vector<std::int64_t> shape = shape_of(source);
    const Extent chunk = chunk_of(source, shape.size(), action);
    Extent of_a_time = chunk;
    of_a_time.insert(of_a_time.begin(), 1);
    if (!chunk.empty() && of_a_time == chunk_of(target, 1 + shape.size(), action) &&
        filters_of(source, action) == filters_of(target, action)) {
        copy_chunks(source, shape, chunk, target, time, bytes, action);
    } else {
        copy_values(source, target, place, bytes, action);
    }
}

std::vector<std::string> names_in(hid_t group, const std::string &action) {
    H5G_info_t info{};
    check(H5Gget_info(group, &info), action);
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const auto name_at = [&](char *text, std::size_t size) {
            return static_cast<std::size_t>(
                check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT),
                      action));
        };
        std::string name(name_at(nullptr, 0), '\0');
        name_at(name.data(), name.size() + 1);
        names.push_back(name);
    }
    return names;
}

constexpr const char *cell_data_path = "/VTKHDF/CellData";

constexpr const char *adding = "add to the fields";

}  // namespace

void for_each_field(hid_t file, const std::string &action,
                    const std::function<void(const std::string &name, hid_t field)> &use) {
    Handle group(H5Gopen2(file, cell_data_path, H5P_DEFAULT), H5Gclose, action);
    for (const std::string &name : names_in(group, action)) {
        Handle field(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, action);
        use(name, field);
        field.close(action);
    }
    group.close(action);
}

void create_temporal_file(const std::filesystem::path &path, const Config &config, const Grid &grid,
                          const Solution &solution) {
    Object contents;
    write_axes(contents, grid, config.units);
    const std::vector<const FieldResult *> fields = stored_fields(config, solution);
    if (std::ranges::any_of(fields, [](const FieldResult *field) { return field->components > 1; })) {
        write_components(contents);
    }
    write_vtkhdf(contents, grid);
    for (const FieldResult *field : fields) {
        add_field(contents.group("VTKHDF").group("CellData"), config, grid, *field, true);
    }
    File file = create_file(path);
    write_objects(file, contents);
    file.close("close the file");
}

void add_to_temporal_file(const std::filesystem::path &path, const Snapshot &snapshot, std::size_t time,
                          Bytes &bytes) {
    const File source = open_own_file(snapshot.file);
    File file = open_for_more(path);
    for_each_field(file, adding, [&](const std::string &name, hid_t target) {
        const std::string action = fmt::format("take over {} from '{}'", name, snapshot.file.string());
        const std::string field = fmt::format("{}/{}", cell_data_path, name);
        const Handle values(H5Dopen2(source, field.c_str(), H5P_DEFAULT), H5Dclose, action);
        copy_field(values, target, time, bytes, action);
    });
    file.close("close the file");
}

void finish_temporal_file(const std::filesystem::path &path, const Config &config,
                          const std::vector<Snapshot> &snapshots, const Solution &last) {
    Object times, rest;
    write_root(times, config, last);
    write_times(times, snapshots, config.units);
    write_steps(rest, snapshots);
    if (last.series) {
        write_series(rest, *last.series, config.units);
    }
    write_report(rest, last.report);
    write_manifest(rest, config, last);
    File file = open_for_more(path);
    write_objects(file, times);
    const std::string action = "write the times of the fields";
    {
        const Handle scale(H5Dopen2(file, "time", H5P_DEFAULT), H5Dclose, action);
        for_each_field(file, action, [&](const std::string &, hid_t field) {
            check(H5DSattach_scale(field, scale, 0), action);
        });
    }
    write_objects(file, rest);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file to its end");
    file.close("close the file");
}

}  // namespace perdure::hdf5
