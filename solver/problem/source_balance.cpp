#include "solver/problem/source_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/connected_runs.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/sample_points.hpp"

namespace perdure {

namespace {

// Amount per time of sources and fluxes: signed, and of magnitudes.
struct Amount {
    double net = 0.0;
    double magnitude = 0.0;

    void add(double value) {
        net += value;
        magnitude += std::abs(value);
    }
    Amount &operator+=(const Amount &other) {
        net += other.net;
        magnitude += other.magnitude;
        return *this;
    }
    [[nodiscard]] bool balanced() const { return std::abs(net) <= 1.0e-8 * magnitude; }
};

bool any_nonzero(const Samples &samples) {
    return std::any_of(samples.values.begin(), samples.values.end(), [](double v) { return v != 0.0; });
}

// Sources of single cells: f and the fluxes through sides of the box, times volume and area.
class Sources {
  public:
    explicit Sources(const Grid &grid, const Field &field) : grid_(grid), field_(field) {
        const auto &h = grid.spacing;
        volume_ = h[0] * h[1] * (grid.dimensions == 3 ? h[2] : 1.0);
        has_f_ = any_nonzero(field.f);
        for (int side = 0; side < 2 * grid.dimensions; ++side) {
            if (any_face(field.sides[side], [](const FaceCondition &at) { return at.flux != 0.0; })) {
                flux_sides_.push_back(side);
            }
        }
    }

    [[nodiscard]] bool none() const { return !has_f_ && flux_sides_.empty(); }

    [[nodiscard]] Amount of_cell(std::int64_t x, std::int64_t y, std::int64_t z) const {
        const Grid &grid = grid_;
        Amount amount;
        if (has_f_) {
            amount.add(field_.f[grid.index(x, y, z)] * volume_);
        }
        const std::array<std::int64_t, 3> position{x, y, z};
        const std::array<std::int64_t, 3> face{y + grid.cells[1] * z, x + grid.cells[0] * z,
                                               x + grid.cells[0] * y};
        for (const int side : flux_sides_) {
            const int axis = side / 2;
            if (position[axis] == (side % 2 == 0 ? 0 : grid.cells[axis] - 1)) {
                amount.add(face_condition(field_.sides[side], face[axis]).flux * volume_ /
                           grid.spacing[axis]);
            }
        }
        return amount;
    }

    // Calls visit(index, amount) for each of the cells [begin, end) that `wanted(index)` picks and that holds a source.
    template <class Wanted, class Visit>
    void for_each(std::int64_t begin, std::int64_t end, const Wanted &wanted, const Visit &visit) const {
        const auto [nx, ny, nz] = grid_.cells;
        for (std::int64_t index = begin; index < end; ++index) {
            if (wanted(index)) {
                const Amount amount = of_cell(index % nx, index / nx % ny, index / (nx * ny));
                if (amount.magnitude > 0.0) {
                    visit(index, amount);
                }
            }
        }
    }
    template <class Wanted, class Visit>
    void for_each(const Wanted &wanted, const Visit &visit) const {
        for_each(0, grid_.count(), wanted, visit);
    }

    // Where the case file states the sources that a finding is about.
    [[nodiscard]] const TextPosition &position(const Config &config) const {
        return has_f_ ? config.f.position : config.sides[flux_sides_.front()].values.position;
    }

    [[nodiscard]] const Grid &grid() const { return grid_; }
    [[nodiscard]] const Field &field() const { return field_; }

  private:
    const Grid &grid_;
    const Field &field_;
    double volume_ = 1.0;
    bool has_f_ = false;
    std::vector<int> flux_sides_;
};

// Amounts per connected part, and the first cell of each that holds a source.
struct PartAmounts {
    std::vector<Amount> amount;
    std::vector<std::int64_t> first_cell;

