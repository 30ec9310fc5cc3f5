#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/integrators/rkl2_growth.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array rkl2_fields{RUN_KERNEL_FIELDS(SEGMENTED_SYSTEM_FIELDS)};

constexpr int fewest_stages = 3, most_automatic_stages = 15, most_stages = 101;

/// How many steps of explicit Euler a step of so many stages is as long as.
double steps_of_euler(int stages) {
    return 0.25 * (stages * stages + stages - 2);
}

int stages_of_step(double step, double of_explicit_euler) {
    int stages = fewest_stages;
    while (stages < most_stages && steps_of_euler(stages) * of_explicit_euler < step * (1.0 - 1.0e-9)) {
        stages += 2;
    }
    return stages;
}

/// Of one field and step of the fewest stages; kernels/rkl2.h.
ValuesMoved moved_by_rkl2(const ProblemTraits & /*traits*/) {
    return {3 + 5 * (fewest_stages - 1), 5};
}

const Method rkl2_steps{
    .name = "rkl2",
    .title = "Runge-Kutta-Legendre 2",
    .kernel = "rkl2",
    .fields = rkl2_fields,
    .in_time = true,
    .reference =
        [](const Problem &problem, const std::vector<double> &steps) {
            const double step = steps.empty() ? 0.0 : steps.front();
            return reference::step_rkl2_of_problem(problem, stages_of_step(step, problem.stable_time_step),
                                                   steps);
        },
    .phases_per_iteration = fewest_stages,
    .rates_kept = 1,
    .values_moved = moved_by_rkl2,
    .no_resident = "there is no resident kernel of systems of equations",
};

double with_most_stages(const std::vector<double> &of_system) {
    return steps_of_euler(most_stages) * of_system.front();
}

double step_of_stages(int stages, double of_explicit_euler) {
    return steps_of_euler(stages) * of_explicit_euler;
}

using Complex = std::complex<double>;

/// By which a step may amplify, for each |z|: less than the error of the method changes the phase of an oscillation by.
constexpr double negligible_growth = 1.0e-6;
/// Of sqrt |z|, in which the growth factor oscillates evenly, about 11 times in its period.
constexpr double step_of_root = 0.1;
constexpr int halvings = 12;  // of that, where the growth factor passes 1

/// Up to which |z| a step of so many stages, and every shorter one, amplifies nothing in that direction.
double longest_product(int stages, Complex direction) {
    const double last = 2.0 * steps_of_euler(stages);
    const auto is_stable = [&](double product) {
        return std::abs(rkl2_growth(stages, product * direction)) <= 1.0 + negligible_growth * product;
    };
    double root = 0.0, next = step_of_root;
    while (next * next < last && is_stable(next * next)) {
        root = next;
        next += step_of_root;
    }
    if (next * next >= last) {
        if (is_stable(last)) {
            return last;
        }
        next = std::sqrt(last);
    }
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (root + next);
        (is_stable(middle * middle) ? root : next) = middle;
    }
    return root * root;
}

constexpr double half_turn = std::numbers::pi;
constexpr int parts_of_quarter = 512;  // of a quarter turn, the smallest at its ends

/// |dt lambda| of stable steps of explicit Euler, as if stages multiplied these to the longest ones that are stable. What grows by itself
/// is taken as what decays at the same rate.
class EulerProducts {
  public:
    explicit EulerProducts(std::optional<double> step) : step_(step) {}

    double operator()(Complex lambda) { return step_ ? of_step(*step_, lambda) : of_automatic_steps(lambda); }

  private:
    /// With which steps of any number of stages are stable that dt: auto may choose.
    double of_automatic_steps(Complex lambda) {
        double product = of_longest(fewest_stages, lambda);
        for (int stages = fewest_stages + 2; stages <= most_automatic_stages; stages += 2) {
            product = std::min(product, of_longest(stages, lambda));
        }
        return product;
    }

    double of_longest(int stages, Complex lambda) { return longest(stages, lambda) / steps_of_euler(stages); }

    /// Such that the step takes the fewest stages with which it is stable. What is stable with some is stable with more.
    double of_step(double step, Complex lambda) {
        const double product = step * std::abs(lambda) * (1.0 - 1.0e-9);
        int stages = stages_of_step(product, 2.0);
        if (longest(stages, lambda) < product && longest(most_stages, lambda) < product) {
            return of_longest(most_stages, lambda);
        }
        while (longest(stages, lambda) < product) {
            stages += 2;
        }
        return step * std::abs(lambda) / steps_of_euler(stages);
    }

    /// The shorter of the two directions that have `lambda` between them.
    double longest(int stages, Complex lambda) {
        const double angle = std::atan2(std::abs(lambda.imag()), std::abs(lambda.real()));
        if (angle < 1.0e-9) {
            return 2.0 * steps_of_euler(stages);
        }
        const double part = std::acos(std::clamp(1.0 - 4.0 * angle / half_turn, -1.0, 1.0)) / half_turn;
        const int below = std::min(static_cast<int>(part * parts_of_quarter), parts_of_quarter - 1);
        std::vector<double> &of_directions = of_stages_[stages];
        for (auto i = static_cast<int>(of_directions.size()); i <= parts_of_quarter; ++i) {
            const double at = 0.25 * half_turn * (1.0 - std::cos(half_turn * i / parts_of_quarter));
            of_directions.push_back(longest_product(stages, {-std::cos(at), std::sin(at)}));
        }
        return std::min(of_directions[below], of_directions[below + 1]);
    }

    std::optional<double> step_;
    std::map<int, std::vector<double>> of_stages_;  // from the negative real to the imaginary axis
};

SystemSteps legendre_steps(const Config &config) {
    return {.tableau = {.stages = fewest_stages}, .stable_product = EulerProducts(config.time->step)};
}

}  // namespace

Complex rkl2_growth(int stages, Complex z) {
    const double b = 2.0 * steps_of_euler(stages) / (stages * (stages + 1.0));
    const Complex x = 1.0 + z / steps_of_euler(stages);
    Complex before = 1.0, value = x;
    for (int j = 2; j <= stages; ++j) {
        const double n = j;
        const Complex next = ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n;
        before = value;
        value = next;
    }
    return 1.0 - b + b * value;
}

extern const Integrator system_rkl2;
const Integrator system_rkl2{
    .equation = ProblemType::system,
    .word = TimeIntegrator::rkl2,
    .order = 2,
    .stages = fewest_stages,
    .stable_time_step = with_most_stages,
    .method = rkl2_steps,
    .steps_of_system = legendre_steps,
    .stages_of_step = stages_of_step,
    .step_of_stages = step_of_stages,
    .automatic_stages = most_automatic_stages,
};

}  // namespace perdure
