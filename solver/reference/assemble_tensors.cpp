#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "solver/reference/assemble.hpp"

namespace perdure::reference {

namespace {

using Place = std::array<std::int64_t, 3>;

// A cell at a corner of the grid's cells.
struct Quarter {
    std::int64_t cell = -1;
    double jump = 0.0;                // of u seen from the corner
    std::array<int, 3> direction{};   // +1: the corner lies at its upper face along the axis
    std::array<int, 3> face{};        // number of the part of that face
    std::array<double, 3> outside{};  // NaN, or the value of the side that it is
    Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();
};

class Corners {
  public:
    Corners(const Grid &grid, const Field &field) : grid_(grid), field_(field) {
        const auto n = static_cast<Eigen::Index>(grid.count());
        result_.anchor = Eigen::VectorXd::Zero(n);
        result_.sources[""] = Eigen::VectorXd::Zero(n);
        result_.cells.resize(static_cast<std::size_t>(n));
        std::iota(result_.cells.begin(), result_.cells.end(), std::int64_t{0});
    }

    Equations run() && {
        const auto end = [&](int axis) {
            return axis >= grid_.dimensions ? 0
                                            : grid_.cells[axis] - (is_periodic(field_.sides, axis) ? 1 : 0);
        };
        for (std::int64_t z = 0; z <= end(2); ++z) {
            for (std::int64_t y = 0; y <= end(1); ++y) {
                for (std::int64_t x = 0; x <= end(0); ++x) {
                    add_corner({x, y, z});
                }
            }
        }
        const auto n = static_cast<Eigen::Index>(grid_.count());
        result_.matrix.resize(n, n);
        result_.matrix.setFromTriplets(entries_.begin(), entries_.end());
        return std::move(result_);
    }

  private:
    // The cell in front of or behind the corner along each axis, if it conducts.
    std::optional<Quarter> quarter(const Place &corner, const std::array<int, 3> &behind) const {
        Quarter found;
        Place place{};
        for (int axis = 0; axis < grid_.dimensions; ++axis) {
            place[axis] = corner[axis] - behind[axis];
            found.direction[axis] = behind[axis] != 0 ? 1 : -1;
            found.outside[axis] = std::numeric_limits<double>::quiet_NaN();
            const std::int64_t n = grid_.cells[axis];
            if (is_periodic(field_.sides, axis)) {
                const std::int64_t inside = (place[axis] + n) % n;
                found.jump += axis == field_.falls_along && inside != place[axis]
                                  ? behind[axis] != 0 ? 1.0 : -1.0
                                  : 0.0;
                place[axis] = inside;
            } else if (place[axis] < 0 || place[axis] >= n) {
                return std::nullopt;
            } else if (corner[axis] == 0 || corner[axis] == n) {
                const auto held = held_value(field_.sides[2 * axis + (corner[axis] == 0 ? 0 : 1)]);
                found.outside[axis] = held.value_or(found.outside[axis]);
            }
        }
        found.cell = grid_.index(place[0], place[1], place[2]);
        const Material &material = field_.image.materials[field_.image.of_cell[found.cell]];
        if (material.conductivity == 0.0) {
            return std::nullopt;
        }
        for (int i = 0; i < grid_.dimensions; ++i) {
            for (int k = 0; k < grid_.dimensions; ++k) {
                found.tensor(i, k) = material.entry(i, k);
            }
        }
        return found;
    }

    // Conducting cells at the corner, and how many parts of faces they have; parts that two cells share have one number.
    int collect(const Place &corner) {
        quarters_.clear();
        std::vector<std::pair<int, std::array<int, 3>>> faces;
        for (int number = 0; number < 1 << grid_.dimensions; ++number) {
            const std::array<int, 3> behind{1 - (number & 1), 1 - (number >> 1 & 1), 1 - (number >> 2 & 1)};
            auto found = quarter(corner, behind);
            if (!found) {
                continue;
            }
            for (int axis = 0; axis < grid_.dimensions; ++axis) {
                std::array<int, 3> across = behind;
                across[axis] = 0;
                const std::pair key(axis, across);
                const auto known = std::find(faces.begin(), faces.end(), key);
                found->face[axis] = static_cast<int>(known - faces.begin());
                if (known == faces.end()) {
                    faces.push_back(key);
                }
            }
            quarters_.push_back(*found);
        }
        return static_cast<int>(faces.size());
    }