    explicit PartAmounts(std::int32_t parts) : amount(parts), first_cell(parts, -1) {}
    void add(std::int32_t part, std::int64_t cell, const Amount &value) {
        amount[part] += value;
        if (first_cell[part] < 0) {
            first_cell[part] = cell;
        }
    }
    [[nodiscard]] std::int64_t count_unbalanced() const {
        return std::count_if(amount.begin(), amount.end(), [](const Amount &a) { return !a.balanced(); });
    }
    [[nodiscard]] std::int32_t first_unbalanced() const {
        const auto found =
            std::find_if_not(amount.begin(), amount.end(), [](const Amount &a) { return a.balanced(); });
        return static_cast<std::int32_t>(found - amount.begin());
    }
};

bool solid(const Field &field, std::int64_t cell) {
    return field.a[cell] == 0.0 && field.sigma[cell] == 0.0;
}

void check_solid_cells(const Sources &sources, const SamplePoints &points, const Config &config,
                       ProblemFindings &findings) {
    const Field &field = sources.field();
    struct Found {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        std::int64_t count = 0;
        double net = 0.0;  // of the first
    };
    Found all;
    std::mutex lock;
    in_parallel(sources.grid().count(), [&](std::int64_t begin, std::int64_t end) {
        Found here;
        sources.for_each(
            begin, end, [&](std::int64_t cell) { return solid(field, cell); },
            [&](std::int64_t cell, const Amount &amount) {
                if (!field.in_time && amount.balanced()) {
                    return;
                }
                if (here.count++ == 0) {
                    here.first = cell;
                    here.net = amount.net;
                }
            });
        const std::lock_guard hold(lock);
        const Found &earlier = here.first < all.first ? here : all;
        all = {earlier.first, all.count + here.count, earlier.net};
    });
    const auto [first, count, net] = all;
    if (count > 0) {
        findings.add(ExitCode::bad_input, sources.position(config),
                     fmt::format("source in a solid cell: {} (f times volume plus flux times area) at {}, "
                                 "where a = sigma = 0, so that nothing can balance it; {} solid {} a source; "
                                 "set f and flux to 0 there, or a above 0, or leave them out with "
                                 "problem.sources_in_solids: ignore",
                                 net, points.describe(first), count, count == 1 ? "cell has" : "cells have"));
    }
}

std::vector<Diagnostic> check_cut_off_parts(const Sources &sources, const ActiveCells &active,
                                            const SamplePoints &points, const Config &config,
                                            ProblemFindings &findings) {
    const Grid &grid = sources.grid();
    const Field &field = sources.field();
    const auto cut_off = [&](std::int64_t cell) { return !active.is_active(cell) && field.a[cell] > 0.0; };
    std::atomic<bool> any = false;
    in_parallel(grid.count(), [&](std::int64_t begin, std::int64_t end) {
        sources.for_each(begin, end, cut_off,
                         [&](std::int64_t, const Amount &) { any.store(true, std::memory_order_relaxed); });
    });
    if (!any) {
        return {};
    }
    const ConnectedRuns runs(grid, field);
    const auto part = runs.part_of_cells();
    PartAmounts amounts(runs.parts());
    sources.for_each(cut_off,
                     [&](std::int64_t cell, const Amount &amount) { amounts.add(part[cell], cell, amount); });
    const std::int64_t unbalanced = amounts.count_unbalanced();
    if (unbalanced == 0) {
        return {findings.make(Diagnostic::Severity::warning, sources.position(config),
                              "some cut-off parts hold sources that balance; these parts are not solved and "
                              "are written as NaN")};
    }
    const std::int32_t worst = amounts.first_unbalanced();
    const auto size = std::count(part.begin(), part.end(), worst);
    findings.add(
        ExitCode::bad_input, sources.position(config),
        fmt::format(
            "source in a cut-off part: a net {} (f times volume plus flux times area) enters the part of {} "
            "{} around {}, which has no sigma and reaches no side with {}, so that no steady state exists; "
            "{} cut-off {} a net source; set f and flux to 0 there, or connect the part, or leave them out "
            "with "
            "problem.sources_in_solids: ignore",
            amounts.amount[worst].net, size, size == 1 ? "cell" : "cells",
            points.describe(amounts.first_cell[worst]), kinds_that_fix_level(), unbalanced,
            unbalanced == 1 ? "part has" : "parts have"));
    return {};
}

/// Cells that are left out have no equation: what they hold is left out, too.
std::vector<Diagnostic> warn_of_ignored(const Sources &sources, const ActiveCells &active,
                                        const Config &config, const ProblemFindings &findings) {
    Amount ignored;
    std::int64_t count = 0;
    sources.for_each([&](std::int64_t cell) { return !active.is_active(cell); },
                     [&](std::int64_t, const Amount &amount) {
                         ignored += amount;
                         ++count;
                     });
    if (count == 0) {
        return {};
    }
    return {findings.make(Diagnostic::Severity::warning, sources.position(config),
                          fmt::format("the sources of {} {} solid or cut off are ignored, {:.6g} in all (f "
                                      "times volume plus flux times area)",
                                      count, count == 1 ? "cell that is" : "cells that are", ignored.net))};
}

void check_balance(const Sources &sources, const ActiveCells &active, const SamplePoints &points,
                   const Config &config, ProblemFindings &findings) {
    PartAmounts amounts(active.parts);
    sources.for_each(
        [&](std::int64_t cell) { return active.is_active(cell); },
        [&](std::int64_t cell, const Amount &amount) { amounts.add(active.part_of(cell), cell, amount); });
    const std::int64_t unbalanced = amounts.count_unbalanced();
    if (unbalanced == 0) {
        return;
    }
    const std::int32_t worst = amounts.first_unbalanced();
    const Amount &amount = amounts.amount[worst];
    const std::string where =
        active.parts == 1 ? ""
                          : fmt::format(" in the connected part around {} ({} of {} parts do not balance)",
                                        points.describe(amounts.first_cell[worst]), unbalanced, active.parts);
    findings.add(
        ExitCode::bad_input, sources.position(config),
        fmt::format(
            "sources do not balance{}: f times volume plus flux times area sums to {:.9g} (magnitudes sum to "
            "{:.9g}), but there is no sigma and no side with {} to absorb the difference, so that no steady "
            "state exists; make the sum 0 to within 1e-8 of the magnitudes, or give a side a {}",
            where, amount.net, amount.magnitude, kinds_that_fix_level(), kinds_that_fix_level()));
}

}  // namespace

std::vector<Diagnostic> check_sources(const Grid &grid, const Field &field, const ActiveCells &active,
                                      const Config &config, ProblemFindings &findings) {
    if (active.excluded == grid.count()) {
        findings.add(ExitCode::bad_input, config.a.position,
                     fmt::format("problem.a: there is no cell to solve: every cell is solid (a = sigma = 0) "
                                 "or cut off from sigma and from every side with {}",
                                 kinds_that_fix_level()));
    }
    const Sources sources(grid, field);
    if (sources.none()) {
        return {};
    }
    const SamplePoints points = cell_points(grid);
    std::vector<Diagnostic> warnings;
    if (active.excluded > 0 && config.sources_in_solids == SourcesInSolids::ignore) {
        warnings = warn_of_ignored(sources, active, config, findings);
    } else if (active.excluded > 0) {
        check_solid_cells(sources, points, config, findings);
        warnings = check_cut_off_parts(sources, active, points, config, findings);
    }
    if (active.pinned) {
        check_balance(sources, active, points, config, findings);
    }
    return warnings;
}

}  // namespace perdure
