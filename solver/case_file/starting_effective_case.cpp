#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/starting_cases.hpp"

namespace perdure {
namespace {

/// Of an image that is made as the first lines say.
constexpr const char *first_lines =
    R"(# A case of perdure: effective conductivity or diffusivity, tortuosity, percolation and bounds of an image, along x, y and z.
# To convert TIFF slices:   tools/import_image SLICES --output image.h5   prints the labels and the shape to enter below;
# for a test image:   tools/make_microstructure --shape 100 100 100 --radius 8 --porosity 0.6 --output image.h5
# Keys in comments show their defaults or alternatives.
)";

/// Of one that is there.
constexpr const char *first_lines_of_image =
    R"(# A case of perdure: effective conductivity or diffusivity, tortuosity, percolation and bounds of an image, along each axis.
# The shape and the labels are those of the image; give each label a coefficient. Keys in comments show their defaults or alternatives.
)";

std::string padded(const std::string &text) {
    return fmt::format("{:<34} ", text);
}

std::string spacing_of(const StartingImage &image) {
    if (image.spacing.empty()) {
        return padded("  spacing: 1.0") +
               "# edge of a voxel, or [hz, hy, hx]: results depend on the ratios alone";
    }
    return padded(fmt::format("  spacing: [{}]", fmt::join(image.spacing, ", "))) +
           "# edges of a voxel, as the image has them";
}

/// From `problem.a` to the grid.
std::string of_image(const StartingImage &image, const std::string &labels_are, const std::string &shape_is) {
    std::vector<std::string> labels;
    for (const auto &[label, value] : image.labels) {
        labels.push_back(fmt::format("{}: {:.1f}", label, value));
    }
    return padded("    file: " + image.file) + "# in the folder of this file\n" +
           padded("    dataset: " + image.dataset) + "# array order z, y, x\n" +
           padded(fmt::format("    labels: {{{}}}", fmt::join(labels, ", "))) + labels_are +
           R"(
  directions: all                  #@ problem.directions
  # lateral: flux                  #@ problem.lateral
  # subvolume: {shape: 50, from: [0, 0, 0]}    #@ problem.subvolume

)" +
           (image.unit.empty() ? ""
                               : padded(fmt::format("units: {{length: {}}}", image.unit)) +
                                     "# of grid.spacing and of axes in results\n") +
           "grid:\n" + padded(fmt::format("  shape: [{}]", fmt::join(image.shape, ", "))) + shape_is + "\n" +
           spacing_of(image);
}

std::string whole_case(const std::string &image) {
    return with_comments(
        R"(format: 1                  #@ format
title: Effective conductivity of an image

problem:
  type: effective                  # -div(a grad u) = 0, u = 1 on the lower face of a direction and 0 on the upper one
  a:                               # conductivity of each label of the image, in units of your choice; 0: solid
)" + image +
        R"(

# boundary: {all: periodic}        # the image repeats along all axes: the periodic cell of homogenisation, with the whole tensor

solver:
  rtol: 1.0e-5                     # the error of the coefficient is about its square; lower it at high contrast
  # preconditioner: multigrid      # or jacobi, which needs more iterations and less memory
  max_iterations: 500

execution:
  backend: auto                    #@ execution.backend
  # precision: float64             #@ execution.precision

output:
  directory: results               #@ output.directory
  fields: [u]                      # writes u_x, u_y, u_z; [u, flux] also writes the vectors flux_x, ..; [] writes only the report
  # name: pores                    #@ output.name

# sweep:                           # several cases in one file, and a table of all
#   problem.a.labels: [{0: 1.0, 1: 0.0}, {0: 1.0, 1: 0.1}]
#   subvolumes: {edges: [25, 50], most: 8}     # or cubes within the image: mean and deviation by size
)");
}
}  // namespace

std::string starting_effective_case() {
    return first_lines +
           whole_case(of_image(StartingImage(), "# in make_microstructure, 0 is pore and 1 is solid",
                               "# voxels of the image along z, y and x; along y and x if it is flat"));
}

std::string starting_effective_case(const StartingImage &image) {
    return first_lines_of_image + whole_case(of_image(image, "# coefficient of each label",
                                                      "# voxels of the image, slowest axis first"));
}

}  // namespace perdure
