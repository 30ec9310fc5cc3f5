// Memory of sync/grid_sync.h for one launch size, zeroed and aligned to cache lines.
#pragma once

#include <cstdint>
#include <vector>

#include "sync/grid_sync.h"

namespace perdure::tests {

class GridSyncMemory {
  public:
    explicit GridSyncMemory(std::uint32_t groups)
        : groups_(groups), lines_((grid_sync_bytes(groups) + sizeof(Line) - 1) / sizeof(Line)) {}

    [[nodiscard]] grid_sync_t *get() const { return reinterpret_cast<grid_sync_t *>(lines_.data()); }
    grid_sync_t *operator->() const { return get(); }
    /// Words of the groups in a row (ROW_LEFT ...), from any thread.
    [[nodiscard]] uint32 *row(std::uint32_t row) const {
        return reinterpret_cast<uint32 *>(get() + 1) + row * row_words(groups_);
    }
    /// First words of the tree's nodes, level after level, WORDS_PER_LINE apart.
    [[nodiscard]] uint32 *nodes() const { return row(GROUP_ROWS); }
    [[nodiscard]] std::uint32_t node_count() const {
        return static_cast<std::uint32_t>(lines_.size() -
                                          static_cast<std::size_t>(nodes() - first()) / WORDS_PER_LINE);
    }

  private:
    struct alignas(sizeof(uint32) * WORDS_PER_LINE) Line {
        uint32 words[WORDS_PER_LINE] = {};
    };
    [[nodiscard]] uint32 *first() const { return lines_.data()->words; }

    std::uint32_t groups_;
    mutable std::vector<Line> lines_;
};

}  // namespace perdure::tests
