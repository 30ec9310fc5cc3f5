#include "solver/case_file/other_words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "solver/case_file/config.hpp"

namespace perdure {
namespace {

/// Words of perdure, and behind each what others call it. Whether it fits is decided by the words that are known at the place.
constexpr std::pair<std::string_view, std::string_view> other_words[] = {
    // units
    {"nm", "nanometre nanometer nanometres nanometers"},
    {"um", "micron microns \u00b5m \u03bcm micrometre micrometer micrometres micrometers"},
    {"mm", "millimetre millimeter millimetres millimeters"},
    {"cm", "centimetre centimeter centimetres centimeters"},
    {"m", "metre meter metres meters"},
    {"km", "kilometre kilometer kilometres kilometers"},
    {"ms", "millisecond milliseconds msec"},
    {"us", "microsecond microseconds \u00b5s \u03bcs usec"},
    {"ns", "nanosecond nanoseconds nsec"},
    {"s", "second seconds sec secs"},
    {"min", "minute minutes mins"},
    {"h", "hour hours hr hrs"},
    {"d", "day days"},
    // words
    {"float64", "double fp64 f64 real64"},
    {"float32", "single float fp32 f32 real32"},
    {"auto", "gpu"},
    {"cuda", "nvidia"},
    {"host", "cpu threads openmp"},
    {"cg", "pcg conjugate_gradient conjugate_gradients"},
    {"bicgstab", "gmres fgmres bicg"},
    {"sor", "gauss_seidel gauss-seidel ssor"},
    {"multigrid", "mg amg gmg"},
    {"euler", "explicit forward_euler explicit_euler ftcs"},
    {"backward_euler", "implicit implicit_euler"},
    {"crank_nicolson", "cn trapezoidal"},
    {"rk4", "runge_kutta runge-kutta"},
    {"max", "linf inf infinity maximum"},
    {"upwind", "first_order"},
    // sides
    {"value", "dirichlet fixed constant"},
    {"flux", "neumann gradient insulated noflux no_flux"},
    {"exchange", "robin convective mixed third_kind"},
    {"x-", "left west xmin x_min x0"},
    {"x+", "right east xmax x_max x1"},
    {"y-", "bottom south ymin y_min y0"},
    {"y+", "top north ymax y_max y1"},
    {"z-", "lower zmin z_min z0"},
    {"z+", "upper zmax z_max z1"},
    // keys
    {"ambient", "t_inf tinf temperature reference"},
    {"coefficient", "h alpha"},
    {"a", "conductivity diffusivity diffusion_coefficient permeability k d"},
    {"f", "source rhs forcing right_hand_side q"},
    {"sigma", "reaction absorption"},
    {"capacity", "rho_c heat_capacity"},
    {"initial", "ic initial_condition initial_value u0"},
    {"exact", "exact_solution analytic analytical solution"},
    {"shape", "cells resolution size n nx"},
    {"spacing", "dx h voxel_size cell_size"},
    {"length", "extent lengths"},
    {"boundary", "bc bcs boundaries boundary_conditions sides"},
    {"grid", "mesh domain"},
    {"problem", "equation pde"},
    {"solver", "linear_solver"},
    {"execution", "device hardware backend"},
    {"rtol", "tol tolerance relative_tolerance"},
    {"max_iterations", "maxiter max_iter maxit iterations"},
    {"end", "t_end tend stop final t_final"},
    {"dt", "step time_step timestep"},
    {"method", "integrator scheme"},
    {"snapshots", "save output_times"},
    {"directory", "folder dir path"},
    {"type", "equation kind"},
};

bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::string_view first = words.substr(0, words.find(' '));
        if (first == word) {
            return true;
        }
        words.remove_prefix(std::min(words.size(), first.size() + 1));
    }
    return false;
}

}  // namespace

std::string meant(const std::string &word, const std::vector<std::string> &known) {
    std::string near = closest(word, known);
    if (!near.empty()) {
        return near;
    }
    std::string small = word;
    std::ranges::transform(small, small.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    for (const auto &[ours, others] : other_words) {
        if (has_word(others, small) && std::ranges::find(known, ours) != known.end()) {
            return std::string(ours);
        }
    }
    return {};
}

}  // namespace perdure
