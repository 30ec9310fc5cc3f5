// The parts of an output file; each writes into a file that is open for writing and throws Error.
#pragma once

#include <filesystem>

#include "solver/hdf5/hdf5.hpp"
#include "solver/output/solution.hpp"

namespace perdure::hdf5 {

/// Writes the whole file, flushes and closes it; every failure of the library is thrown.
void write_snapshot_file(const std::filesystem::path &file, const Config &config, const Grid &grid,
                         const Solution &solution);

/// /x /y /z, cell centres as dimension scales, and the scalar /time.
void write_coordinates(hid_t file, const Grid &grid, double time);

/// /comp, the components x, y, z of vectors as a dimension scale.
void write_components(hid_t file);

/// /VTKHDF with its attributes, CellData/u and other fields (each with a hard link as /u), and FieldData.
void write_vtkhdf(hid_t file, const Config &config, const Grid &grid, const Solution &solution);

/// How a field is stored.
struct FieldLayout {
    const char *name;
    int components;  // 1, or 3 of a vector
    std::string units;
};

/// A dataset of `group`, (z, y, x) or (y, x), of a vector (z, y, x, comp), with fill value and the scales of `file` attached;
/// hard link /name.
void write_field(hid_t file, hid_t group, const Config &config, const Grid &grid, const FieldLayout &layout,
                 const FieldValues &values);

/// /report/effective of an effective case: lists with an entry for each direction, or for each label.
void write_tensor(hid_t group, const EffectiveTensor &tensor);

/// /report: the run's report as attributes, /report/effective, /report/history.
void write_report(hid_t file, const Config &config, const Report &report);

/// Chunk of about 1 MiB for a dataset of that shape (slowest first): the longest side is halved until it
/// fits.
std::vector<hsize_t> chunk_shape(std::vector<hsize_t> shape, std::size_t bytes_per_value);

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
