// Connected parts of the conducting cells, found over runs along x instead of single cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/problem.hpp"

namespace perdure {

/// Cells begin <= x < end of row (y, z), all with a > 0.
struct Run {
    std::int64_t begin, end, y, z;
    std::int32_t part;
};

/// Joins cells with a > 0 that share a face, periodic wraps included. Parts are numbered by their first cell.
/// Needs about 12 bytes per run; a grid of n cells has at most n / 2 + rows of them.
class ConnectedRuns {
  public:
    explicit ConnectedRuns(const Grid &grid, const Field &field);

    [[nodiscard]] std::int32_t parts() const { return parts_; }

    /// Calls visit(const Run &) for every run in the order of its cells.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::int64_t row = 0; row < cells_[1] * cells_[2]; ++row) {
            for (std::int64_t i = first_of_row_[row]; i < first_of_row_[row + 1]; ++i) {
                visit(Run{ranges_[i].begin, ranges_[i].end, row % cells_[1], row / cells_[1], parent_[i]});
            }
        }
    }

    /// Part of every cell, -1 where a = 0.
    [[nodiscard]] std::vector<std::int32_t> part_of_cells() const;

  private:
    struct Range {
        std::int32_t begin, end;
    };

    void find_runs(const Samples &a);
    void join_rows(std::int64_t row, std::int64_t other);
    void join_ends_of_rows(std::int64_t width);
    void join_neighbours(const std::array<bool, 3> &periodic);
    void number_parts();
    std::int32_t root(std::int32_t run);
    void join(std::int32_t run, std::int32_t other);

    std::array<std::int64_t, 3> cells_;  // cells along x, y, z; row = y + cells_[1] * z
    std::vector<Range> ranges_;
    std::vector<std::int64_t> first_of_row_;
    std::vector<std::int32_t> parent_;  // union-find towards the lowest run; the part once numbered
    std::int32_t parts_ = 0;
};

}  // namespace perdure
