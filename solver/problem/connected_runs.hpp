// Finds connected parts of the conducting cells, using runs along x instead of single cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/in_parallel.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Cells begin <= x < end of row (y, z), all of one kind.
struct Run {
    std::int64_t begin, end, y, z;
    std::int32_t part;
};

/// Part and kind of a cell; of one that belongs to no run -1 and 0.
struct RunOfCell {
    std::int32_t part;
    std::uint8_t kind;
};

/// Joins cells of one kind that share a face. Parts are numbered by their first cell. Each thread joins runs of
/// neighbouring rows among themselves, then one joins what lies at the borders: the parts and their numbers are the same for any number
/// of threads. Needs about 16 bytes per run; a grid of n cells has at most n / 2 + rows of them.
class ConnectedRuns {
  public:
    /// Of cells with a > 0; cells at two periodic sides share a face.
    ConnectedRuns(const Grid &grid, const Field &field);
    /// Of cells that conduct or, `by_material`, of those of each material; no side is periodic.
    ConnectedRuns(const Grid &grid, const MaterialImage &image, bool by_material);

    [[nodiscard]] std::int32_t parts() const { return parts_; }

    /// Calls visit(const Run &) for every run, in several threads; those of a row in their order, by one.
    template <class Visit>
    void for_each_in_parallel(Visit visit) const {
        in_parallel(rows(), cells_[0] * rows(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                for (std::int64_t i = first_of_row_[row]; i < first_of_row_[row + 1]; ++i) {
                    visit(Run{ranges_[i].begin, ranges_[i].end, row % cells_[1], row / cells_[1], part_[i]});
                }
            }
        });
    }

    /// Part of every cell, -1 where it belongs to no run.
    [[nodiscard]] std::vector<std::int32_t> part_of_cells() const;

    [[nodiscard]] RunOfCell run_of(std::int64_t x, std::int64_t y, std::int64_t z) const;

  private:
    struct Range {
        std::int32_t begin, end;
    };

    /// Rows [begin, end).
    struct Rows {
        std::int64_t begin, end;
    };

    [[nodiscard]] std::int64_t rows() const { return cells_[1] * cells_[2]; }
    template <class KindOf>
    void find_runs(const KindOf &kind_of);
    [[nodiscard]] bool alike(std::int64_t run, std::int64_t other) const {
        return kind_[run] == kind_[other];
    }
    void join_rows(std::int64_t row, std::int64_t other);
    void join_ends_of_row(std::int64_t row);
    void join_neighbours(const std::array<bool, 3> &periodic);
    void join_row(std::int64_t row, const std::array<bool, 3> &periodic, Rows inside, bool join_inside);
    void number_parts();
    std::int32_t root(std::int32_t run);
    void join(std::int32_t run, std::int32_t other);

    std::array<std::int64_t, 3> cells_;  // cells along x, y, z; row = y + cells_[1] * z
    std::vector<Range> ranges_;
    std::vector<std::uint8_t> kind_;  // of every run, > 0
    std::vector<std::int64_t> first_of_row_;
    std::vector<std::int32_t> parent_;  // union-find towards the lowest run
    std::vector<std::int32_t> part_;    // of every run
    std::int32_t parts_ = 0;
};

}  // namespace perdure
