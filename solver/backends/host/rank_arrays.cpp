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
/// A level of fewer cells takes less time to compute than to exchange after each step.
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

std::uint32_t count_shared_levels(const hierarchy_t &hierarchy, std::size_t ranks) {
    std::uint32_t shared = 0;
    while (shared + 1 < hierarchy.levels && hierarchy.level[shared].grid.cells > least_cells_shared &&
           planes_in(hierarchy.level[shared].grid) >= least_planes_shared * ranks) {
        ++shared;
    }
    return shared;
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
    const std::int64_t reach_of_right_side = shared_levels_ > 0 ? reach_of_cycles : everywhere;
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

/// Of the first level that each rank computes as a whole, all of its right-hand side is needed; where that is level 0, all that phases with
/// sums make of it.
void RankArrays::add_levels(const KernelCall &call, const hierarchy_t &hierarchy) {
    const std::size_t arena = call.place_of("arena"), bytes = bytes_of_cycle(call);
    shared_levels_ = count_shared_levels(hierarchy, planes_.ends().size());
    for (std::uint32_t number = 0; number <= shared_levels_; ++number) {
        const level_entry_t &level = hierarchy.level[number];
        const bool is_shared = number < shared_levels_;
        const PlanesOfRanks planes(ends_of(planes_in(level.grid)), is_periodic_across(level.grid));
        const PlaneTransfers transfers = planes.transfers(rank_, is_shared ? reach_of_cycles : everywhere);
        const std::size_t plane_bytes = level.grid.cells / planes_in(level.grid) * bytes;
        const auto add = [&](std::uint32_t array, std::uint64_t entry) {
            list_.push_back(
                {rank_number_of_level(number, array), arena, entry * bytes, plane_bytes, transfers});
        };
        if (number > 0 || hierarchy.rounded != 0) {
            add(RANK_LEVEL_B, level.b);
        }
        if (is_shared || (number == 0 && hierarchy.levels > 1)) {
            add(RANK_LEVEL_U, level.u[0]);
            add(RANK_LEVEL_SECOND_U, level.u[1]);
        }
    }
}

}  // namespace perdure::host
