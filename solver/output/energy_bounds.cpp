#include "solver/output/energy_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/output/effective_properties.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

constexpr int most_digits = 12;
constexpr std::int64_t no_cell = -1;

/// Faces of a cell are numbered as sides are: 2 axis, + 1 towards larger coordinates.
class Network {
  public:
    Network(const Grid &grid, const Field &field, int axis, const FieldValues &u)
        : grid_(grid), field_(field), axis_(axis), u_(numbers_of(u)), borders_(borders_of(grid)) {}

    [[nodiscard]] double u(std::int64_t cell) const { return u_[static_cast<std::size_t>(cell)]; }
    [[nodiscard]] bool counts(std::int64_t cell) const { return !std::isnan(u(cell)); }

    [[nodiscard]] bool leads_to_side(std::int64_t cell, int face) const {
        return face / 2 == axis_ && at_border(cell, face);
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
        return is_periodic(field_.sides, axis) && n > 1 ? cell - (n - 1) * step : no_cell;
    }

    /// Of a face to another cell or, where `leads_to_side`, to a side.
    [[nodiscard]] double conductance(std::int64_t cell, int face, std::int64_t other) const {
        const double h = grid_.spacing[face / 2];
        const double a = field_.a_along(face / 2, cell);
        return other == no_cell ? side_conductance(field_.sides[face], a, h, 0)
                                : harmonic(a, field_.a_along(face / 2, other)) / (h * h);
    }

    /// Value on the far side of a face.
    [[nodiscard]] double value_beyond(int face, std::int64_t other) const {
        return other == no_cell ? face_condition(field_.sides[face], 0).level : u(other);
    }

    [[nodiscard]] int faces() const { return 2 * grid_.dimensions; }
    [[nodiscard]] std::int64_t cells() const { return grid_.count(); }

  private:
    static std::vector<double> numbers_of(const FieldValues &u) {
        return std::visit(
            [](const auto &numbers) { return std::vector<double>(numbers.begin(), numbers.end()); }, u);
    }

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
    std::vector<double> u_;
    std::vector<std::uint8_t> borders_;
    std::array<std::int64_t, 3> strides_{1, grid_.cells[0], grid_.cells[0] * grid_.cells[1]};
};

/// The flow of u: its energy, how much more leaves a cell than enters, and what enters through the lower side.
struct Flow {
    long double energy = 0.0L, strength = 0.0L;
    std::vector<double> surplus;
};

/// Empty where a cell that is not finite conducts to one that is.
std::optional<Flow> flow_of(const Network &network, int axis) {
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
            const double fall = t > 0.0 ? network.u(cell) - network.value_beyond(face, other) : 0.0;
            if (!std::isfinite(fall)) {
                return std::nullopt;
            }
            flow.surplus[cell] += t * fall;
            flow.energy += (side ? 1.0 : 0.5) * t * fall * fall;  // a face between cells is met twice
            if (side && face == 2 * axis) {
                flow.strength -= t * fall;
            }
        }
    }
    return flow;
}

/// A spanning forest that grows from the sides, next along the face of largest conductance, as far as powers of 2 tell.
class Forest {
  public:
    explicit Forest(const Network &network) : network_(network), face_to_root_(network.cells(), none) {
        for (std::int64_t cell = 0; cell < network.cells(); ++cell) {
            for (int face = 0; network.counts(cell) && face < network.faces(); ++face) {
                if (network.leads_to_side(cell, face)) {
                    offer(cell, face, network.conductance(cell, face, no_cell));
                }
            }
        }
        for (; top_ >= 0; --top_) {
            while (taken_[top_] < offers_[top_].size()) {
                const Offer next = offers_[top_][taken_[top_]++];
                if (face_to_root_[next.cell] == none) {
                    grow(next);
                }
            }
        }
    }

    /// Cells in the order in which they were reached: the way from a cell to a side goes through earlier ones.
    [[nodiscard]] const std::vector<std::uint32_t> &order() const { return order_; }
    [[nodiscard]] int face_to_root(std::int64_t cell) const { return face_to_root_[cell]; }

  private:
    struct Offer {
        std::uint32_t cell;
        std::uint8_t face;
    };
    static constexpr std::uint8_t none = 255;
    static constexpr int least_exponent = -1100, exponents = 2200;

