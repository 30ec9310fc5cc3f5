#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/starting_cases.hpp"

namespace perdure {
namespace {

/// Of an image that is made as the first lines say.
constexpr const char *first_lines =
    R"(# A case of perdure: effective conductivity or diffusivity, tortuosity, percolation and bounds of an image, along x, y and z.
# The image comes from TIFF slices by   tools/import_image SLICES --output image.h5   which prints labels and shape to put here;
# to try it:   tools/make_microstructure --shape 100 100 100 --radius 8 --porosity 0.6 --output image.h5
# Commented keys show their defaults or alternatives.
)";

/// Of one that is there.
constexpr const char *first_lines_of_image =
    R"(# A case of perdure: effective conductivity or diffusivity, tortuosity, percolation and bounds of an image, along each axis.
# Shape and labels are those of the image; give each label its coefficient. Commented keys show their defaults or alternatives.
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
    return padded("    file: " + image.file) + "# beside this file\n" +
           padded("    dataset: " + image.dataset) + "# array order z, y, x\n" +
           padded(fmt::format("    labels: {{{}}}", fmt::join(labels, ", "))) + labels_are +
           R"(
  directions: all                  #@ problem.directions
  lateral: flux                    #@ problem.lateral
  # subvolume: {shape: 50, from: [0, 0, 0]}    #@ problem.subvolume

grid:
)" + padded(fmt::format("  shape: [{}]", fmt::join(image.shape, ", "))) +
           shape_is + "\n" + spacing_of(image);
}

std::string whole_case(const std::string &image) {
    return with_comments(
        R"(format: 1                  #@ format
title: Effective conductivity of an image

problem:
  type: effective                  # -div(a grad u) = 0, u = 1 on the lower face of a direction and 0 on the upper one
  a:                               # conductivity per label of the image, in units of your choice; 0: solid
)" + image +
        R"(

solver:
  rtol: 1.0e-5                     # the coefficient's error goes with its square; lower it at great contrasts
  # preconditioner: multigrid      # or jacobi: more iterations, less memory
  max_iterations: 500

execution:
  backend: auto                    #@ execution.backend
  # precision: float64             #@ execution.precision

output:
  directory: results               #@ output.directory
  fields: [u]                      # u_x, u_y, u_z; [u, flux]: the vectors flux_x .. too; []: the report alone
  # name: pores                    #@ output.name

# sweep:                           # many cases in one, and a table of all
#   problem.a.labels: [{0: 1.0, 1: 0.0}, {0: 1.0, 1: 0.1}]
#   subvolumes: {edges: [25, 50], most: 8}     # or cubes within the image: mean and deviation by size
)");
}
}  // namespace

std::string starting_effective_case() {
    return first_lines +
           whole_case(of_image(StartingImage(), "# of make_microstructure: 0 is pore, 1 is solid",
                               "# voxels of the image, z then y then x; of a flat image y then x"));
}

std::string starting_effective_case(const StartingImage &image) {
    return first_lines_of_image + whole_case(of_image(image, "# a coefficient for each label",
                                                      "# voxels of the image, slowest axis first"));
}

}  // namespace perdure
