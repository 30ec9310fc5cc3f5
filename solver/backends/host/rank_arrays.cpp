#include "solver/backends/host/rank_arrays.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "kernels/shares.h"
#include "solver/failure.hpp"

namespace perdure::host {
namespace {

/// Planes of a level that what a rank has of the next one looks beyond its own: two for the cells that interpolation brings there, one for
/// the stencil, and one by which the parts of two levels may differ.
constexpr std::int64_t reach_of_cycles = 4;
constexpr std::int64_t everywhere = std::numeric_limits<std::int64_t>::max();
/// A level of fewer cells takes less time to compute than to exchange after each step. So does one that transforms solve: to share it takes two
/// exchanges more than to send its right-hand side to all, 3.3 us each on GPUs, and between two ranks as many bytes, 4 a cell. It saves half of
/// 70 ps a cell on a GPU (solver/run/direct_level.cpp), which is as much at 57^3 cells, and of 0.15 us on a thread of a host, 2.5 ms at 32^3.
constexpr std::uint32_t least_cells_shared = 32 * 32 * 32;
constexpr std::uint32_t least_planes_shared = 2;  // of each rank

/// b of level 0 of a cycle that is not in a precision of its own.
constexpr std::array<std::string_view, 4> right_sides_of_cycles{"b", "r_even", "r_odd", "p"};

/// Of an array of the run: number `slot` of the `slots` in its buffer.
std::uint32_t number_of(std::string_view name, std::size_t slot, std::size_t slots) {
    if (name == "rates") {
        return slot == 0           ? RANK_FIRST_RATES
               : slot == 1         ? RANK_SECOND_RATES
               : slot + 1 == slots ? RANK_LAST_RATES
                                   : RANK_OTHERS;
    }
    constexpr std::array<std::pair<std::string_view, std::uint32_t>, 8> numbers{
        {{"x", RANK_X},
         {"q", RANK_Q},
         {"b", RANK_B},
         {"p", RANK_P},
         {"s", RANK_S},
         {"t", RANK_S},
         {"stage_values_even", RANK_EVEN_STAGES},
         {"stage_values_odd", RANK_ODD_STAGES}}};
    for (const auto &[known, number] : numbers) {
        if (name == known) {
            return number;
        }
    }
    return name.ends_with("_even") ? RANK_EVEN : name.ends_with("_odd") ? RANK_ODD : RANK_OTHERS;
}

std::uint32_t planes_in(const run_parameters_t &grid) {
    return grid.dimensions == 3 ? grid.nz : grid.ny;
}

bool is_periodic_across(const run_parameters_t &grid) {
    return (grid.dimensions == 3 ? grid.periodic_z : grid.periodic_y) != 0;
}

std::size_t bytes_of_real(const KernelCall &call) {
    return call.precision == Precision::float32 ? sizeof(float) : sizeof(double);
}
std::size_t bytes_of_cycle(const KernelCall &call) {
    return call.precision == Precision::float64 ? sizeof(double) : sizeof(float);
}

}  // namespace

RankArrays::RankArrays(const KernelCall &call, const std::vector<double> &cuts, int rank,
                       const run_parameters_t &grid, const hierarchy_t *hierarchy)
    : rank_(rank), planes_(planes_between(cuts, planes_in(grid), is_periodic_across(grid))) {
    if (hierarchy != nullptr) {
        count_shared_levels(*hierarchy);
        add_levels(call, *hierarchy);
    }
    add_arrays_of_run(call, grid.cells, hierarchy != nullptr);
}

std::vector<std::int64_t> RankArrays::ends_of(std::uint32_t planes) const {
    std::vector<std::int64_t> ends;
    for (const std::int64_t end : planes_.ends()) {
        ends.push_back(cut_of(planes, static_cast<double>(end) / static_cast<double>(planes_.count())));
    }
    return ends;
}

std::vector<std::size_t> RankArrays::ends_in_bytes(const RankArray &array) const {
    std::vector<std::size_t> ends;
    for (const std::int64_t end : planes_.ends()) {
        ends.push_back(static_cast<std::size_t>(end) * array.plane_bytes);
    }
    return ends;
}

ByteRange RankArrays::own_bytes(const RankArray &array) const {
    const auto planes = planes_.end_of(rank_) - planes_.begin_of(rank_);
    return {static_cast<std::size_t>(planes_.begin_of(rank_)) * array.plane_bytes,
            static_cast<std::size_t>(planes) * array.plane_bytes};
}

std::vector<const RankArray *> RankArrays::within(std::size_t buffer, std::size_t offset,
                                                  std::size_t bytes) const {
    std::vector<const RankArray *> found;
    for (const RankArray &array : list_) {
        const std::size_t end = array.offset + ends_in_bytes(array).back();
        if (!array.is_of_run() || array.buffer != buffer || array.offset >= offset + bytes || end <= offset) {
            continue;
        }
        if (array.offset < offset || end > offset + bytes) {
            throw Failure(ExitCode::differs_or_internal,
                          "internal error: ranks read a part of an array of which each has a part");
        }
        found.push_back(&array);
    }
    return found;
}

std::uint64_t RankArrays::of_finest() const {
    const std::uint32_t end = rank_number_of_level(1, 0);
    return rank_bit(end) - 1;
}

void RankArrays::add_arrays_of_run(const KernelCall &call, std::uint32_t cells, bool has_cycles) {
    const std::int64_t reach_of_right_side = shared_levels_ == 0           ? everywhere
                                             : shared_above_coarsest_ == 0 ? call.reach  // no sweeps
                                                                           : reach_of_cycles;
    const std::size_t array_bytes = cells * bytes_of_real(call);
    const std::size_t plane_bytes = array_bytes / static_cast<std::size_t>(planes_.count());
    const std::optional<std::size_t> fields = call.find("u_even");  // of a system: all that a slot has
    const std::size_t slot_bytes = fields ? call.buffers[*fields].bytes : array_bytes;
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        const KernelBuffer &buffer = call.buffers[i];
        if (buffer.among_ranks != AmongRanks::cells) {
            continue;
        }
        const bool is_right_side = has_cycles && std::ranges::count(right_sides_of_cycles, buffer.name) > 0;
        const PlaneTransfers transfers =
            planes_.transfers(rank_, is_right_side ? reach_of_right_side : call.reach);
        for (std::size_t begin = 0; begin + array_bytes <= buffer.bytes; begin += array_bytes) {
            const std::uint32_t number =
                number_of(buffer.name, begin / slot_bytes, buffer.bytes / slot_bytes);
            list_.push_back({number, i, begin, plane_bytes, transfers});
        }
    }
}

