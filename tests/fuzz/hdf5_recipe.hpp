// Small HDF5 files with one dataset to read, made in memory as a recipe says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "solver/hdf5/hdf5.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/damage.hpp"

namespace perdure::fuzz {

/// A file with `fill` applied to it, as it would lie on disk. `version`: 0, 1, 2 for the formats of HDF5 1.0, 1.8 and the
/// newest. What the library refuses to create is left out.
Image file_image(unsigned version, const std::function<void(hid_t)> &fill);

/// What a recipe made.
struct Sample {
    WholeFile file;
    std::string dataset;              // path to ask for
    std::vector<std::int64_t> shape;  // to expect
};

inline constexpr std::size_t recipe_bytes = 16;

/// Format version, type, rank, extent, layout and chunk index, filters, fill value, what is written, links and attributes.
Sample make_sample(Bytes recipe);

}  // namespace perdure::fuzz
