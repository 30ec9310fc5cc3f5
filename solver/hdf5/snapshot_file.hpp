// The parts of an output file; each writes into a file that is open for writing and throws Error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "solver/hdf5/hdf5.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/solution.hpp"
#include "solver/output/solution_parts.hpp"

namespace perdure::hdf5 {

/// Writes the whole file, the manifest last, flushes and closes it; every failure of the library is thrown. The library is unlocked
/// while the next field is waited for.
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

/// The same from memory, for a file without compression.
void add_to_temporal_file(const std::filesystem::path &file, const Solution &solution, std::size_t time);

/// Writes what belongs to all times, the manifest last. `last`: the solution of the last one, whose report is that of the run.
void finish_temporal_file(const std::filesystem::path &file, const Config &config,
                          const std::vector<Snapshot> &snapshots, const Solution &last);

/// A new file, and one of those for reading or for more, without HDF5's own lock: the folder they are in is claimed, and a file
/// system may have no locks.
File create_file(const std::filesystem::path &file);
File open_own_file(const std::filesystem::path &file);
File open_for_more(const std::filesystem::path &file);

/// Attributes of the root group.
void write_root(hid_t file, const Config &config, const Solution &solution);

/// /x /y /z, cell centres as dimension scales.
void write_axes(hid_t file, const Grid &grid, const DeclaredUnits &units);

/// The scalar /time of a static file.
void write_time(hid_t file, double time, const DeclaredUnits &units);

/// /time of a temporal file, a dimension scale, and the step of each time as /iteration.
void write_times(hid_t file, const std::vector<Snapshot> &snapshots, const DeclaredUnits &units);

/// /comp, the components x, y, z of vectors as a dimension scale.
void write_components(hid_t file);

/// /VTKHDF with its attributes.
Handle create_vtkhdf(hid_t file, const Grid &grid);

/// /VTKHDF with its attributes, CellData with the fields (each with a hard link, as /u), and FieldData.
void write_vtkhdf(hid_t file, const Config &config, const Grid &grid, SolutionParts &parts);

/// How a field is stored.
struct FieldLayout {
    std::string name;
    int components = 1;  // or 3, of a vector
    std::string units;
    const FieldValues *values = nullptr;
};

/// /VTKHDF/CellData for these fields, and /comp where there are vectors among them.
Handle create_cell_data(hid_t file, hid_t group, const std::vector<FieldLayout> &layouts);

/// Of a field, which has to outlive it.
FieldLayout layout_of(const FieldResult &field);

/// The fields of a solution, which has to outlive them; none where the case asks for the report alone.
std::vector<FieldLayout> field_layouts(const Config &config, const Solution &solution);

/// A new dataset of `group` with fill value and the scales of `file` attached, and its hard link /name: (z, y, x) or (y, x), of
/// a vector (z, y, x, comp); `in_time`: (time, z, y, x), of no time yet, and without the scale of time.
Handle create_field(hid_t file, hid_t group, const Config &config, const Grid &grid,
                    const FieldLayout &layout, bool in_time);

/// The same of one time, with its values.
void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldLayout &layout);

/// /manifest: the case, the program, the data files, the name of the file, and whether the run came to its end.
void write_manifest(hid_t file, const Config &config, const Solution &solution);

/// /report/effective of an effective case: lists with an entry for each direction, or for each label.
void write_tensor(hid_t group, const EffectiveTensor &tensor);

/// /series: time, and what was watched through it.
void write_series(hid_t file, const Series &series, const DeclaredUnits &units);

/// /report: the run's report as attributes, /report/effective, /report/history.
void write_report(hid_t file, const Report &report);

/// Chunk of at most so many bytes for a dataset of that shape (slowest first): the longest side is halved until it fits.
constexpr std::size_t chunk_bytes = 1 << 20;
std::vector<hsize_t> chunk_shape(std::vector<hsize_t> shape, std::size_t bytes_per_value,
                                 std::size_t most_bytes = chunk_bytes);

/// Group below `parent`; a new one.
Handle create_group(hid_t parent, const char *name);

/// New contiguous dataset of one dimension, with its values.
Handle write_list(hid_t parent, const char *name, const std::vector<double> &values);
Handle write_list(hid_t parent, const char *name, const std::vector<std::int64_t> &values);

/// The same with text of any length (UTF-8).
Handle write_list(hid_t parent, const char *name, const std::vector<std::string> &texts);

/// Property list of new datasets without times, so that equal results are equal files.
Handle dataset_properties();

}  // namespace perdure::hdf5
