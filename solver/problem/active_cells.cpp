#include "solver/problem/active_cells.hpp"

#include <algorithm>

#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/connected_runs.hpp"

namespace perdure {

namespace {

bool any_positive(const Samples &samples) {
    return std::any_of(samples.values.begin(), samples.values.end(), [](double v) { return v > 0.0; });
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
    runs.for_each([&](const Run &run) {
        const bool held = std::any_of(level_sides.begin(), level_sides.end(),
                                      [&](int side) { return anchored_by_side(run, grid, field, side); });
        if (held || (look_at_sigma && anchored[run.part] == 0 && anchored_by_sigma(run, grid, field))) {
            anchored[run.part] = 1;
        }
    });
    return anchored;
}

void activate(const ConnectedRuns &runs, const std::vector<std::uint8_t> &anchored, const Grid &grid,
              std::vector<std::uint8_t> &active) {
    runs.for_each([&](const Run &run) {
        if (anchored[run.part] != 0) {
            const auto row = active.begin() + grid.index(0, run.y, run.z);
            std::fill(row + run.begin, row + run.end, std::uint8_t{1});
        }
    });
}

void activate_positive(const Samples &samples, std::vector<std::uint8_t> &active) {
    if (!any_positive(samples)) {
        return;
    }
    for (std::size_t i = 0; i < active.size(); ++i) {
        active[i] |= static_cast<std::uint8_t>(samples[static_cast<std::int64_t>(i)] > 0.0);
    }
}

}  // namespace

ActiveCells find_active_cells(const Grid &grid, const Field &field) {
    ActiveCells result;
    result.active.assign(static_cast<std::size_t>(grid.count()), 0);
    activate_positive(field.sigma, result.active);
    if (field.in_time) {
        activate_positive(field.a, result.active);
    } else if (!has_anchor(field)) {
        const ConnectedRuns runs(grid, field);
        activate_positive(field.a, result.active);
        result.pinned = true;
        result.parts = runs.parts();
        result.part = runs.part_of_cells();
    } else {
        const ConnectedRuns runs(grid, field);
        activate(runs, find_anchored_parts(runs, grid, field), grid, result.active);
    }
    result.excluded = std::count(result.active.begin(), result.active.end(), std::uint8_t{0});
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
    if (of_fields.size() == 1) {
        return of_fields.front().excluded;
    }
    std::int64_t excluded = 0;
    for (std::size_t cell = 0; cell < of_fields.front().active.size(); ++cell) {
        const bool anywhere =
            std::any_of(of_fields.begin(), of_fields.end(),
                        [cell](const ActiveCells &cells) { return cells.active[cell] != 0; });
        excluded += anywhere ? 0 : 1;
    }
    return excluded;
}

}  // namespace perdure
