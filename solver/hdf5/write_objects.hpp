// Writes a tree of objects: into an open file through the HDF5 library, or as a new file.
#pragma once

#include <filesystem>

#include "solver/hdf5/contents.hpp"
#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {

/// Writes the objects in their order below the root of the file. Groups that the file has are added to; scales may be in the file already.
/// Chunks of fields are encoded on all cores. Throws Error.
void write_objects(hid_t file, const Object &root);

/// A new file: encoded in memory and written at once, without the library and in any thread; through the library only where the contents
/// are beyond what encode_file() does. Throws Error and std::system_error.
void write_file(const std::filesystem::path &path, const Object &root);

/// Property list of new datasets without times, so that equal results are equal files.
Handle dataset_properties();

}  // namespace perdure::hdf5
