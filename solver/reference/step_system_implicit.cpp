#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/failure.hpp"
#include "solver/reference/formula_tokens.hpp"
#include "solver/reference/reference.hpp"
#include "solver/reference/step_system.hpp"
#include "solver/reference/system_rates.hpp"

namespace perdure::reference {
namespace {

constexpr int most_corrections = 50;
constexpr Eigen::Index most_unknowns = 4000;  // a dense matrix of 128 MB

Eigen::VectorXd joined(const FieldArrays &fields) {
    const Eigen::Index cells = fields.front().size();
    Eigen::VectorXd all(cells * std::ssize(fields));
    for (Eigen::Index i = 0; i < std::ssize(fields); ++i) {
        all.segment(i * cells, cells) = fields[i].matrix();
    }
    return all;
}

FieldArrays parted(const Eigen::VectorXd &all, std::size_t count) {
    const auto cells = all.size() / static_cast<Eigen::Index>(count);
    FieldArrays fields;
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(count); ++i) {
        fields.emplace_back(all.segment(i * cells, cells).array());
    }
    return fields;
}

/// U' = R(t, U) of all fields and cells in one vector.
class WholeSystem {
  public:
    explicit WholeSystem(const Problem &problem) : WholeSystem(problem, *problem.system) {}
    /// Of other rates; `system` must outlive it.
    WholeSystem(const Problem &problem, const SystemConfig &system)
        : values_(values_in_cells(problem)),
          rates_(problem.grid, system, values_.coefficients),
          count_(values_.initial.size()) {}

    [[nodiscard]] Eigen::VectorXd initial() const {
        FieldArrays fields;
        for (const std::vector<double> &field : values_.initial) {
            fields.emplace_back(Eigen::Map<const Eigen::ArrayXd>(field.data(), std::ssize(field)));
        }
        return joined(fields);
    }
    [[nodiscard]] FieldArrays fields_of(const Eigen::VectorXd &u) const { return parted(u, count_); }
    [[nodiscard]] Eigen::VectorXd rate(double t, const Eigen::VectorXd &u) const {
        return joined(rates_.all(t, parted(u, count_)));
    }
    /// dR/dU, each column a central difference.
    [[nodiscard]] Eigen::MatrixXd matrix(double t, const Eigen::VectorXd &u) const {
        const double part = std::cbrt(2.0e-16);
        Eigen::MatrixXd columns(u.size(), u.size());
        Eigen::VectorXd moved = u;
        for (Eigen::Index i = 0; i < u.size(); ++i) {
            const double h = part * std::max(1.0e-3, std::abs(u[i]));
            moved[i] = u[i] + h;
            const Eigen::VectorXd above = rate(t, moved);
            moved[i] = u[i] - h;
            columns.col(i) = (above - rate(t, moved)) / (2.0 * h);
            moved[i] = u[i];
        }
        return columns;
    }
    /// U with U - tau R(t, U) = known, from a first guess.
    [[nodiscard]] Eigen::VectorXd solve(double t, double tau, const Eigen::VectorXd &known,
                                        Eigen::VectorXd u) const {
        double before = std::numeric_limits<double>::infinity();
        Eigen::PartialPivLU<Eigen::MatrixXd> factors;
        for (int correction = 0; correction < most_corrections; ++correction) {
            const Eigen::VectorXd residual = known + tau * rate(t, u) - u;
            const double size = residual.norm();
            if (size == 0.0 || (size > 0.5 * before && size <= 1.0e-9 * u.norm())) {
                return u;  // no more than rounding is left
            }
            if (size > 0.1 * before || correction == 0) {
                factors.compute(Eigen::MatrixXd::Identity(u.size(), u.size()) - tau * matrix(t, u));
            }
            before = size;
            u += factors.solve(residual);
        }
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("the reference could not solve the step that ends at t = {}: Newton's "
                                  "method left a residual of {} after {} corrections; use a smaller time.dt",
                                  t, before, most_corrections));
    }

  private:
    ValuesInCells values_;
    SystemRates rates_;
    std::size_t count_;
};

