// Connected parts of an image that repeats along all axes, and along which axes each of them extends without end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/connected_runs.hpp"

namespace perdure {

/// A part extends without end along an axis if a path within it leads from a cell to the same cell of another period along that axis: to
/// touch both faces of the box is not enough, because the two ends need not meet.
class PeriodicParts {
  public:
    /// Cells are alike if they conduct, or `by_material`, if they are of one material. `dimensions` axes repeat.
    PeriodicParts(const Grid &grid, const MaterialImage &image, bool by_material);

    [[nodiscard]] std::int32_t parts() const { return parts_; }

    /// Calls visit(run, endless) for every run, in several threads: run.part is a part of the repeating image, and bit k of `endless` says
    /// that it extends without end along axis k.
    template <class Visit>
    void for_each_in_parallel(Visit visit) const {
        runs_.for_each_in_parallel([&](Run run) {
            const std::uint8_t endless = endless_[static_cast<std::size_t>(run.part)];
            run.part = part_[static_cast<std::size_t>(run.part)];
            visit(run, endless);
        });
    }

  private:
    using Periods = std::array<std::int32_t, 3>;

    /// A part of the box in a union-find forest: the root of its tree, and how many periods it lies above the root.
    struct Place {
        std::int32_t root;
        Periods above;
    };
    Place find(std::int32_t part);
    void join_across(const Grid &grid, int axis);
    void join(std::int32_t part, std::int32_t next, int axis);
    void number_parts();

    ConnectedRuns runs_;                 // of the box
    std::vector<std::int32_t> parent_;   // of each part of the box
    std::vector<Periods> above_;         // its parent
    std::vector<std::uint8_t> endless_;  // of roots while parts are joined, then of each part of the box
    std::vector<std::int32_t> part_;     // of the repeating image, of each part of the box
    std::int32_t parts_ = 0;
};

}  // namespace perdure