    // Outward flux through a quarter's face along an axis: of the values on faces, of its own value.
    void add_flux(const Quarter &quarter, int axis, Eigen::Ref<Eigen::RowVectorXd> of_faces,
                  double &of_cell) const {
        for (int k = 0; k < grid_.dimensions; ++k) {
            const double weight = 2.0 * quarter.tensor(axis, k) * quarter.direction[axis] *
                                  quarter.direction[k] / grid_.spacing[k];
            of_faces[quarter.face[k]] -= weight;
            of_cell += weight;
        }
    }

    void add_corner(const Place &corner) {
        const int faces = collect(corner);
        const auto cells = static_cast<Eigen::Index>(quarters_.size());
        if (cells == 0) {
            return;
        }
        // Sum of outward fluxes of the cells at a part of a face = 0, or its value is known.
        Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(faces, faces);
        Eigen::MatrixXd known = Eigen::MatrixXd::Zero(faces, cells + 1);  // of cells, and a constant
        for (Eigen::Index i = 0; i < cells; ++i) {
            const Quarter &quarter = quarters_[static_cast<std::size_t>(i)];
            for (int axis = 0; axis < grid_.dimensions; ++axis) {
                const int face = quarter.face[axis];
                if (!std::isnan(quarter.outside[axis])) {
                    balance(face, face) = 1.0;
                    known(face, cells) = quarter.outside[axis];
                    result_.anchor[quarter.cell] += quarter.tensor(axis, axis);
                    continue;
                }
                double own = 0.0;
                Eigen::RowVectorXd of_faces = Eigen::RowVectorXd::Zero(faces);
                add_flux(quarter, axis, of_faces, own);
                balance.row(face) += of_faces;
                known(face, i) -= own;
            }
        }
        for (Eigen::Index i = 0; i < cells; ++i) {  // as the corner sees them
            known.col(cells) += known.col(i) * quarters_[static_cast<std::size_t>(i)].jump;
        }
        const Eigen::MatrixXd values = balance.fullPivLu().solve(known);
        add_balances(values);
    }

    void add_balances(const Eigen::MatrixXd &values) {
        const auto cells = static_cast<Eigen::Index>(quarters_.size());
        for (Eigen::Index i = 0; i < cells; ++i) {
            const Quarter &quarter = quarters_[static_cast<std::size_t>(i)];
            Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(cells + 1);
            for (int axis = 0; axis < grid_.dimensions; ++axis) {
                double own = 0.0;
                Eigen::RowVectorXd of_faces = Eigen::RowVectorXd::Zero(values.rows());
                add_flux(quarter, axis, of_faces, own);
                const double share = 2.0 / (1 << grid_.dimensions) / grid_.spacing[axis];
                row += share * (of_faces * values);
                row[i] += share * own;
                row[cells] += share * own * quarter.jump;
            }
            for (Eigen::Index j = 0; j < cells; ++j) {
                if (row[j] != 0.0) {
                    entries_.emplace_back(quarter.cell, quarters_[static_cast<std::size_t>(j)].cell, row[j]);
                }
            }
            result_.sources[""][quarter.cell] -= row[cells];
        }
    }

    const Grid &grid_;
    const Field &field_;
    Equations result_;
    std::vector<Quarter> quarters_;
    std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Equations assemble_tensors(const Grid &grid, const Field &field) {
    return Corners(grid, field).run();
}

}  // namespace perdure::reference