/// The system with those terms of its rates alone that are implicit, or not.
SystemConfig divided(const SystemConfig &system, bool implicit) {
    const auto is_named = [&](const std::string &name) {
        return std::ranges::any_of(system.implicit_terms,
                                   [&](const auto &term) { return term.first == name; });
    };
    const auto is_part = [&](const std::string &name) {
        return is_named(name) &&
               std::ranges::any_of(system.parts, [&](const auto &part) { return part.first == name; });
    };
    SystemConfig part = system;
    for (SystemField &field : part.fields) {
        const Tokens tokens = read_tokens(field.rate.text);
        std::string sum = "0";
        for (const Operand &term : split_sum(tokens)) {
            if ((is_named(field.name) || std::ranges::any_of(term.tokens, is_part)) == implicit) {
                sum += (term.inverse ? "-(" : "+(") + to_text(term.tokens) + ")";
            }
        }
        field.rate.text = sum;
    }
    return part;
}

/// u behind step number n, which begins at t, from u and, from the second step on, from u before it.
template <typename Step>
Answers advance(const Problem &problem, const std::vector<double> &steps, const char *name,
                const Step &step) {
    const WholeSystem system(problem);
    Eigen::VectorXd u = system.initial(), before = u;
    if (u.size() > most_unknowns) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("the reference solves implicit steps of systems with a dense matrix of at "
                                  "most {} values, but this case has {}; verify it on a coarser grid",
                                  most_unknowns, u.size()));
    }
    double t = problem.start_time;
    for (std::size_t n = 0; n < steps.size(); ++n) {
        const Eigen::VectorXd next = step(system, n, t, u, before);
        before = u;
        u = next;
        t += steps[n];
    }
    return answers_of(*problem.system, system.fields_of(u), fmt::format("{}, Newton, dense LU", name));
}

}  // namespace

Answers step_system_backward_euler(const Problem &problem, const std::vector<double> &steps) {
    return advance(
        problem, steps, "backward Euler",
        [&steps](const WholeSystem &system, std::size_t n, double t, const Eigen::VectorXd &u,
                 const Eigen::VectorXd & /*before*/) { return system.solve(t + steps[n], steps[n], u, u); });
}

Answers step_system_crank_nicolson(const Problem &problem, const std::vector<double> &steps) {
    return advance(problem, steps, "Crank-Nicolson",
                   [&steps](const WholeSystem &system, std::size_t n, double t, const Eigen::VectorXd &u,
                            const Eigen::VectorXd & /*before*/) {
                       const double half = 0.5 * steps[n];
                       return system.solve(t + steps[n], half, u + half * system.rate(t, u), u);
                   });
}

Answers step_system_bdf2(const Problem &problem, const std::vector<double> &steps) {
    return advance(problem, steps, "BDF2",
                   [&steps](const WholeSystem &system, std::size_t n, double t, const Eigen::VectorXd &u,
                            const Eigen::VectorXd &before) -> Eigen::VectorXd {
                       const double dt = steps[n];
                       if (n == 0) {
                           return system.solve(t + dt, dt, u, u);
                       }
                       // The parabola through the last two values and the next one: step_implicit.cpp.
                       const double r = dt / (dt + steps[n - 1]);
                       const Eigen::VectorXd slope = (u - before) / steps[n - 1];
                       return system.solve(t + dt, dt / (1.0 + r), u + dt * r / (1.0 + r) * slope, u);
                   });
}

Answers step_system_imex(const Problem &problem, const std::vector<double> &steps) {
    const SystemConfig implicit = divided(*problem.system, true), others = divided(*problem.system, false);
    const WholeSystem system(problem, implicit), rest(problem, others);
    Eigen::VectorXd rest_before;
    return advance(problem, steps, "semi-implicit BDF2",
                   [&](const WholeSystem & /*whole*/, std::size_t n, double t, const Eigen::VectorXd &u,
                       const Eigen::VectorXd &before) -> Eigen::VectorXd {
                       const double dt = steps[n];
                       const Eigen::VectorXd now = rest.rate(t, u);
                       if (n == 0) {
                           rest_before = now;
                           return system.solve(t + dt, dt, u + dt * now, u);
                       }
                       const double r = dt / (dt + steps[n - 1]), tau = dt / (1.0 + r);
                       const Eigen::VectorXd slope = (u - before) / steps[n - 1];
                       const Eigen::VectorXd ahead = now + dt / steps[n - 1] * (now - rest_before);
                       rest_before = now;
                       return system.solve(t + dt, tau, u + tau * (r * slope + ahead), u);
                   });
}

}  // namespace perdure::reference
