#include <Eigen/SparseCholesky>
#include <functional>
#include <memory>

#include "solver/reference/assemble.hpp"
#include "solver/reference/excluded_cells.hpp"
#include "solver/reference/reference.hpp"

namespace perdure::reference {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// c u' = b - A u of one field, and the factors of the last matrix  C + tau A.
class ImplicitSystem {
  public:
    ImplicitSystem(const Grid &grid, const Field &field, const std::vector<double> &times)
        : equations_(restrict_to(assemble(grid, field), find_evolving_cells(grid, field))),
          sources_(equations_, times),
          capacity_(gather(field.capacity, equations_.cells)) {}

    [[nodiscard]] const Equations &equations() const { return equations_; }
    [[nodiscard]] const Eigen::VectorXd &capacity() const { return capacity_; }

    /// b at time number `index`.
    [[nodiscard]] Eigen::VectorXd sources(std::size_t index) const {
        Eigen::VectorXd b = Eigen::VectorXd::Zero(capacity_.size());
        sources_.add_to(b, index);
        return b;
    }
    [[nodiscard]] Eigen::VectorXd rate(std::size_t index, const Eigen::VectorXd &u) const {
        return sources(index) - equations_.matrix * u;
    }
    /// (C + tau A)^-1 right.
    Eigen::VectorXd solve(double tau, const Eigen::VectorXd &right) {
        if (factors_ == nullptr || tau != tau_) {
            const Matrix storage(capacity_.asDiagonal());
            factors_ = std::make_unique<Eigen::SimplicialLDLT<Matrix>>(storage + tau * equations_.matrix);
            tau_ = tau;
        }
        return factors_->solve(right);
    }

  private:
    Equations equations_;
    SourcesInTime sources_;
    Eigen::VectorXd capacity_;
    std::unique_ptr<Eigen::SimplicialLDLT<Matrix>> factors_;
    double tau_ = 0.0;
};

/// Times at which steps begin, and the last one's end.
std::vector<double> times_of(double start, const std::vector<double> &steps) {
    std::vector<double> times(steps.size() + 1, start);
    for (std::size_t n = 0; n < steps.size(); ++n) {
        times[n + 1] = times[n] + steps[n];
    }
    return times;
}

/// u after step number n of that size; `before`: after the step before it.
using Step = std::function<Eigen::VectorXd(ImplicitSystem &, std::size_t n, double dt,
                                           const Eigen::VectorXd &u, const Eigen::VectorXd &before)>;

Answers advance(const Problem &problem, const std::vector<double> &steps, const char *name,
                const Step &step) {
    Answers answers;
    for (const Field &field : problem.fields) {
        ImplicitSystem system(problem.grid, field, times_of(problem.start_time, steps));
        const std::vector<std::int64_t> &cells = system.equations().cells;
        Eigen::VectorXd u = gather(field.initial, cells);
        Eigen::VectorXd before = u;
        for (std::size_t n = 0; n < steps.size(); ++n) {
            const Eigen::VectorXd next = step(system, n, steps[n], u, before);
            before = u;
            u = next;
        }
        Answer answer;
        answer.field = field.name;
        answer.solver = std::string(name) + ", sparse Cholesky (LDLT)";
        answer.unknowns = u.size();
        answer.values = scatter(u, cells, problem.grid.count());
        answers.push_back(std::move(answer));
    }
    return answers;
}

/// u + du, c du = tau (b - A u - A du).
Eigen::VectorXd stepped(ImplicitSystem &system, double tau, const Eigen::VectorXd &u,
                        const Eigen::VectorXd &gain) {
    return u + system.solve(tau, gain);
}

Eigen::VectorXd euler_step(ImplicitSystem &system, std::size_t n, double dt, const Eigen::VectorXd &u) {
    return stepped(system, dt, u, dt * system.rate(n + 1, u));
}

}  // namespace

Answers step_backward_euler(const Problem &problem, const std::vector<double> &steps) {
    return advance(problem, steps, "backward Euler",
                   [](ImplicitSystem &system, std::size_t n, double dt, const Eigen::VectorXd &u,
                      const Eigen::VectorXd & /*before*/) { return euler_step(system, n, dt, u); });
}

Answers step_crank_nicolson(const Problem &problem, const std::vector<double> &steps) {
    return advance(problem, steps, "Crank-Nicolson",
                   [](ImplicitSystem &system, std::size_t n, double dt, const Eigen::VectorXd &u,
                      const Eigen::VectorXd & /*before*/) {
                       const Eigen::VectorXd gain = 0.5 * dt * (system.rate(n, u) + system.rate(n + 1, u));
                       return stepped(system, 0.5 * dt, u, gain);
                   });
}

Answers step_bdf2(const Problem &problem, const std::vector<double> &steps) {
    return advance(
        problem, steps, "BDF2",
        [&steps](ImplicitSystem &system, std::size_t n, double dt, const Eigen::VectorXd &u,
                 const Eigen::VectorXd &before) -> Eigen::VectorXd {
            if (n == 0) {
                return euler_step(system, n, dt, u);
            }
            // With p the step before, slope = (u - before) / p and next = u + v dt, the parabola through before, u
            // and next has the derivative (1 + r) v - r slope at the end of the step, r = dt / (dt + p):
            // c ((1 + r) v - r slope) = b - A u - dt A v.
            const Eigen::VectorXd slope = (u - before) / steps[n - 1];
            const double r = dt / (dt + steps[n - 1]);
            const Eigen::VectorXd right = system.rate(n + 1, u) + r * system.capacity().cwiseProduct(slope);
            return u + dt / (1.0 + r) * system.solve(dt / (1.0 + r), right);
        });
}

}  // namespace perdure::reference
