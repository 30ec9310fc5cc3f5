#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "kernels/system_fields.h"
#include "solver/integrators/integrator.hpp"
#include "solver/integrators/rkl2_growth.hpp"
#include "solver/reference/reference.hpp"

namespace perdure {
namespace {

constexpr std::array rkl2_fields{RUN_KERNEL_FIELDS(SEGMENTED_SYSTEM_FIELDS)};

constexpr int fewest_stages = 3, stages_of_automatic_steps = 15, most_stages = 101;

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

double of_automatic_steps(const std::vector<double> &of_system) {
    return steps_of_euler(stages_of_automatic_steps) * of_system.front();
}

using Complex = std::complex<double>;

/// By which a step may amplify, for each |z|: less than the error of the method changes the phase of an oscillation by.
constexpr double negligible_growth = 1.0e-6;
/// Of sqrt |z|, in which the growth factor oscillates evenly, about 11 times in its period.
constexpr double step_of_root = 0.1;
constexpr int halvings = 12;  // of that, where the growth factor passes 1

/// Up to which |z| a step of so many stages, and every shorter one, amplifies nothing in the direction of `lambda`; `most` if that is
/// less. What grows by itself is taken as what decays at the same rate.
double longest_product(int stages, Complex lambda, double most) {
    const double last = std::min(most, 2.0 * steps_of_euler(stages)), size = std::abs(lambda);
    const Complex direction(-std::abs(lambda.real()) / size, std::abs(lambda.imag()) / size);
    if (direction.imag() < 1.0e-9) {
        return last;
    }
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

/// Of explicit Euler, as if `stages` multiplied its steps to the longest ones that are stable.
double euler_product(int stages, Complex lambda) {
    return longest_product(stages, lambda, 2.0 * steps_of_euler(stages)) / steps_of_euler(stages);
}

/// The same, such that a step of the size `step` takes the fewest stages with which it is stable. What is stable with some is stable
/// with more.
double euler_product_for(double step, Complex lambda) {
    const double product = step * std::abs(lambda);
    const auto is_stable_with = [&](int stages) {
        return longest_product(stages, lambda, product) >= product * (1.0 - 1.0e-9);
    };
    int stages = stages_of_step(product, 2.0);
    if (!is_stable_with(stages) && !is_stable_with(most_stages)) {
        return euler_product(most_stages, lambda);
    }
    while (!is_stable_with(stages)) {
        stages += 2;
    }
    return product / steps_of_euler(stages);
}

SystemSteps legendre_steps(const Config &config) {
    SystemSteps steps{.tableau = {.stages = fewest_stages}};
    if (config.time->step) {
        steps.stable_product = [step = *config.time->step](Complex lambda) {
            return euler_product_for(step, lambda);
        };
    } else {
        steps.stable_product = [](Complex lambda) {
            return euler_product(stages_of_automatic_steps, lambda);
        };
    }
    return steps;
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
    .automatic_time_step = of_automatic_steps,
    .stages_of_step = stages_of_step,
};

}  // namespace perdure
