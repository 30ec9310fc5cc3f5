#include "solver/run/fast_transform_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "solver/run/divider.hpp"

namespace perdure {
namespace {

constexpr std::uint32_t most_log2_lines = 5;
/// Across x so many cells side by side fill a sector of memory.
constexpr std::uint32_t log2_of_sector = 2;

/// Where number k is behind the passes.
std::uint32_t place_of(const lines_t &lines, std::uint32_t k) {
    std::uint32_t place = 0;
    for (std::uint32_t number = 0; number < lines.passes; ++number) {
        const pass_t &pass = lines.pass[number];
        place += k % pass.radix * pass.stride.divisor;
        k /= pass.radix;
    }
    return place;
}

/// exp(-2 pi i part / whole), from an angle of at most an eighth of a circle.
std::complex<double> turn(std::uint64_t part, std::uint64_t whole) {
    part %= whole;
    const std::uint64_t quarters = (4 * part + whole / 2) / whole;
    const double rest = (4.0 * static_cast<double>(part) - static_cast<double>(quarters * whole)) /
                        static_cast<double>(whole);
    const std::complex<double> by_rest = std::polar(1.0, -0.5 * std::numbers::pi * rest);
    constexpr std::complex<double> quarter_turns[] = {{1.0, 0.0}, {0.0, -1.0}, {-1.0, 0.0}, {0.0, 1.0}};
    return by_rest * quarter_turns[quarters % 4];
}

template <typename Cycle>
void put(Cycle *numbers, std::uint64_t at, std::complex<double> value) {
    numbers[2 * at] = static_cast<Cycle>(value.real());
    numbers[2 * at + 1] = static_cast<Cycle>(value.imag());
}

/// Numbers k and m - k; of the first unit 0 and m / 2.
struct Unit {
    std::uint32_t place, other_place;
    std::uint32_t k, other;
};

/// In the order of places, of which the smaller is the first of a unit.
std::vector<Unit> units_of(const lines_t &lines) {
    const std::uint32_t m = lines.numbers.divisor;
    std::vector<Unit> units{{0, place_of(lines, m / 2), 0, m / 2}};
    for (std::uint32_t k = 1; k < m / 2; ++k) {
        const std::uint32_t place = place_of(lines, k);
        const std::uint32_t opposite = place_of(lines, m - k);
        units.push_back(place <= opposite ? Unit{place, opposite, k, m - k}
                                          : Unit{opposite, place, m - k, k});
    }
    std::sort(units.begin(), units.end(), [](const Unit &a, const Unit &b) { return a.place < b.place; });
    return units;
}

template <typename Cycle>
void fill_units(const lines_t &lines, Cycle *turns, std::uint32_t *places) {
    const std::vector<Unit> units = units_of(lines);
    const std::uint64_t count = units.size();
    const std::uint64_t n = 2 * std::uint64_t{lines.numbers.divisor};
    const std::uint64_t back_by_an_eighth = 4 * n - n / 2;
    const bool periodic = lines.kind == LINES_PERIODIC;
    const double scale = std::sqrt(2.0 / static_cast<double>(n));
    const auto factor = [&](std::uint64_t part) {
        return periodic ? std::complex<double>(scale) : scale * turn(part, 4 * n);
    };
    for (std::uint64_t number = 0; number < count; ++number) {
        const auto &[place, other_place, k, other] = units[number];
        places[2 * number] = place;
        places[2 * number + 1] = other_place;
        put(turns, number, turn(k, n));
        put(turns, count + number, number == 0 ? std::sqrt(0.5) * scale : 0.5 * factor(k));
        put(turns, 2 * count + number, number == 0 ? factor(other) : 0.5 * factor(k + back_by_an_eighth));
    }
}

template <typename Cycle>
void fill_turns(const lines_t &lines, Cycle *turns) {
    const std::uint64_t m = lines.numbers.divisor;
    const double scale = std::sqrt(1.0 / static_cast<double>(m));
    for (std::uint32_t k = 0; k < m; ++k) {
        put(turns, k, turn(4 * k + 1, 16 * m));
        put(turns, m + place_of(lines, k), scale * turn(k, 4 * m));
    }
}

template <typename Cycle>
void fill_tables_of(const lines_t &lines, Cycle *tables, std::uint32_t *places) {
    std::uint32_t length = lines.numbers.divisor;
    for (std::uint32_t number = 0; number < lines.passes; ++number) {
        const pass_t &pass = lines.pass[number];
        const std::uint32_t stride = pass.stride.divisor;
        for (std::uint32_t q = 1; q < pass.radix; ++q) {
            for (std::uint32_t offset = 0; offset < stride; ++offset) {
                put(tables + pass.turns, std::uint64_t{q - 1} * stride + offset,
                    turn(std::uint64_t{q} * offset, length));
            }
        }
        length = stride;
    }
    if (has_pairs(lines.kind) != 0) {
        fill_units(lines, tables + lines.turns, places + lines.places);
    } else {
        fill_turns(lines, tables + lines.turns);
    }
}

/// log2 of what gaps follow: of m's powers of two, behind which all passes of other radices stride.
std::array<std::uint32_t, 2> gaps_of(std::uint32_t m) {
    constexpr std::uint32_t gap = 3;
    constexpr std::uint32_t larger_gap = 6;
    const auto follows = [&](std::uint32_t log2) { return m % (1U << log2) == 0 ? log2 : NO_GAPS; };
    return {follows(gap), follows(larger_gap)};
}

std::int64_t values_of_line(std::uint32_t m, const std::array<std::uint32_t, 2> &gaps) {
    return 2 * (std::int64_t{spread(m - 1, gaps[0], gaps[1])} + 1);
}

}  // namespace

std::uint32_t lines_between(BoundaryType lower, BoundaryType upper) {
    using enum BoundaryType;
    const auto one_of = [](BoundaryType type) { return type == neumann || type == dirichlet; };
    if (lower == periodic) {
        return LINES_PERIODIC;
    }
    if (!one_of(lower) || !one_of(upper)) {
        return LINES_OTHER;
    }
    if (lower == upper) {
        return lower == dirichlet ? LINES_VALUES : LINES_NO_FLUX;
    }
    return lower == dirichlet ? LINES_VALUE_THEN_NO_FLUX : LINES_NO_FLUX_THEN_VALUE;
}

std::vector<std::uint32_t> radices_of(std::uint32_t m) {
    std::vector<std::uint32_t> radices;
    for (const std::uint32_t radix : {3U, 5U, 8U, 4U, 2U}) {
        for (; m % radix == 0; m /= radix) {
            radices.push_back(radix);
        }
    }
    const std::size_t count = radices.size();
    if (count >= 2 && radices[count - 1] == 2 && radices[count - 2] == 8) {
        radices[count - 2] = radices[count - 1] = 4;
    }
    return m == 1 && count <= MOST_PASSES ? radices : std::vector<std::uint32_t>{};
}

bool has_fast_transform(std::uint32_t kind, std::uint32_t n, std::int64_t line_values) {
    constexpr std::uint32_t cells_of_a_unit = 4;
    return kind != LINES_OTHER && n >= cells_of_a_unit && n % cells_of_a_unit == 0 &&
           values_of_line(n / 2, gaps_of(n / 2)) <= line_values && !radices_of(n / 2).empty();
}

lines_t plan_lines(const LevelLines &lines) {
    lines_t plan{};
    if (!has_fast_transform(lines.kind, lines.cells, lines.line_values)) {
        return plan;
    }
    plan.kind = lines.kind;
    const std::uint32_t m = lines.cells / 2;
    plan.numbers = make_divider(m);
    plan.units = make_divider(m / 2);
    const std::array<std::uint32_t, 2> gaps = gaps_of(m);
    std::copy(gaps.begin(), gaps.end(), plan.gap);
    std::uint32_t stride = m;
    for (const std::uint32_t radix : radices_of(m)) {
        stride /= radix;
        plan.pass[plan.passes++] = {radix, 0, make_divider(stride), make_divider(m / radix), 0};
    }
    const auto better_with = [&](std::uint32_t log2_lines) {
        const bool fit = values_of_line(m, gaps) << log2_lines <= lines.line_values;
        const bool there = (1U << log2_lines) < 2 * (lines.across ? lines.beside : lines.count);
        return fit && there && log2_lines <= most_log2_lines &&
               ((lines.across && log2_lines <= log2_of_sector) || lines.count >> log2_lines >= lines.groups);
    };
    while (better_with(plan.log2_lines + 1)) {
        ++plan.log2_lines;
    }
    return plan;
}

std::uint32_t values_in_group(const lines_t &lines) {
    const std::uint32_t m = lines.numbers.divisor;
    return lines.kind == LINES_OTHER
               ? 0
               : static_cast<std::uint32_t>(values_of_line(m, gaps_of(m)) << lines.log2_lines);
}

std::uint64_t turns_of_modes(const lines_t &lines) {
    return has_pairs(lines.kind) != 0 ? std::uint64_t{6} * lines.units.divisor
                                      : std::uint64_t{4} * lines.numbers.divisor;
}

std::uint64_t turns_of_pass(const pass_t &pass) {
    return std::uint64_t{2} * (pass.radix - 1) * pass.stride.divisor;
}

std::uint64_t places_of(const lines_t &lines) {
    return has_pairs(lines.kind) != 0 ? std::uint64_t{2} * lines.units.divisor : 0;
}

void fill_lines(const lines_t &lines, float *tables, std::uint32_t *places) {
    fill_tables_of(lines, tables, places);
}
void fill_lines(const lines_t &lines, double *tables, std::uint32_t *places) {
    fill_tables_of(lines, tables, places);
}

std::vector<double> angles_of(const lines_t &lines) {
    const std::uint32_t m = lines.numbers.divisor;
    const std::uint32_t n = 2 * m;
    std::vector<double> angles(n);
    const auto put_modes = [&](std::uint32_t at, std::uint32_t apart, std::uint32_t k) {
        const std::uint32_t opposite = k == 0 ? m : n - k;
        if (lines.kind == LINES_PERIODIC) {
            angles[at] = 2.0 * std::numbers::pi * k / n;
            angles[at + apart] = 2.0 * std::numbers::pi * (k == 0 ? m : k) / n;
        } else if (has_pairs(lines.kind) != 0) {
            const bool backwards = lines.kind == LINES_VALUES;
            angles[at] = std::numbers::pi * (backwards ? n - k : k) / n;
            angles[at + apart] = std::numbers::pi * (backwards ? n - opposite : opposite) / n;
        } else {
            angles[at] = std::numbers::pi * (2.0 * k + 0.5) / n;
            angles[at + apart] = std::numbers::pi * (n - 0.5 - 2.0 * k) / n;
        }
    };
    if (has_pairs(lines.kind) == 0) {
        for (std::uint32_t k = 0; k < m; ++k) {
            put_modes(place_of(lines, k), m, k);
        }
        return angles;
    }
    const std::vector<Unit> units = units_of(lines);
    for (std::uint32_t number = 0; number < m / 2; ++number) {
        put_modes(number, m / 2, units[number].k);
        put_modes(2 * (m / 2) + number, m / 2, units[number].other);
    }
    return angles;
}

}  // namespace perdure
