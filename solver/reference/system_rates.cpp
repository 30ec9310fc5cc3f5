#include "solver/reference/system_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "solver/failure.hpp"

namespace perdure::reference {
namespace {

constexpr std::array<const char *, 3> coordinate_names{"x", "y", "z"};

std::array<bool, 3> find_periodic(const SystemConfig &system, int dimensions) {
    std::array<bool, 3> periodic{false, false, false};
    for (int side = 0; side < 2 * dimensions; ++side) {
        for (const SystemField &field : system.fields) {
            const bool repeats = field.sides[side].kind == SideKind::periodic;
            if (side % 2 == 0 && &field == system.fields.data()) {
                periodic[side / 2] = repeats;
            } else if (repeats != periodic[side / 2]) {
                throw Failure(
                    ExitCode::differs_or_internal,
                    fmt::format(
                        "the reference needs both sides along {} to be periodic for all fields or for none",
                        coordinate_names[side / 2]));
            }
        }
    }
    return periodic;
}

int find_halo(const std::vector<Tokens> &rates, const std::vector<std::string> &others,
              const NamedParts &parts) {
    int halo = 1;
    for (const std::string &other : others) {
        halo = std::max(halo, reach_of(read_tokens(other), parts));
    }
    for (const Tokens &rate : rates) {
        halo = std::max(halo, reach_of(rate, parts));
    }
    return halo;
}

std::vector<Tokens> read_rates(const SystemConfig &system) {
    std::vector<Tokens> rates;
    for (const SystemField &field : system.fields) {
        rates.push_back(read_tokens(field.rate.text));
    }
    return rates;
}

// Values d beyond from those inside: u or du/dn at the middle is as the side says.
template <typename Layer>
Eigen::ArrayXXd beyond_side(const SystemSide &side, FormulaArrays &formulas, const Layer &inside, double d) {
    const auto on_side = [&](const FormulaText &formula) {
        return Eigen::ArrayXXd(
            formulas.evaluate(read_tokens(formula.text)).reshaped(inside.rows(), inside.cols()));
    };
    const Eigen::ArrayXXd values = on_side(side.values);
    if (side.kind == SideKind::value) {
        return 2.0 * values - inside;
    }
    if (side.kind == SideKind::flux) {
        return inside + d * values;
    }
    const Eigen::ArrayXXd half = 0.5 * d * on_side(side.coefficient);
    return ((1.0 - half) * inside + 2.0 * half * values) / (1.0 + half);
}

}  // namespace

SystemRates::SystemRates(const Grid &grid, const SystemConfig &system,
                         const std::vector<std::vector<double>> &coefficients,
                         const std::vector<std::string> &others)
    : system_(system),
      parts_(read_parts(system)),
      rates_(read_rates(system)),
      grid_(grid, find_halo(rates_, others, parts_), find_periodic(system, grid.dimensions)) {
    constant_.parts = &parts_;
    constant_.grid = &grid_;
    constant_.cell_numbers = grid_.cell_numbers();
    constant_.parameters = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};
    for (const auto &[name, value] : system.parameters) {
        constant_.parameters[name] = value;
    }
    for (int axis = 0; axis < 3; ++axis) {
        constant_.variables[coordinate_names[axis]] = grid_.coordinates(axis);
    }
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        constant_.variables[system.coefficients.at(i).first] =
            ExtendedGrid::take(coefficients[i], constant_.cell_numbers);
    }
}

void SystemRates::begin_step(std::size_t number, double dt) {
    double volume = 1.0;
    for (int axis = 0; axis < grid_.dimensions(); ++axis) {
        volume *= grid_.spacing(axis);
    }
    constant_.step = static_cast<std::uint32_t>(number);
    constant_.noise_scale = 1.0 / std::sqrt(volume * dt);
}

FieldArrays SystemRates::all(double time, const FieldArrays &fields) const {
    std::vector<std::size_t> each(fields.size());
    std::iota(each.begin(), each.end(), 0);
    return some(each, time, fields);
}

FieldArrays SystemRates::some(const std::vector<std::size_t> &wanted, double time,
                              const FieldArrays &fields) const {
    FormulaArrays formulas(inputs_at(time, fields));
    FieldArrays rates;
    for (const std::size_t i : wanted) {
        rates.push_back(grid_.extract(formulas.evaluate_rate(rates_[i], system_.fields[i].name)));
    }
    return rates;
}

Eigen::ArrayXd SystemRates::formula(const std::string &text, double time, const FieldArrays &fields) const {
    return grid_.extract(FormulaArrays(inputs_at(time, fields)).evaluate(read_tokens(text)));
}

Eigen::ArrayXd SystemRates::through_face(const std::string &vector, int axis, int direction, double time,
                                         const FieldArrays &fields) const {
    FormulaArrays formulas(inputs_at(time, fields));
    return grid_.extract(formulas.through_face(read_tokens(vector), axis, direction));
}

FormulaInputs SystemRates::inputs_at(double time, const FieldArrays &fields) const {
    FormulaInputs inputs = constant_;
    inputs.variables["t"] = Eigen::ArrayXd::Constant(grid_.count(), time);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        inputs.variables[system_.fields[i].name] = grid_.insert(fields[i]);
    }
    for (int axis = 0; axis < grid_.dimensions(); ++axis) {
        continue_fields(inputs, axis);
    }
    return inputs;
}

void SystemRates::continue_fields(FormulaInputs &inputs, int axis) const {
    const Eigen::Index cells = grid_.cells(axis), halo = grid_.halo(axis);
    for (const int side : {2 * axis, 2 * axis + 1}) {
        const bool upper = side % 2 == 1;
        const auto beyond = [&](Eigen::Index k) { return upper ? halo + cells - 1 + k : halo - k; };
        if (grid_.periodic(axis)) {
            for (const SystemField &field : system_.fields) {
                Eigen::ArrayXd &values = inputs.variables.at(field.name);
                for (Eigen::Index k = 1; k <= halo; ++k) {
                    const Eigen::Index repeated = (k - 1) % cells;
                    grid_.layer(values, axis, beyond(k)) =
                        grid_.layer(values, axis, upper ? halo + repeated : halo + cells - 1 - repeated);
                }
            }
            continue;
        }
        FormulaArrays formulas(inputs_on_side(inputs, side));
        for (const SystemField &field : system_.fields) {
            Eigen::ArrayXd &values = inputs.variables.at(field.name);
            for (Eigen::Index k = 1; k <= std::min(halo, cells); ++k) {
                const auto inside = grid_.layer(values, axis, upper ? halo + cells - k : halo + k - 1);
                const double d = static_cast<double>(2 * k - 1) * grid_.spacing(axis);
                grid_.layer(values, axis, beyond(k)) = beyond_side(field.sides[side], formulas, inside, d);
            }
        }
    }
}

FormulaInputs SystemRates::inputs_on_side(const FormulaInputs &inputs, int side) const {
    const int axis = side / 2;
    const Eigen::Index beside = grid_.halo(axis) + (side % 2 == 0 ? 0 : grid_.cells(axis) - 1);
    const auto beside_side = [&](const auto &values) {
        return std::decay_t<decltype(values)>(grid_.layer(values, axis, beside).reshaped());
    };
    FormulaInputs on_side;
    on_side.parameters = inputs.parameters;
    on_side.parts = inputs.parts;
    on_side.cell_numbers = beside_side(inputs.cell_numbers);
    for (const auto &[name, values] : inputs.variables) {
        on_side.variables[name] = beside_side(values);
    }
    on_side.variables[coordinate_names[axis]].setConstant(grid_.face(side));
    return on_side;
}

}  // namespace perdure::reference
