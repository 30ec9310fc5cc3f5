// Names by which equations are known elsewhere, and what a case writes for them here.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "solver/case_file/sections.hpp"

namespace perdure {
namespace {

struct KnownEquation {
    std::string_view names;  // between spaces, each without "_equation"
    std::string_view here;   // what follows "'NAME' is"
};

constexpr KnownEquation known_equations[] = {
    {" poisson screened_poisson elliptic ",
     "type: diffusion, which solves -div(a grad u) + sigma u = f: give a (1 in Poisson's equation), f, where "
     "there is one sigma, and the sides in boundary"},
    {" laplace laplacian potential electrostatics darcy groundwater conduction steady_diffusion steady_heat ",
     "type: diffusion, which solves -div(a grad u) = f: give a, leave f out where there is no source, and "
     "give the sides in boundary, such as x-: {value: 1}"},
    {" helmholtz modified_helmholtz ",
     "type: diffusion, which solves -div(a grad u) + sigma u = f: give a and sigma >= 0, and the sides in "
     "boundary; the indefinite equation, with sigma below 0, is not solved here"},
    {" heat_conduction heat_transfer thermal parabolic transient transient_diffusion unsteady_diffusion "
     "time_dependent_diffusion fick fourier ",
     "type: heat, which solves c du/dt = div(a grad u) - sigma u + f: give a, initial, where they matter "
     "capacity (c) and f, the sides in boundary, and time: {end: ..}; in a steady state it is type: "
     "diffusion"},
    {" waves acoustic acoustics hyperbolic membrane string ",
     "type: wave, which solves d2u/dt2 = div(a grad u) - sigma u - damping du/dt + f: give a (the speed "
     "squared), initial, initial_rate, and time: {end: ..}"},
    {" advection_diffusion convection_diffusion drift_diffusion advection_diffusion_reaction "
     "convection_diffusion_reaction ",
     "type: diffusion where it is steady, and type: heat in time: both take velocity: [vy, vx], or [vz, vy, "
     "vx], beside a, sigma and f"},
    {" advection convection transport continuity ",
     "type: system: give fields: {u: ..} with the value at time 0, equations: {u: \"-upwind((vx, vy), u)\"}, "
     "and "
     "time: {end: ..}; `perdure new --example advected_pulse` writes such a case"},
    {" reaction_diffusion diffusion_reaction turing fisher fisher_kpp kpp brusselator schnakenberg "
     "fitzhugh_nagumo gray_scott ",
     "type: system: give fields with their values at time 0, and in equations du/dt of each, such as u: "
     "div(D*grad(u)) + u*(1 - u); `perdure new --example gray_scott` writes such a case. With a reaction "
     "-sigma u alone it is type: heat, or steady type: diffusion"},
    {" burgers allen_cahn cahn_hilliard swift_hohenberg schroedinger shallow_water euler compressible_euler "
     "kuramoto_sivashinsky phase_field nonlinear ode pde custom equations conservation_law ",
     "type: system: give fields with their values at time 0, and in equations du/dt of each as a formula; "
     "`perdure new --list` lists examples, and `perdure new --type system` writes a case to begin with"},
    {" effective_diffusivity effective_conductivity effective_properties tortuosity homogenization "
     "homogenisation ",
     "type: effective: give the image as a: {file: .., dataset: .., labels: {0: 1.0, 1: 0.0}}; `perdure new "
     "--image FILE` writes such a case"},
};

/// Small letters, with "_" between words, without "_equation" at the end.
std::string normalised(std::string name) {
    for (char &letter : name) {
        letter = std::isalpha(static_cast<unsigned char>(letter)) != 0
                     ? static_cast<char>(std::tolower(static_cast<unsigned char>(letter)))
                     : '_';
    }
    for (const std::string_view end : {"_equations", "_equation"}) {
        if (name.ends_with(end)) {
            name = name.substr(0, name.size() - end.size());
        }
    }
    return name;
}

}  // namespace

std::string advice_on_equation(const std::string &name) {
    const std::string known_by = normalised(name);
    const std::optional<ProblemType> own = value_named<ProblemType>(known_by);
    if (own && name != known_by) {
        return fmt::format("type: {}, which solves {}", known_by, equation_of(*own).formula);
    }
    const auto found = std::ranges::find_if(known_equations, [&](const KnownEquation &equation) {
        return equation.names.find(" " + known_by + " ") != std::string_view::npos;
    });
    return own || found == std::end(known_equations) ? "" : std::string(found->here);
}

}  // namespace perdure
