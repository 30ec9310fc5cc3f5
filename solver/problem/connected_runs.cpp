#include "solver/problem/connected_runs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {
namespace {

/// Calls use(begin, end, kind) for the runs of the row of `width` cells from `offset` on; cells of kind 0 belong to none.
template <class KindOf, class Use>
void for_each_run_of_row(const KindOf &kind_of, std::int64_t offset, std::int64_t width, const Use &use) {
    for (std::int64_t x = 0; x < width;) {
        const std::int64_t begin = x;
        const std::uint8_t kind = kind_of(offset + x);
        do {
            ++x;
        } while (x < width && kind_of(offset + x) == kind);
        if (kind != 0) {
            use(begin, x, kind);
        }
    }
}

}  // namespace

ConnectedRuns::ConnectedRuns(const Grid &grid, const Field &field) : cells_(grid.cells) {
    find_runs([&a = field.a](std::int64_t cell) { return static_cast<std::uint8_t>(a[cell] > 0.0); });
    std::array<bool, 3> periodic{};
    for (int axis = 0; axis < 3; ++axis) {
        periodic[axis] = is_periodic(field.sides, axis);
    }
    join_neighbours(periodic);
    number_parts();
}

ConnectedRuns::ConnectedRuns(const Grid &grid, const MaterialImage &image, bool by_material)
    : cells_(grid.cells) {
    if (by_material) {
        find_runs(
            [&of = image.of_cell](std::int64_t cell) { return static_cast<std::uint8_t>(of[cell] + 1); });
    } else {
        find_runs([&of = image.of_cell, conducting = image.conducting()](std::int64_t cell) {
            return static_cast<std::uint8_t>(of[cell] < conducting);
        });
    }
    join_neighbours({});
    number_parts();
}

template <class KindOf>
void ConnectedRuns::find_runs(const KindOf &kind_of) {
    const std::int64_t width = cells_[0];
    first_of_row_.assign(static_cast<std::size_t>(rows() + 1), 0);
    in_parallel(rows(), width * rows(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            std::int64_t &count = first_of_row_[row + 1];
            for_each_run_of_row(kind_of, row * width, width,
                                [&](std::int64_t, std::int64_t, std::uint8_t) { ++count; });
        }
    });
    std::partial_sum(first_of_row_.begin(), first_of_row_.end(), first_of_row_.begin());
    if (first_of_row_.back() > std::numeric_limits<std::int32_t>::max()) {
        throw Failure(ExitCode::bad_input,
                      "the image has more than 2147483647 segments of conducting cells along x; use a "
                      "smaller part of it");
    }
    const auto runs = static_cast<std::size_t>(first_of_row_.back());
    ranges_.resize(runs);
    kind_.resize(runs);
    parent_.resize(runs);
    part_.resize(runs);
    in_parallel(rows(), width * rows(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            std::int64_t run = first_of_row_[row];
            for_each_run_of_row(
                kind_of, row * width, width, [&](std::int64_t first, std::int64_t last, std::uint8_t kind) {
                    kind_[run] = kind;
                    ranges_[run] = {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
                    parent_[run] = static_cast<std::int32_t>(run);
                    ++run;
                });
        }
    });
}

std::int32_t ConnectedRuns::root(std::int32_t run) {
    while (parent_[run] != run) {
        parent_[run] = parent_[parent_[run]];
        run = parent_[run];
    }
    return run;
}

void ConnectedRuns::join(std::int32_t run, std::int32_t other) {
    const auto [low, high] = std::minmax({root(run), root(other)});
    parent_[high] = low;
}

void ConnectedRuns::join_rows(std::int64_t row, std::int64_t other) {
    std::int64_t i = first_of_row_[row];
    std::int64_t j = first_of_row_[other];
    while (i < first_of_row_[row + 1] && j < first_of_row_[other + 1]) {
        if (alike(i, j) && ranges_[i].begin < ranges_[j].end && ranges_[j].begin < ranges_[i].end) {
            join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
        }
        if (ranges_[i].end < ranges_[j].end) {
            ++i;
        } else {
            ++j;
        }
    }
}