    void offer(std::int64_t cell, int face, double conductance) {
        if (conductance > 0.0) {
            const int rank = std::ilogb(conductance) - least_exponent;
            offers_[rank].push_back({static_cast<std::uint32_t>(cell), static_cast<std::uint8_t>(face)});
            top_ = std::max(top_, rank);
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
    std::vector<std::vector<Offer>> offers_ = std::vector<std::vector<Offer>>(exponents);
    std::vector<std::size_t> taken_ = std::vector<std::size_t>(exponents, 0);
    int top_ = -1;
};

/// Carries each cell's surplus to a side and returns what the balanced flow dissipates. Changes `flow.strength`.
std::optional<long double> balance(const Network &network, int axis, Flow &flow) {
    const Forest forest(network);
    long double added = 0.0L;
    for (auto next = forest.order().rbegin(); next != forest.order().rend(); ++next) {
        const std::int64_t cell = *next;
        const int face = forest.face_to_root(cell);
        const std::int64_t other = network.leads_to_side(cell, face) ? no_cell : network.beyond(cell, face);
        const double t = network.conductance(cell, face, other);
        const double fall = network.u(cell) - network.value_beyond(face, other);
        const long double change = -static_cast<long double>(flow.surplus[cell]);
        added += change * (2.0L * fall + change / t);
        if (other != no_cell) {
            flow.surplus[other] -= static_cast<double>(change);
        } else if (face == 2 * axis) {
            flow.strength -= change;
        }
        flow.surplus[cell] = 0.0;
    }
    const bool balanced =
        std::all_of(flow.surplus.begin(), flow.surplus.end(), [](double surplus) { return surplus == 0.0; });
    return balanced ? std::optional(flow.energy + added) : std::nullopt;
}

bool is_bounded(const Grid &grid, const Field &field, int axis) {
    if (field.in_time || field.convective || !is_zero(field.sigma) || !is_zero(field.f) ||
        grid.count() > most_cells_to_bound) {
        return false;
    }
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        const bool closed = is_periodic(field.sides, side / 2) || is_insulated(field.sides[side]);
        if (side / 2 == axis ? !held_value(field.sides[side]) : !closed) {
            return false;
        }
    }
    return held_value(field.sides[2 * axis]) != held_value(field.sides[2 * axis + 1]);
}

/// `value` with so many significant digits, not below it (`up`) or not above it.
std::string rounded(double value, int digits, bool up) {
    const double unit = value > 0.0 ? std::pow(10.0, std::floor(std::log10(value)) + 1 - digits) : 1.0;
    const double steps = value / unit;
    return fmt::format("{:.{}g}", (up ? std::ceil(steps) : std::floor(steps)) * unit, digits);
}

}  // namespace

std::optional<Bounds> energy_bounds(const Grid &grid, const Field &field, int axis, const FieldValues &u) {
    if (!is_bounded(grid, field, axis)) {
        return std::nullopt;
    }
    const Network network(grid, field, axis, u);
    std::optional<Flow> flow = flow_of(network, axis);
    const std::optional<long double> dissipation = flow ? balance(network, axis, *flow) : std::nullopt;
    if (!dissipation || !(flow->energy > 0.0L) || !(*dissipation > 0.0L)) {
        return std::nullopt;
    }
    const double difference = *held_value(field.sides[2 * axis]) - *held_value(field.sides[2 * axis + 1]);
    const double n = static_cast<double>(grid.cells[axis]), h = grid.spacing[axis];
    const double scale = n * n * h * h / static_cast<double>(grid.count());  // of a conductance per volume
    const double rounding = 1.0e-13;  // of some operations on each term
    const auto upper = static_cast<double>(flow->energy / (difference * difference)) * scale;
    const auto lower = static_cast<double>(flow->strength * flow->strength / *dissipation) * scale;
    if (!std::isfinite(upper) || !std::isfinite(lower)) {
        return std::nullopt;
    }
    return Bounds{lower * (1.0 - rounding), upper * (1.0 + rounding)};
}

int certain_digits(const Bounds &bounds) {
    const double distance = (bounds.upper - bounds.lower) / bounds.upper;
    return static_cast<int>(std::clamp(-std::log10(distance), 0.0, double{most_digits}));
}

std::string to_text(const Bounds &bounds) {
    const int digits = certain_digits(bounds);
    return fmt::format(
        "bounds guarantee {} digit{} of the coefficient on this grid: it lies between {} and {}", digits,
        digits == 1 ? "" : "s", rounded(bounds.lower, digits + 2, false),
        rounded(bounds.upper, digits + 2, true));
}

std::string warn_of_few_digits(const Bounds &bounds) {
    return fmt::format(
        "the energy bounds guarantee {} digit{} of the coefficient; lower solver.rtol for more",
        certain_digits(bounds), certain_digits(bounds) == 1 ? "" : "s");
}

}  // namespace perdure
