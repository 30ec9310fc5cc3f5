#include "solver/output/energy_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

constexpr std::int64_t no_cell = -1;

/// Faces of a cell are numbered as sides are: 2 axis, + 1 towards larger coordinates.
class Network {
  public:
    Network(const Grid &grid, const Field &field, int axis, const FieldValues &u)
        : grid_(grid), field_(field), axis_(axis), borders_(borders_of(grid)) {
        if (const auto *const doubles = std::get_if<LargeVector<double>>(&u)) {
            u_ = *doubles;
        } else {
            const auto &floats = std::get<LargeVector<float>>(u);
            converted_.assign(floats.begin(), floats.end());
            u_ = converted_;
        }
    }
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;

    [[nodiscard]] double u(std::int64_t cell) const { return u_[static_cast<std::size_t>(cell)]; }
    [[nodiscard]] bool counts(std::int64_t cell) const { return !std::isnan(u(cell)); }

    [[nodiscard]] bool leads_to_side(std::int64_t cell, int face) const {
        return face / 2 == axis_ && !is_periodic_cell() && at_border(cell, face);
    }

    /// 1: what flows out of the cell through this face has passed the lower side of the axis downwards; -1: upwards. Else 0.
    [[nodiscard]] int passes_lower_side(std::int64_t cell, int face) const {
        if (face / 2 != axis_ || !at_border(cell, face)) {
            return 0;
        }
        return face % 2 == 0 ? 1 : (is_periodic_cell() ? -1 : 0);
    }

    /// The cell beyond a face, or no_cell: a side is there.
    [[nodiscard]] std::int64_t beyond(std::int64_t cell, int face) const {
        const int axis = face / 2;
        const std::int64_t stride = strides_[axis];
        const std::int64_t step = face % 2 == 0 ? -stride : stride;
        if (!at_border(cell, face)) {
            return cell + step;
        }
        const std::int64_t n = grid_.cells[axis];
        const bool has_face = n > 1 || (axis == axis_ && is_periodic_cell());
        return is_periodic(field_.sides, axis) && has_face ? cell - (n - 1) * step : no_cell;
    }

    /// Of a face to another cell or, where `leads_to_side`, to a side.
    [[nodiscard]] double conductance(std::int64_t cell, int face, std::int64_t other) const {
        const double h = grid_.spacing[face / 2];
        const double a = field_.a_along(face / 2, cell);
        return other == no_cell ? side_conductance(field_.sides[face], a, h, 0)
                                : harmonic(a, field_.a_along(face / 2, other)) / (h * h);
    }

    /// Of u across a face, to the far side.
    [[nodiscard]] double fall(std::int64_t cell, int face, std::int64_t other) const {
        if (other == no_cell) {
            return u(cell) - face_condition(field_.sides[face], 0).level;
        }
        return u(cell) - u(other) - (at_border(cell, face) ? field_.jump_beyond(face) : 0.0);
    }

    /// Nothing holds u: it falls from one period to the next.
    [[nodiscard]] bool is_periodic_cell() const { return field_.falls_along == axis_; }

    [[nodiscard]] int faces() const { return 2 * grid_.dimensions; }
    [[nodiscard]] std::int64_t cells() const { return grid_.count(); }

  private:
    /// A bit for each face of each cell: whether it is one of the grid.
    static std::vector<std::uint8_t> borders_of(const Grid &grid) {
        std::vector<std::uint8_t> borders(static_cast<std::size_t>(grid.count()));
        std::size_t cell = 0;
        const auto at = [&](int axis, std::int64_t i) {
            return (i == 0 ? 1U << (2 * axis) : 0U) | (i == grid.cells[axis] - 1 ? 1U << (2 * axis + 1) : 0U);
        };
        for (std::int64_t z = 0; z < grid.cells[2]; ++z) {
            for (std::int64_t y = 0; y < grid.cells[1]; ++y) {
                const unsigned of_row = at(1, y) | at(2, z);
                for (std::int64_t x = 0; x < grid.cells[0]; ++x) {
                    borders[cell++] = static_cast<std::uint8_t>(of_row | at(0, x));
                }
            }
        }
        return borders;
    }

