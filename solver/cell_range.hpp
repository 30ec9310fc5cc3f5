// Some of the cells of a grid.
#pragma once

#include <cstdint>

namespace perdure {

/// Cells that follow each other.
struct CellRange {
    std::int64_t first, count;
};

}  // namespace perdure
