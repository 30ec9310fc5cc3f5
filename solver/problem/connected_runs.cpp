#include "solver/problem/connected_runs.hpp"

#include <algorithm>
#include <limits>

#include "solver/boundary_conditions/boundary_condition.hpp"

namespace perdure {

ConnectedRuns::ConnectedRuns(const Grid &grid, const Field &field) : cells_(grid.cells) {
    find_runs(field.a);
    std::array<bool, 3> periodic{};
    for (int axis = 0; axis < 3; ++axis) {
        periodic[axis] = is_periodic(field.sides, axis);
    }
    join_neighbours(periodic);
    number_parts();
}

void ConnectedRuns::find_runs(const Samples &a) {
    const std::int64_t rows = cells_[1] * cells_[2];
    first_of_row_.assign(static_cast<std::size_t>(rows + 1), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t offset = row * cells_[0];
        for (std::int64_t x = 0; x < cells_[0];) {
            if (!(a[offset + x] > 0.0)) {
                ++x;
                continue;
            }
            const std::int64_t begin = x;
            while (x < cells_[0] && (a.uniform() || a[offset + x] > 0.0)) {
                ++x;
            }
            ranges_.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(x)});
        }
        first_of_row_[row + 1] = static_cast<std::int64_t>(ranges_.size());
    }
    if (ranges_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw Failure(ExitCode::bad_input,
                      "the grid holds more than 2147483647 runs of conducting cells along x; "
                      "split the problem");
    }
    parent_.resize(ranges_.size());
    for (std::size_t i = 0; i < parent_.size(); ++i) {
        parent_[i] = static_cast<std::int32_t>(i);
    }
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
        if (ranges_[i].begin < ranges_[j].end && ranges_[j].begin < ranges_[i].end) {
            join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
        }
        if (ranges_[i].end < ranges_[j].end) {
            ++i;
        } else {
            ++j;
        }
    }
}

void ConnectedRuns::join_ends_of_rows(std::int64_t width) {
    for (std::size_t row = 0; row + 1 < first_of_row_.size(); ++row) {
        const std::int64_t first = first_of_row_[row];
        const std::int64_t last = first_of_row_[row + 1] - 1;
        if (first < last && ranges_[first].begin == 0 && ranges_[last].end == width) {
            join(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
        }
    }
}

void ConnectedRuns::join_neighbours(const std::array<bool, 3> &periodic) {
    const auto [nx, ny, nz] = cells_;
    if (periodic[0]) {
        join_ends_of_rows(nx);
    }
    for (std::int64_t z = 0; z < nz; ++z) {
        for (std::int64_t y = 0; y < ny; ++y) {
            if (y + 1 < ny || periodic[1]) {
                join_rows(y + ny * z, (y + 1) % ny + ny * z);
            }
            if (z + 1 < nz || periodic[2]) {
                join_rows(y + ny * z, y + ny * ((z + 1) % nz));
            }
        }
    }
}

void ConnectedRuns::number_parts() {
    for (std::size_t i = 0; i < parent_.size(); ++i) {
        const bool is_root = parent_[i] == static_cast<std::int32_t>(i);
        parent_[i] = is_root ? parts_++ : parent_[parent_[i]];
    }
}

std::vector<std::int32_t> ConnectedRuns::part_of_cells() const {
    std::vector<std::int32_t> part(static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]), -1);
    for_each([&](const Run &run) {
        const auto row = part.begin() + cells_[0] * (run.y + cells_[1] * run.z);
        std::fill(row + run.begin, row + run.end, run.part);
    });
    return part;
}

}  // namespace perdure