bool RankArrays::can_share(const run_parameters_t &level) const {
    return level.cells > least_cells_shared &&
           planes_in(level) >= least_planes_shared * planes_.ends().size();
}

/// Where the lines along the last axis end that each rank transforms, as kernels cut them: kernels/multigrid/line_parts.h.
std::vector<std::size_t> RankArrays::line_ends_of(const run_parameters_t &level) const {
    const std::uint32_t lines = level.cells / planes_in(level);
    std::vector<std::size_t> ends;
    for (const std::int64_t end : planes_.ends()) {
        ends.push_back(cut_of_lines(lines, static_cast<double>(end) / static_cast<double>(planes_.count())));
    }
    return ends;
}

/// Each rank has lines along every axis to transform, along x and along the last one as many as tiles of products ask for
/// (kernels/multigrid/transform_matrix_units.h).
bool RankArrays::can_share_lines(const run_parameters_t &level) const {
    const std::vector<std::int64_t> ends = ends_of(planes_in(level));
    const std::vector<std::size_t> line_ends = line_ends_of(level);
    const std::size_t rows = level.dimensions == 3 ? level.ny : 1;
    bool can = true;
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        const auto planes = static_cast<std::size_t>(ends[rank] - (rank > 0 ? ends[rank - 1] : 0));
        can = can && planes * rows >= LINES_TOGETHER &&
              line_ends[rank] - (rank > 0 ? line_ends[rank - 1] : 0) >= LINES_TOGETHER;
    }
    return can;
}

