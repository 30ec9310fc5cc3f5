#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/starting_cases.hpp"

namespace perdure {

std::string starting_effective_case() {
    return with_comments(
        R"(# A case of perdure: effective conductivity or diffusivity, tortuosity, percolation and bounds of an image, along x, y and z.
# The image comes from TIFF slices by   tools/import_image SLICES --output image.h5   which prints labels and shape to put here;
# to try it:   tools/make_microstructure --shape 100 100 100 --radius 8 --porosity 0.6 --output image.h5
# Commented keys show their defaults or alternatives.
format: 1                  #@ format
title: Effective conductivity of an image

problem:
  type: effective                  # -div(a grad u) = 0, u = 1 on the lower face of a direction and 0 on the upper one
  a:                               # conductivity per label of the image, in units of your choice; 0: solid
    file: image.h5                 # beside this file
    dataset: /image                # array order z, y, x
    labels: {0: 1.0, 1: 0.0}       # of make_microstructure: 0 is pore, 1 is solid
  directions: all                  #@ problem.directions
  lateral: flux                    #@ problem.lateral

grid:
  shape: [100, 100, 100]           # voxels of the image, z then y then x; of a flat image y then x
  spacing: 1.0                     # edge of a voxel, or [hz, hy, hx]: results depend on the ratios alone

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
)");
}

}  // namespace perdure
