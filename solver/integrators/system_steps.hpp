// What a time-stepping method needs from a system, and the parameters of its kernel.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "solver/integrators/tableau.hpp"
#include "solver/methods/implicit_rule.hpp"

namespace perdure {

struct SystemSteps {
    Tableau tableau;                     // stages of a step, and coefficients where the method has any
    std::vector<std::uint32_t> roles{};  // of fields: kernels/system_setup.h; empty: ROLE_NONE
    /// The largest |z|, z = dt lambda, up to which a step amplifies nothing of what an eigenvalue in that direction moves; empty where
    /// nothing limits steps but their error.
    std::function<double(std::complex<double> lambda)> stable_product{};
    bool adds_rates =
        false;  // to the fields that formulas see, each field's to it: kernels/embedded_runge_kutta.h
    bool follows_waves =
        false;            // the step is the part time.dt of what the fastest wave needs from cell to cell
    int error_order = 0;  // of the estimated error, as a power of the step
    const ImplicitRule *implicit = nullptr;  // its kernel takes the formulas with their derivatives
    std::string refused{};                   // why the method does not step this system; empty: it does
    int refused_field = 0;                   // whose rate it is about
    static constexpr int refused_step = -1;  // it is about time.dt
};

/// The largest stable step where it is known for the method and all fields together: solver/run/stable_system_step.hpp.
inline double step_of_system(const std::vector<double> &of_system) {
    return of_system.front();
}

/// `stable_product` of a Runge-Kutta method, looked for in small steps along some hundred directions, between which it is interpolated: von
/// Neumann's analysis asks for thousands of them, and needs no more digits.
class StableProducts {
  public:
    explicit StableProducts(const Tableau &tableau);
    double operator()(std::complex<double> lambda) const;

  private:
    std::vector<double> of_directions_;  // from the negative real to the imaginary axis
};

/// What a step multiplies an undamped oscillation by, of |dt lambda| = product.
double growth_of_oscillation(const Tableau &tableau, double product);

}  // namespace perdure
