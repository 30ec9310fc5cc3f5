#include "solver/run/label_operator.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>

#include "kernels/labels.h"
#include "solver/methods/method.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/conductance.hpp"

namespace perdure {
namespace {

constexpr std::size_t most_labels = std::numeric_limits<std::uint8_t>::max();

bool is_number(const ValueSource &source) {
    return source.kind == ValueSource::Kind::number;
}

/// Conductances from a cell of coefficient a to the sides at its boundary position, one after the other.
template <typename Real>
double to_sides(const Grid &grid, const std::array<Side, 6> &sides, std::uint32_t position,
                const std::array<double, 3> &a, SidesRounded rounded) {
    double sum = 0.0;
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        if ((position >> side & 1U) != 0) {
            const double t = side_conductance(sides[side], a[side / 2], grid.spacing[side / 2], 0);
            sum += rounded == SidesRounded::one_by_one ? static_cast<double>(static_cast<Real>(t)) : t;
        }
    }
    return sum;
}

}  // namespace

bool comes_by_labels(const Config &config) {
    return !method_of(config).fields_by_labels.empty() && config.a.labels_cross.empty() &&
           config.a.kind == ValueSource::Kind::labels && config.a.labels.size() <= most_labels &&
           !config.velocity && is_number(config.sigma) && config.sigma.number == 0.0 &&
           std::all_of(config.sides.begin(), config.sides.end(),
                       [](const SideConfig &side) { return is_number(side.coefficient); });
}

bool b_comes_by_labels(const Config &config) {
    return comes_by_labels(config) && config.effective &&
           config.effective->sides != ImageSides::periodic_cell;
}

bool has_kinds(std::uint64_t labels, std::uint64_t cells) {
    std::uint64_t kinds = KIND_POSITIONS;
    for (int point = 0; point < STENCIL_POINTS; ++point) {
        kinds *= labels;
    }
    return labels <= MOST_LABELS_OF_KINDS && kinds < cells;
}

bool inverses_come_by_kinds(const Config &config) {
    const auto conducting = std::count_if(config.a.labels.begin(), config.a.labels.end(),
                                          [](const auto &label) { return label.second > 0.0; });
    const auto cells =
        static_cast<std::uint64_t>(config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2]);
    return b_comes_by_labels(config) && has_kinds(static_cast<std::uint64_t>(conducting) + 1, cells);
}

void count_tables_instead(const Config &config, FieldCount &fields) {
    const std::int64_t kinds = inverses_come_by_kinds(config) ? 1 : 0;
    fields.always -= b_comes_by_labels(config) ? 1 : 0;
    fields.varied -= kinds;
    fields.bytes += kinds * std::int64_t{sizeof(std::uint16_t)};
}

template <typename Real>
std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<Real> &labels, std::size_t cells,
                                            bool in_parts) {
    std::vector<KernelBuffer> buffers{
        {.name = "labels", .bytes = cells, .initial = labels.of_cell.data(), .as_it_stands = in_parts},
        {"label_count", sizeof labels.count, &labels.count},
        {"b_by_labels", sizeof labels.b_by_labels, &labels.b_by_labels},
        buffer_of("coefficients", labels.table),
        {"has_kinds", sizeof labels.has_kinds, &labels.has_kinds},
        {.name = "kinds", .bytes = labels.has_kinds * cells * sizeof(std::uint16_t), .as_it_stands = true}};
    if (labels.has_kinds != 0) {
        buffers.push_back({"inverse_diagonal", 0});
    }
    if (labels.b_by_labels != 0) {
        buffers.push_back(buffer_of("b", labels.b));
    }
    return buffers;
}

std::vector<double> coefficients_of_labels(const Samples &a) {
    std::set<double> all;
    std::mutex lock;
    const auto count =
        static_cast<std::int64_t>(a.values.size());  // of labels too: they have no other values
    in_parallel(count, [&](std::int64_t begin, std::int64_t end) {
        std::set<double> found;
        double before = 0.0;
        for (std::int64_t i = begin; i < end; ++i) {
            if (a.values[i] != before) {
                before = a.values[i];
                found.insert(before);
            }
        }
        const std::lock_guard hold(lock);
        all.insert(found.begin(), found.end());
    });
    all.erase(0.0);
    return {all.begin(), all.end()};
}

std::uint8_t label_of(const std::vector<double> &coefficients, double a) {
    const auto found = std::lower_bound(coefficients.begin(), coefficients.end(), a);
    return a > 0.0 ? static_cast<std::uint8_t>(1 + (found - coefficients.begin())) : std::uint8_t{0};
}

template <typename Real>
LargeVector<Real> label_table(const Grid &grid, const std::array<Side, 6> &sides,
                              const LabelCoefficients &coefficients, SidesRounded rounded) {
    const auto count = static_cast<std::uint32_t>(coefficients.size() + 1);
    LargeVector<Real> table(LABEL_TABLE_ENTRIES(count), Real(0));
    for (std::uint32_t l = 1; l < count; ++l) {
        const std::array<double, 3> &a = coefficients[l - 1];
        for (std::uint32_t axis = 0; axis < static_cast<std::uint32_t>(grid.dimensions); ++axis) {
            const double h = grid.spacing[axis];
            for (std::uint32_t other = 1; other < count; ++other) {
                table[PAIR_PLACE(count, axis, l, other)] =
                    static_cast<Real>(harmonic(a[axis], coefficients[other - 1][axis]) / (h * h));
            }
        }
        for (std::uint32_t position = 0; position < PLACES; ++position) {
            table[DIAGONAL_PLACE(count, position, l)] =
                static_cast<Real>(to_sides<Real>(grid, sides, position, a, rounded));
        }
    }
    return table;
}

LabelCoefficients equal_along_axes(const std::vector<double> &coefficients) {
    LabelCoefficients equal;
    for (const double a : coefficients) {
        equal.push_back({a, a, a});
    }
    return equal;
}

template std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<float> &, std::size_t, bool);
template std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<double> &, std::size_t, bool);
template LargeVector<float> label_table(const Grid &, const std::array<Side, 6> &, const LabelCoefficients &,
                                        SidesRounded);
template LargeVector<double> label_table(const Grid &, const std::array<Side, 6> &, const LabelCoefficients &,
                                         SidesRounded);

}  // namespace perdure