    [[nodiscard]] bool at_border(std::int64_t cell, int face) const {
        return (borders_[static_cast<std::size_t>(cell)] >> face & 1U) != 0;
    }

    const Grid &grid_;
    const Field &field_;
    int axis_;
    std::vector<double> converted_;  // of float32
    std::span<const double> u_;
    std::vector<std::uint8_t> borders_;
    std::array<std::int64_t, 3> strides_{1, grid_.cells[0], grid_.cells[0] * grid_.cells[1]};
};

/// The flow of u: its energy, how much more leaves a cell than enters, and what enters through the lower side. `lost`: what rounding left
/// of the balance of parts that no side is to take it from.
struct Flow {
    long double energy = 0.0L, strength = 0.0L, lost = 0.0L;
    std::vector<double> surplus;
};

/// Empty where a cell that is not finite conducts to one that is.
std::optional<Flow> flow_of(const Network &network) {
    Flow flow;
    flow.surplus.assign(static_cast<std::size_t>(network.cells()), 0.0);
    for (std::int64_t cell = 0; cell < network.cells(); ++cell) {
        if (!network.counts(cell)) {
            continue;
        }
        for (int face = 0; face < network.faces(); ++face) {
            const std::int64_t other = network.beyond(cell, face);
            const bool side = network.leads_to_side(cell, face);
            if (other == no_cell && !side) {
                continue;
            }
            const double t = network.conductance(cell, face, other);
            const double fall = t > 0.0 ? network.fall(cell, face, other) : 0.0;
            if (!std::isfinite(fall)) {
                return std::nullopt;
            }
            flow.surplus[cell] += t * fall;
            flow.energy += (side ? 1.0 : 0.5) * t * fall * fall;  // a face between cells is met twice
            if (network.passes_lower_side(cell, face) == 1) {
                flow.strength -= t * fall;
            }
        }
    }
    return flow;
}

/// A spanning forest that grows from the sides, next along the face of largest conductance, as far as powers of 2 tell. In a periodic
/// cell each part grows from its first cell.
class Forest {
  public:
    explicit Forest(const Network &network) : network_(network), face_to_root_(network.cells(), none) {
        order_.reserve(static_cast<std::size_t>(network.cells()));
        for (std::int64_t cell = 0; cell < network.cells(); ++cell) {
            for (int face = 0; network.counts(cell) && face < network.faces(); ++face) {
                if (network.leads_to_side(cell, face)) {
                    offer(cell, face, network.conductance(cell, face, no_cell));
                }
            }
        }
        grow_all();
        for (std::int64_t cell = 0; network.is_periodic_cell() && cell < network.cells(); ++cell) {
            if (network.counts(cell) && face_to_root_[cell] == none) {
                grow({static_cast<std::uint32_t>(cell), root});
                grow_all();
            }
        }
    }

    /// Cells in the order in which they were reached: the way from a cell to a side goes through earlier ones.
    [[nodiscard]] const std::vector<std::uint32_t> &order() const { return order_; }
    [[nodiscard]] int face_to_root(std::int64_t cell) const { return face_to_root_[cell]; }
    [[nodiscard]] bool is_root(std::int64_t cell) const { return face_to_root_[cell] == root; }

  private:
    struct Offer {
        std::uint32_t cell;
        std::uint8_t face;
    };
    static constexpr std::uint8_t none = 255, root = 254;

    void offer(std::int64_t cell, int face, double conductance) {
        if (conductance > 0.0) {
            const int rank = std::ilogb(conductance);
            offers_[rank].push_back({static_cast<std::uint32_t>(cell), static_cast<std::uint8_t>(face)});
        }
    }

    void grow_all() {
        while (!offers_.empty()) {
            const auto best = std::prev(offers_.end());
            if (best->second.empty()) {
                offers_.erase(best);
                continue;
            }
            const Offer next = best->second.front();
            best->second.pop_front();
            if (face_to_root_[next.cell] == none) {
                grow(next);
            }
        }
    }

