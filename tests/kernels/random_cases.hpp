// Case files drawn at random, which `perdure verify` takes as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perdure::tests {

enum class RandomKind { diffusion, convection, heat, effective };

/// A case file without its section `execution`.
struct RandomCase {
    std::string yaml;
    std::string precision;              // the execution.precision that the tolerance is for
    std::vector<std::int64_t> shape;    // z, y, x, or y, x
    std::vector<double> labels;         // of the image that the case reads, or empty
    std::string command_for_the_image;  // Python that writes the same image
};

/// The file beside the case that holds its image, as dataset /image.
inline constexpr const char *random_image_file = "random_image.h5";

/// The same case for the same seed. `largest`: about how many cells at most.
RandomCase draw_case(RandomKind kind, std::uint64_t seed, std::int64_t largest);

}  // namespace perdure::tests