void ConnectedRuns::join_ends_of_row(std::int64_t row) {
    const std::int64_t first = first_of_row_[row];
    const std::int64_t last = first_of_row_[row + 1] - 1;
    if (first < last && alike(first, last) && ranges_[first].begin == 0 && ranges_[last].end == cells_[0]) {
        join(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
    }
}

/// With the rows behind it along y and z, of these either those that lie inside the given ones or the others.
void ConnectedRuns::join_row(std::int64_t row, const std::array<bool, 3> &periodic, Rows inside,
                             bool join_inside) {
    const auto [nx, ny, nz] = cells_;
    const std::int64_t y = row % ny;
    const std::int64_t z = row / ny;
    const auto join_with = [&](std::int64_t other) {
        if ((other >= inside.begin && other < inside.end) == join_inside) {
            join_rows(row, other);
        }
    };
    if (join_inside && periodic[0]) {
        join_ends_of_row(row);
    }
    if (y + 1 < ny || periodic[1]) {
        join_with((y + 1) % ny + ny * z);
    }
    if (z + 1 < nz || periodic[2]) {
        join_with(y + ny * ((z + 1) % nz));
    }
}

void ConnectedRuns::join_neighbours(const std::array<bool, 3> &periodic) {
    const std::int64_t threads = std::min(rows(), threads_for(cells_[0] * rows()));
    const auto rows_of = [&](std::int64_t thread) {
        return Rows{rows() * thread / threads, rows() * (thread + 1) / threads};
    };
    in_threads(threads, [&](std::int64_t thread) {
        const Rows inside = rows_of(thread);
        for (std::int64_t row = inside.begin; row < inside.end; ++row) {
            join_row(row, periodic, inside, true);
        }
    });
    for (std::int64_t thread = 0; thread < threads; ++thread) {
        const Rows inside = rows_of(thread);
        for (std::int64_t row = inside.begin; row < inside.end; ++row) {
            join_row(row, periodic, inside, false);
        }
    }
}

void ConnectedRuns::number_parts() {
    const auto runs = static_cast<std::int64_t>(parent_.size());
    const std::int64_t threads = threads_for(runs);
    const auto begin_of = [&](std::int64_t thread) { return runs * thread / threads; };
    std::vector<std::int32_t> roots_before(static_cast<std::size_t>(threads + 1), 0);
    in_threads(threads, [&](std::int64_t thread) {
        std::int32_t roots = 0;
        for (std::int64_t run = begin_of(thread); run < begin_of(thread + 1); ++run) {
            std::int32_t root = parent_[run];
            while (parent_[root] != root) {
                root = parent_[root];
            }
            part_[run] = root;
            roots += root == run ? 1 : 0;
        }
        roots_before[thread + 1] = roots;
    });
    std::partial_sum(roots_before.begin(), roots_before.end(), roots_before.begin());
    parts_ = roots_before.back();
    in_threads(threads, [&](std::int64_t thread) {
        std::int32_t number = roots_before[thread];
        for (std::int64_t run = begin_of(thread); run < begin_of(thread + 1); ++run) {
            if (part_[run] == run) {
                parent_[run] = number++;
            }
        }
    });
    in_threads(threads, [&](std::int64_t thread) {
        for (std::int64_t run = begin_of(thread); run < begin_of(thread + 1); ++run) {
            part_[run] = parent_[part_[run]];
        }
    });
}

RunOfCell ConnectedRuns::run_of(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t row = y + cells_[1] * z;
    const auto begin = ranges_.begin() + first_of_row_[row], end = ranges_.begin() + first_of_row_[row + 1];
    const auto run = std::partition_point(begin, end, [x](const Range &range) { return range.end <= x; });
    if (run == end || run->begin > x) {
        return {-1, 0};
    }
    const std::int64_t number = run - ranges_.begin();
    return {part_[number], kind_[number]};
}

std::vector<std::int32_t> ConnectedRuns::part_of_cells() const {
    auto part = zeros<std::int32_t>(static_cast<std::size_t>(cells_[0] * rows()));
    in_parallel(static_cast<std::int64_t>(part.size()), [&](std::int64_t begin, std::int64_t end) {
        std::fill(part.begin() + begin, part.begin() + end, -1);
    });
    for_each_in_parallel([&](const Run &run) {
        const auto row = part.begin() + cells_[0] * (run.y + cells_[1] * run.z);
        std::fill(row + run.begin, row + run.end, run.part);
    });
    return part;
}

}  // namespace perdure