    void grow(const Offer &next) {
        face_to_root_[next.cell] = next.face;
        order_.push_back(next.cell);
        for (int face = 0; face < network_.faces(); ++face) {
            const std::int64_t other = network_.beyond(next.cell, face);
            if (other != no_cell && face_to_root_[other] == none && network_.counts(other)) {
                offer(other, face ^ 1, network_.conductance(next.cell, face, other));
            }
        }
    }

    const Network &network_;
    std::vector<std::uint8_t> face_to_root_;
    std::vector<std::uint32_t> order_;
    std::map<int, std::deque<Offer>> offers_;  // by exponents of conductances; what was taken is freed
};

/// Carries each cell's surplus to a side and returns what the balanced flow dissipates. Changes `flow.strength`.
std::optional<long double> balance(const Network &network, Flow &flow) {
    const Forest forest(network);
    long double added = 0.0L;
    for (auto next = forest.order().rbegin(); next != forest.order().rend(); ++next) {
        const std::int64_t cell = *next;
        if (forest.is_root(cell)) {
            flow.lost += std::abs(flow.surplus[cell]);
            flow.surplus[cell] = 0.0;
            continue;
        }
        const int face = forest.face_to_root(cell);
        const std::int64_t other = network.leads_to_side(cell, face) ? no_cell : network.beyond(cell, face);
        const double t = network.conductance(cell, face, other);
        const double fall = network.fall(cell, face, other);
        const long double change = -static_cast<long double>(flow.surplus[cell]);
        added += change * (2.0L * fall + change / t);
        if (other != no_cell) {
            flow.surplus[other] -= static_cast<double>(change);
        }
        flow.strength -= network.passes_lower_side(cell, face) * change;
        flow.surplus[cell] = 0.0;
    }
    const bool balanced =
        std::all_of(flow.surplus.begin(), flow.surplus.end(), [](double surplus) { return surplus == 0.0; });
    return balanced ? std::optional(flow.energy + added) : std::nullopt;
}

bool is_bounded(const Grid &grid, const Field &field, int axis) {
    if (field.in_time || field.convective || !is_zero(field.sigma) || !is_zero(field.f) ||
        grid.count() > most_cells_to_bound || field.image.has_cross_terms()) {
        return false;
    }
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        const bool closed = is_periodic(field.sides, side / 2) || is_insulated(field.sides[side]);
        if (side / 2 != axis && !closed) {
            return false;
        }
    }
    return fall_along(field, axis).has_value();
}

}  // namespace

std::optional<Bounds> energy_bounds(const Grid &grid, const Field &field, int axis, const FieldValues &u) {
    if (!is_bounded(grid, field, axis)) {
        return std::nullopt;
    }
    const Network network(grid, field, axis, u);
    std::optional<Flow> flow = flow_of(network);
    const std::optional<long double> dissipation = flow ? balance(network, *flow) : std::nullopt;
    if (!dissipation || !(flow->energy > 0.0L) || !(*dissipation > 0.0L)) {
        return std::nullopt;
    }
    const double difference = *fall_along(field, axis);
    const double n = static_cast<double>(grid.cells[axis]), h = grid.spacing[axis];
    const double scale = n * n * h * h / static_cast<double>(grid.count());  // of a conductance per volume
    const double rounding = 1.0e-13;  // of some operations on each term
    const long double strength = std::max(std::abs(flow->strength) - 2.0L * flow->lost, 0.0L);
    const auto upper = static_cast<double>(flow->energy / (difference * difference)) * scale;
    const auto lower = static_cast<double>(strength * strength / *dissipation) * scale;
    if (!std::isfinite(upper) || !std::isfinite(lower)) {
        return std::nullopt;
    }
    return Bounds{lower * (1.0 - rounding), upper * (1.0 + rounding)};
}

}  // namespace perdure
