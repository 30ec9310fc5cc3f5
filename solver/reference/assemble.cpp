#include "solver/reference/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure::reference {

SideRate side_rate(const FaceCondition &condition, double a, double spacing) {
    const auto [flux, coefficient, level] = condition;
    if (std::isinf(coefficient)) {
        return {2.0 * a / (spacing * spacing), level, 0.0, flux};
    }
    if (coefficient == 0.0) {
        return {0.0, level, 1.0 / spacing, flux};
    }
    if (a == 0.0) {
        return {0.0, level, 0.0, flux};
    }
    const double half_cell = spacing * spacing / (2.0 * a);
    return {1.0 / (spacing / coefficient + half_cell), level, 1.0 / (spacing + coefficient * half_cell),
            flux};
}

namespace {

class Assembler {
  public:
    explicit Assembler(const Grid &grid, const Field &field) : grid_(grid), field_(field) {
        const auto n = static_cast<Eigen::Index>(grid_.count());
        const Eigen::Index entries = (2 * grid_.dimensions + 1) * n;
        if (entries > std::numeric_limits<int>::max()) {
            throw Failure(ExitCode::case_or_usage,
                          "the grid is too large for the reference solution, at most 300 million cells; "
                          "verify the case on a smaller grid");
        }
        result_.matrix.resize(n, n);
        result_.matrix.reserve(entries);
        result_.anchor = Eigen::VectorXd::Zero(n);
        result_.cells.resize(static_cast<std::size_t>(n));
        std::iota(result_.cells.begin(), result_.cells.end(), std::int64_t{0});
        source("");
    }

    Equations run() && {
        Eigen::VectorXd &f = source(field_.f_time_factor);
        for (std::int64_t z = 0; z < grid_.cells[2]; ++z) {
            for (std::int64_t y = 0; y < grid_.cells[1]; ++y) {
                for (std::int64_t x = 0; x < grid_.cells[0]; ++x) {
                    f[grid_.index(x, y, z)] += field_.f[grid_.index(x, y, z)];
                    add_cell({x, y, z});
                }
            }
        }
        result_.matrix.finalize();
        if (field_.convective) {
            result_.matrix = Eigen::SparseMatrix<double>(result_.matrix.transpose());
        }
        return std::move(result_);
    }

  private:
    using Cell = std::array<std::int64_t, 3>;

    [[nodiscard]] std::int64_t index(const Cell &cell) const {
        return grid_.index(cell[0], cell[1], cell[2]);
    }

    Eigen::VectorXd &source(const std::string &time_factor) {
        Eigen::VectorXd &vector = result_.sources[time_factor];
        if (vector.size() == 0) {
            vector = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(grid_.count()));
        }
        return vector;
    }