void RankArrays::count_shared_levels(const hierarchy_t &hierarchy) {
    while (shared_levels_ + 1 < hierarchy.levels && can_share(hierarchy.level[shared_levels_].grid)) {
        ++shared_levels_;
    }
    shared_above_coarsest_ = shared_levels_;
    const run_parameters_t &coarsest = hierarchy.level[hierarchy.levels - 1].grid;
    if (shared_levels_ + 1 == hierarchy.levels && hierarchy.transformed != 0 && can_share(coarsest) &&
        can_share_lines(coarsest)) {
        ++shared_levels_;
    }
}

/// Of the first level that each rank computes as a whole, all of its right-hand side is needed; where that is level 0, all that phases with
/// sums make of it. A level that ranks solve together by transforms begins with lines in a rank's planes of its right-hand side.
void RankArrays::add_levels(const KernelCall &call, const hierarchy_t &hierarchy) {
    const std::size_t arena = call.place_of("arena"), bytes = bytes_of_cycle(call);
    for (std::uint32_t number = 0; number <= std::min(shared_levels_, hierarchy.levels - 1); ++number) {
        const level_entry_t &level = hierarchy.level[number];
        const bool is_shared = number < shared_levels_;
        const bool by_lines = is_shared && number + 1 == hierarchy.levels;
        const PlanesOfRanks planes(ends_of(planes_in(level.grid)), is_periodic_across(level.grid));
        const std::int64_t reach = by_lines && number == 0 ? call.reach : reach_of_cycles;
        const PlaneTransfers transfers = planes.transfers(rank_, is_shared ? reach : everywhere);
        const std::size_t plane_bytes = level.grid.cells / planes_in(level.grid) * bytes;
        const auto add = [&](std::uint32_t array, std::uint64_t entry) {
            list_.push_back(
                {rank_number_of_level(number, array), arena, entry * bytes, plane_bytes, transfers});
        };
        if (!by_lines && (number > 0 || hierarchy.rounded != 0)) {
            add(RANK_LEVEL_B, level.b);
        }
        const std::uint32_t copies = level.u[0] == level.u[1] ? 1 : 2;
        for (std::uint32_t copy = 0; copy < copies; ++copy) {
            if (is_shared || (number == 0 && hierarchy.levels > 1)) {
                add(RANK_LEVEL_U + copy, level.u[copy]);
            }
            if (by_lines) {
                add_lines(hierarchy, copy, bytes, arena);
            }
        }
    }
}

/// Copy number `copy` of u on the coarsest level, of `bytes` a cell, in a buffer. Only fast transforms store values where other ranks need them.
void RankArrays::add_lines(const hierarchy_t &hierarchy, std::uint32_t copy, std::size_t bytes,
                           std::size_t buffer) {
    const level_entry_t &level = hierarchy.level[hierarchy.levels - 1];
    const std::uint32_t last = level.grid.dimensions - 1;
    const std::vector<std::int64_t> planes = ends_of(planes_in(level.grid));
    std::vector<std::size_t> ends = line_ends_of(level.grid);
    owners_.clear();
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        owners_.push_back(
            {static_cast<std::uint32_t>(ends[rank]), static_cast<std::uint32_t>(planes[rank]), 0});
        ends[rank] *= bytes;
    }
    const std::size_t plane_bytes = level.grid.cells / planes_in(level.grid) * bytes;
    const LineTransfers there = transfers_to_lines(planes, ends, plane_bytes, level.u[copy] * bytes, rank_);
    const auto stored = [&](std::uint32_t axis, std::uint32_t bit) {
        return hierarchy.lines[axis].kind != LINES_OTHER ? bit : 0;
    };
    lines_.push_back({RANK_PLANES_TO_LINES + copy, buffer, stored(last - 1, STORES_LINES), there});
    lines_.push_back(
        {RANK_LINES_TO_PLANES + copy, buffer, stored(last, STORES_PLANES), {there.received, there.sent}});
}

std::uint32_t RankArrays::storable() const {
    std::uint32_t bits = 0;
    for (const RankLines &lines : lines_) {
        bits |= lines.stored;
    }
    return owners_.size() <= MOST_OWNERS ? bits : 0;
}

}  // namespace perdure::host
