#include "solver/problem/active_cells.hpp"

#include <algorithm>
#include <atomic>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/connected_runs.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure {

namespace {

bool any_positive(const Samples &samples) {
    return std::any_of(samples.values.begin(), samples.values.end(), [](double v) { return v > 0.0; });
}

bool all_positive(const Samples &samples) {
    std::atomic<bool> all = true;
    in_parallel(static_cast<std::int64_t>(samples.values.size()), [&](std::int64_t begin, std::int64_t end) {
        if (!std::all_of(samples.values.begin() + begin, samples.values.begin() + end,
                         [](double v) { return v > 0.0; })) {
            all.store(false, std::memory_order_relaxed);
        }
    });
    return all;
}

bool has_anchor(const Field &field) {
    return any_positive(field.sigma) || std::any_of(field.sides.begin(), field.sides.end(), fixes_level);
}

// True when the run has a face on the side that fixes its level.
bool anchored_by_side(const Run &run, const Grid &grid, const Field &field, int side_number) {
    const auto &cells = grid.cells;
    const Side &side = field.sides[side_number];
    const bool upper = side_number % 2 == 1;
    const auto held = [&](std::int64_t face) { return face_condition(side, face).fixes_level(); };
    const auto any_held = [&](std::int64_t first_face) {
        for (std::int64_t x = run.begin; x < run.end; ++x) {
            if (held(first_face + x)) {
                return true;
            }
        }
        return false;
    };
    switch (side_number / 2) {
        case 0:
            return (upper ? run.end == cells[0] : run.begin == 0) && held(run.y + cells[1] * run.z);
        case 1:
            return run.y == (upper ? cells[1] - 1 : 0) && any_held(cells[0] * run.z);
        default:
            return run.z == (upper ? cells[2] - 1 : 0) && any_held(cells[0] * run.y);
    }
}

bool anchored_by_sigma(const Run &run, const Grid &grid, const Field &field) {
    const std::int64_t row = grid.index(0, run.y, run.z);
    for (std::int64_t x = run.begin; x < run.end; ++x) {
        if (field.sigma[row + x] > 0.0) {
            return true;
        }
    }
    return false;
}

std::vector<std::uint8_t> find_anchored_parts(const ConnectedRuns &runs, const Grid &grid,
                                              const Field &field) {
    std::vector<std::uint8_t> anchored(static_cast<std::size_t>(runs.parts()), 0);
    std::vector<int> level_sides;
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        if (fixes_level(field.sides[side])) {
            level_sides.push_back(side);
        }
    }
    const bool look_at_sigma = any_positive(field.sigma);
    runs.for_each_in_parallel([&](const Run &run) {
        const std::atomic_ref<std::uint8_t> is_anchored(
            anchored[run.part]);  // relaxed: all that set it say the same
        if (is_anchored.load(std::memory_order_relaxed) != 0) {
            return;
        }
        const bool held = std::any_of(level_sides.begin(), level_sides.end(),
                                      [&](int side) { return anchored_by_side(run, grid, field, side); });
        if (held || (look_at_sigma && anchored_by_sigma(run, grid, field))) {
            is_anchored.store(1, std::memory_order_relaxed);
        }
    });
    return anchored;
}

void activate(const ConnectedRuns &runs, const std::vector<std::uint8_t> &anchored, const Grid &grid,
              LargeVector<std::uint8_t> &active) {
    runs.for_each_in_parallel([&](const Run &run) {
        if (anchored[run.part] != 0) {
            const auto row = active.begin() + grid.index(0, run.y, run.z);
            std::fill(row + run.begin, row + run.end, std::uint8_t{1});
        }
    });
}

void activate_positive(const Samples &samples, LargeVector<std::uint8_t> &active) {
    if (samples.uniform() && !(samples[0] > 0.0)) {
        return;
    }
    in_parallel(static_cast<std::int64_t>(active.size()), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            active[i] |= static_cast<std::uint8_t>(samples[i] > 0.0);
        }
    });
}

std::int64_t count_zeros(const LargeVector<std::uint8_t> &values) {
    std::atomic<std::int64_t> count = 0;
    in_parallel(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
        count += std::count(values.begin() + begin, values.begin() + end, std::uint8_t{0});
    });
    return count;
}

}  // namespace

ActiveCells find_active_cells(const Grid &grid, const Field &field) {
    ActiveCells result;
    result.pinned = !field.in_time && !has_anchor(field);
    if (all_positive(field.a)) {  // all cells are connected
        result.parts = result.pinned ? 1 : 0;
        return result;
    }
    result.active = filled_vector<std::uint8_t>(static_cast<std::size_t>(grid.count()), 0);
    activate_positive(field.sigma, result.active);
    if (field.in_time) {
        activate_positive(field.a, result.active);
    } else if (result.pinned) {
        const ConnectedRuns runs(grid, field);
        activate_positive(field.a, result.active);
        result.parts = runs.parts();
        result.part = runs.part_of_cells();
    } else {
        const ConnectedRuns runs(grid, field);
        activate(runs, find_anchored_parts(runs, grid, field), grid, result.active);
    }
    result.excluded = count_zeros(result.active);
    if (result.excluded == 0 && !result.pinned) {
        result.active = {};
    }
    return result;
}

std::vector<ActiveCells> find_active_cells(const Problem &problem) {
    std::vector<ActiveCells> of_fields(problem.fields.size());
    if (problem.system) {
        return of_fields;  // a system steps every cell
    }
    for (std::size_t i = 0; i < of_fields.size(); ++i) {
        if (problem.fields[i].cells_of == i) {
            of_fields[i] = find_active_cells(problem.grid, problem.fields[i]);
        }
    }
    for (std::size_t i = 0; i < of_fields.size(); ++i) {
        if (problem.fields[i].cells_of != i) {
            of_fields[i] = of_fields.at(problem.fields[i].cells_of);
        }
    }
    return of_fields;
}

std::int64_t count_excluded(const std::vector<ActiveCells> &of_fields) {
    std::int64_t excluded = of_fields.front().excluded;
    for (const ActiveCells &cells : of_fields) {
        excluded = std::min(excluded, cells.excluded);
    }
    if (of_fields.size() == 1 || excluded == 0) {
        return excluded;
    }
    std::atomic<std::int64_t> nowhere = 0;
    in_parallel(static_cast<std::int64_t>(of_fields.front().active.size()),
                [&](std::int64_t begin, std::int64_t end) {
                    std::int64_t here = 0;
                    for (std::int64_t cell = begin; cell < end; ++cell) {
                        const bool anywhere =
                            std::any_of(of_fields.begin(), of_fields.end(),
                                        [cell](const ActiveCells &cells) { return cells.is_active(cell); });
                        here += anywhere ? 0 : 1;
                    }
                    nowhere += here;
                });
    return nowhere;
}

}  // namespace perdure