    void add_cell(const Cell &cell) {
        const std::int64_t row = index(cell);
        result_.anchor[row] = field_.sigma[row];
        unbalanced_ = field_.sigma[row];
        neighbours_.clear();
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            for (const int step : {-1, 1}) {
                add_face(cell, axis, step);
            }
        }
        write_column(row);
    }

    void add_face(const Cell &cell, int axis, int step) {
        const int number = 2 * axis + (step > 0 ? 1 : 0);
        const std::int64_t count = grid_.cells[axis];
        Cell neighbour = cell;
        double jump = 0.0;  // of u beyond a periodic side above u of the cell there
        neighbour[axis] += step;
        if (neighbour[axis] < 0 || neighbour[axis] >= count) {
            if (!is_periodic(field_.sides, axis)) {
                add_side(cell, axis, number);
                return;
            }
            neighbour[axis] = (neighbour[axis] + count) % count;
            jump = axis == field_.falls_along ? -step : 0;
        }
        const double spacing = grid_.spacing[axis];
        const std::int64_t other = index(neighbour);
        const double conductance =
            harmonic(field_.a_along(axis, index(cell)), field_.a_along(axis, other)) / (spacing * spacing);
        if (conductance > 0.0 && other != index(cell)) {
            neighbours_.emplace_back(other, conductance + convection(cell, axis, step, conductance));
            if (jump != 0.0) {
                source("")[index(cell)] += conductance * jump;
            }
        }
    }

    // v . grad u replaces a face's flux F = conductance * spacing * (difference of u) by its part of the
    // gradient in the cell, F / a: the mean of the gradients at both faces, or that at the upstream face.
    [[nodiscard]] double convection(const Cell &cell, int axis, int step, double conductance) const {
        const double a = field_.a[index(cell)];
        if (!field_.convective || a == 0.0) {
            return 0.0;
        }
        const double inflow = -step * field_.velocity[axis][index(cell)];
        const double share = field_.convection == Convection::central ? 0.5 : (inflow > 0.0 ? 1.0 : 0.0);
        return share * inflow * conductance * grid_.spacing[axis] / a;
    }

    void add_side(const Cell &cell, int axis, int number) {
        const Side &side = field_.sides[number];
        const double spacing = grid_.spacing[axis];
        const int fast = axis == 0 ? 1 : 0;
        const int slow = axis == 2 ? 1 : 2;
        const std::int64_t face = cell[fast] + grid_.cells[fast] * cell[slow];
        const std::int64_t row = index(cell);
        const auto with_convection = [&](double rate) {
            return rate + convection(cell, axis, number % 2 == 1 ? 1 : -1, rate);
        };
        const SideRate side_of_cell =
            side_rate(face_condition(side, face), field_.a_along(axis, row), spacing);
        const double rate = with_convection(side_of_cell.rate);
        result_.anchor[row] += side_of_cell.rate;
        unbalanced_ += rate;
        source(side.time_factor)[row] +=
            rate * side_of_cell.level + with_convection(side_of_cell.share) * side_of_cell.flux;
    }

    // A's row is written as a column, which is how the matrix is stored: A where it is symmetric, else A^T.
    void write_column(std::int64_t row) {
        const double diagonal = std::accumulate(neighbours_.begin(), neighbours_.end(), unbalanced_,
                                                [](double sum, const auto &n) { return sum + n.second; });
        neighbours_.emplace_back(row, -diagonal);
        std::sort(neighbours_.begin(), neighbours_.end());
        const auto column = static_cast<Eigen::Index>(row);
        result_.matrix.startVec(column);
        std::int64_t previous = -1;
        for (const auto &[other, conductance] : neighbours_) {
            if (other == previous) {
                result_.matrix.coeffRef(static_cast<Eigen::Index>(other), column) -= conductance;
            } else {
                result_.matrix.insertBack(static_cast<Eigen::Index>(other), column) = -conductance;
            }
            previous = other;
        }
    }

    const Grid &grid_;
    const Field &field_;
    Equations result_;
    double unbalanced_ = 0.0;  // part of the cell's diagonal entry that no neighbour balances
    std::vector<std::pair<std::int64_t, double>> neighbours_;  // with conductance / spacing^2
};

}  // namespace

Equations assemble(const Grid &grid, const Field &field) {
    return field.image.has_cross_terms() ? assemble_tensors(grid, field) : Assembler(grid, field).run();
}

Equations restrict_to(const Equations &equations, const std::vector<bool> &keep) {
    std::vector<Eigen::Index> unknown(keep.size(), -1);
    Equations result;
    for (std::size_t cell = 0; cell < keep.size(); ++cell) {
        if (keep[cell]) {
            unknown[cell] = static_cast<Eigen::Index>(result.cells.size());
            result.cells.push_back(static_cast<std::int64_t>(cell));
        }
    }
    const auto n = static_cast<Eigen::Index>(result.cells.size());
    const auto restricted = [&](const Eigen::VectorXd &from) {
        Eigen::VectorXd to(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            to[i] = from[result.cells[i]];
        }
        return to;
    };
    result.anchor = restricted(equations.anchor);
    for (const auto &[factor, vector] : equations.sources) {
        result.sources[factor] = restricted(vector);
    }
    result.matrix.resize(n, n);
    result.matrix.reserve(equations.matrix.nonZeros());
    for (Eigen::Index column = 0; column < n; ++column) {
        result.matrix.startVec(column);
        for (Eigen::SparseMatrix<double>::InnerIterator it(equations.matrix, result.cells[column]); it;
             ++it) {
            result.matrix.insertBack(unknown[it.row()], column) = it.value();
        }
    }
    result.matrix.finalize();
    return result;
}

Eigen::VectorXd gather(const Samples &samples, const std::vector<std::int64_t> &cells) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        values[static_cast<Eigen::Index>(i)] = samples[cells[i]];
    }
    return values;
}

SourcesInTime::SourcesInTime(const Equations &equations, const std::vector<double> &times)
    : equations_(equations) {
    for (const auto &[factor, source] : equations.sources) {
        factors_[factor] = evaluate_time_factor(factor, times);
    }
}

void SourcesInTime::add_to(Eigen::VectorXd &rate, std::size_t index) const {
    for (const auto &[factor, source] : equations_.sources) {
        rate += factors_.at(factor)[index] * source;
    }
}

std::vector<double> scatter(const Eigen::VectorXd &unknowns, const std::vector<std::int64_t> &cells,
                            std::int64_t count) {
    std::vector<double> field(static_cast<std::size_t>(count), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        field[cells[i]] = unknowns[static_cast<Eigen::Index>(i)];
    }
    return field;
}

}  // namespace perdure::reference
