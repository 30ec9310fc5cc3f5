// The commented starting cases of `perdure new`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perdure {

/// The commented starting cases that `perdure new` writes: of diffusion, which shows every key that is not of one equation; of heat,
/// wave and system; and of type effective, for an image beside it as tools/import_image writes it.
std::string starting_case();
std::string starting_heat_case();
std::string starting_wave_case();
std::string starting_system_case();
std::string starting_effective_case();

/// What a case says of its image. `file` and `dataset` stand in the case as they are here.
struct StartingImage {
    std::string file = "image.h5", dataset = "/image";
    std::vector<std::int64_t> shape{100, 100, 100};
    std::vector<double> spacing;  // slowest axis first; empty: not known
    std::map<std::int64_t, double> labels{{0, 1.0}, {1, 0.0}};
    std::string unit;  // of the spacing, as in units.length; empty: not known
};

/// The starting case of type effective for an image that is there.
std::string starting_effective_case(const StartingImage &image);

}  // namespace perdure
