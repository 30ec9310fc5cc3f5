// What a file that was written holds.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "solver/hdf5/attributes.hpp"

namespace perdure::tests {

inline hdf5::Handle open(const std::filesystem::path &file) {
    return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open"};
}

inline nlohmann::ordered_json attributes(hid_t file, const char *object) {
    return hdf5::read_attributes(hdf5::Handle(H5Oopen(file, object, H5P_DEFAULT), H5Oclose, "open"));
}

}  // namespace perdure::tests
