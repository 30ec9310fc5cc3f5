// Output files, and their parts: each adds to a tree of what the file is to hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solver/hdf5/contents.hpp"
#include "solver/hdf5/hdf5.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/solution.hpp"
#include "solver/output/solution_parts.hpp"

namespace perdure::hdf5 {

/// Writes the whole file, the manifest last. Where all fields are there and small, the file is encoded in memory, without the library and
/// in any thread, and written at once; else through the library, which is unlocked while the next field is waited for. Throws Error
/// and std::system_error.
void write_snapshot_file(const std::filesystem::path &file, const Config &config, const Grid &grid,
                         SolutionParts &parts);

/// A new file with an axis of time for the fields of `solution`, of no time yet. It is closed between these three.
void create_temporal_file(const std::filesystem::path &file, const Config &config, const Grid &grid,
                          const Solution &solution);

using Bytes = std::vector<unsigned char>;

/// Takes over the fields of a snapshot file as those of time number `time`; chunks are copied as they are, without being decompressed.
/// `bytes`: of one chunk or field at a time; whoever keeps it spares the system new memory, which takes longer than what is read into it.
void add_to_temporal_file(const std::filesystem::path &file, const Snapshot &snapshot, std::size_t time,
                          Bytes &bytes);

/// Writes what belongs to all times, the manifest last. `last`: the solution of the last one, whose report is that of the run.
void finish_temporal_file(const std::filesystem::path &file, const Config &config,
                          const std::vector<Snapshot> &snapshots, const Solution &last);

/// Opens each field of an output file, and closes it when it has been used. `action` continues "cannot ...".
void for_each_field(hid_t file, const std::string &action,
                    const std::function<void(const std::string &name, hid_t field)> &use);

/// Adds all objects of a file with the snapshots, without the values of fields: those lie in the file already, at the places that
/// `places_of` gives for each snapshot. A static file of one snapshot, a temporal one of several. `last`: the solution of the last one.
void describe_snapshots(Object &file, const Config &config, const Grid &grid,
                        const std::vector<Snapshot> &snapshots, const Solution &last,
                        const std::function<std::vector<std::uint64_t>(const std::string &field)> &places_of);

/// A new file, and one of those for reading or for more, without HDF5's own lock: the folder they are in is claimed, and a file
/// system may have no locks.
File create_file(const std::filesystem::path &file);
File open_own_file(const std::filesystem::path &file);
File open_for_more(const std::filesystem::path &file);

/// A new file that holds these bytes. Throws std::system_error.
void create_file_of(const std::filesystem::path &file, std::span<const unsigned char> bytes);

/// Attributes of the root group.
void write_root(Object &file, const Config &config, const Solution &solution);

/// /x /y /z, cell centres as dimension scales.
void write_axes(Object &file, const Grid &grid, const DeclaredUnits &units);

/// The scalar /time of a static file.
void write_time(Object &file, double time, const DeclaredUnits &units);

/// /time of a temporal file, a dimension scale, and the step of each time as /iteration.
void write_times(Object &file, const std::vector<Snapshot> &snapshots, const DeclaredUnits &units);

/// /comp, the components x, y, z of vectors as a dimension scale.
void write_components(Object &file);

/// /VTKHDF with its attributes and an empty CellData.
void write_vtkhdf(Object &file, const Grid &grid);

/// /VTKHDF/FieldData: time and step.
void write_field_data(Object &file, const Solution &solution);

/// /VTKHDF/Steps of a temporal file.
void write_steps(Object &file, const std::vector<Snapshot> &snapshots);

/// The fields of a solution that files have: none where the case asks for the report alone.
std::vector<const FieldResult *> stored_fields(const Config &config, const Solution &solution);

/// A dataset of `cell_data` with fill value and the scales of the file, and its hard link /name: (z, y, x) or (y, x), of
/// a vector (z, y, x, comp); `in_time`: (time, z, y, x), of no time yet, and without the scale of time. `field` has to outlive it.
FieldStorage &add_field(Object &cell_data, const Config &config, const Grid &grid, const FieldResult &field,
                        bool in_time);

/// /manifest: the case, the program, the data files, the name of the file, and whether the run came to its end.
void write_manifest(Object &file, const Config &config, const Solution &solution);

/// /report/effective of an effective case: lists with an entry for each direction, or for each label.
void write_tensor(Object &group, const EffectiveTensor &tensor);

/// /series: time, and what was watched through it.
void write_series(Object &file, const Series &series, const DeclaredUnits &units);

/// /report: the run's report as attributes, /report/effective, /report/history.
void write_report(Object &file, const Report &report);

/// z, y, x of a grid, or y, x, or x, and behind them the components of a vector.
Extent extent_of(const Grid &grid, const FieldResult &field);
std::size_t bytes_per_value_of(const FieldResult &field);
std::uint64_t bytes_of_extent(const Extent &extent, std::size_t bytes_per_value);

/// Chunk of a field without compression: all of it, or whole planes of its first axis, of at most 1 GiB where one plane has no more.
Extent plain_chunk(Extent extent, std::size_t bytes_per_value);

/// Chunk of at most so many bytes for a dataset of that shape (slowest first): the longest side is halved until it fits.
constexpr std::size_t chunk_bytes = 1 << 20;
Extent chunk_shape(Extent shape, std::size_t bytes_per_value, std::size_t most_bytes);

/// Of the chunks of a compressed field, at most: what does not fit in one chunk has at least 16, where that leaves them 128 KiB, so that
/// as many cores encode them.
std::size_t most_bytes_of_chunks(std::size_t bytes_of_field);

}  // namespace perdure::hdf5
