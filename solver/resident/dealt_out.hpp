#pragma once

#include <algorithm>
#include <cstdint>

#include "solver/case_file/config.hpp"
#include "solver/resident/divided_up.hpp"

namespace perdure {

/// How many tiles share `cells` of an axis, `own` each; at sides that are not periodic they own `ring` more. As
/// kernels/resident/deal.h has it.
inline std::int64_t tiles_along(std::int64_t cells, const SideConfig &side, std::int64_t own,
                                std::int64_t ring) {
    const std::int64_t between = cells - (side.kind == SideKind::periodic ? 0 : 2 * ring);
    return divided_up(std::max<std::int64_t>(between, 1), own);
}

/// More rows or planes, and more parts of tiles, take long to deal out, and the cost of more of them all leaves 32 bits: all steps by
/// phases. As kernels/resident/deal.h has it.
constexpr bool can_be_dealt_out(std::int64_t lines, std::int64_t tiles, std::int64_t stretches) {
    return lines <= 1 << 24 && stretches <= 1 << 16 && lines * tiles <= 1 << 25;
}

}  // namespace perdure
