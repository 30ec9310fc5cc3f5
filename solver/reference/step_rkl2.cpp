#include <fmt/format.h>

#include <algorithm>

#include "solver/reference/reference.hpp"
#include "solver/reference/step_system.hpp"
#include "solver/reference/system_rates.hpp"

namespace perdure::reference {
namespace {

/// Of section 2.3 of Meyer, Balsara and Aslam, J. Comput. Phys. 257 (2014) 594, from stage to stage.
class Legendre {
  public:
    explicit Legendre(int stages) : w_(4.0 / (stages * stages + stages - 2.0)) {}
    [[nodiscard]] static double b(int j) { return j < 2 ? b(2) : (j * j + j - 2.0) / (2.0 * j * (j + 1.0)); }
    [[nodiscard]] static double mu(int j) { return (2.0 * j - 1.0) / j * b(j) / b(j - 1); }
    [[nodiscard]] static double nu(int j) { return (1.0 - j) / j * b(j) / b(j - 2); }
    [[nodiscard]] double rate(int j) const { return j == 1 ? b(1) * w_ : mu(j) * w_; }
    [[nodiscard]] double first_rate(int j) const { return (b(j - 1) - 1.0) * rate(j); }
    [[nodiscard]] double node(int j) const {
        return j == 0 ? 0.0 : (j == 1 ? rate(1) : 0.25 * w_ * (j * j + j - 2.0));
    }

  private:
    double w_;
};

}  // namespace

Answers step_rkl2_of_problem(const Problem &problem, int stages, const std::vector<double> &steps) {
    const auto [coefficients, initial] = values_in_cells(problem);
    const SystemRates rates_of(problem.grid, *problem.system, coefficients);
    const Legendre legendre(stages);
    FieldArrays fields;
    for (const std::vector<double> &field : initial) {
        fields.emplace_back(
            Eigen::Map<const Eigen::ArrayXd>(field.data(), static_cast<Eigen::Index>(field.size())));
    }
    double time = problem.start_time;
    for (const double dt : steps) {
        const FieldArrays first = rates_of.all(time, fields);
        FieldArrays two_before = fields, one_before = fields;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            one_before[i] += legendre.rate(1) * dt * first[i];
        }
        for (int j = 2; j <= stages; ++j) {
            const FieldArrays rates = rates_of.all(time + legendre.node(j - 1) * dt, one_before);
            FieldArrays next = fields;
            for (std::size_t i = 0; i < fields.size(); ++i) {
                next[i] = legendre.mu(j) * one_before[i] + legendre.nu(j) * two_before[i] +
                          (1.0 - legendre.mu(j) - legendre.nu(j)) * fields[i] +
                          dt * (legendre.rate(j) * rates[i] + legendre.first_rate(j) * first[i]);
            }
            two_before = std::move(one_before);
            one_before = std::move(next);
        }
        fields = std::move(one_before);
        time += dt;
    }
    return answers_of(*problem.system, fields, fmt::format("Runge-Kutta-Legendre, stages: {}", stages));
}

}  // namespace perdure::reference
