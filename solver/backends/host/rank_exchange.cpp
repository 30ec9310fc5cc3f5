#include "solver/backends/host/rank_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/shares.h"

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

std::uint32_t planes_in(const run_parameters_t &grid) {
    return grid.dimensions == 3 ? grid.nz : grid.ny;
}

std::uint32_t count_shared_levels(const hierarchy_t &hierarchy, std::uint32_t ranks) {
    std::uint32_t shared = 0;
    while (shared + 1 < hierarchy.levels && hierarchy.level[shared].grid.cells > least_cells_shared &&
           planes_in(hierarchy.level[shared].grid) >= least_planes_shared * ranks) {
        ++shared;
    }
    return shared;
}

}  // namespace

RankExchange::RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                           const LaunchShape &shape)
    : ranks_(ranks),
      buffers_(call.buffers),
      memory_(memory),
      cell_bytes_(call.precision == Precision::float32 ? sizeof(float) : sizeof(double)),
      cycle_bytes_(call.precision == Precision::float64 ? sizeof(double) : sizeof(float)),
      reach_(call.reach),
      cuts_(shape.cuts),
      shared_(ranks) {
    context_.index = static_cast<std::uint32_t>(ranks.index());
    context_.count = static_cast<std::uint32_t>(ranks.count());
    context_.exchange = this;
    context_.share_cells = [](rank_context_t *self) {
        static_cast<Context *>(self)->exchange->share_cells();
    };
    context_.share_rows = [](rank_context_t *self, double *values, std::uint32_t rows) {
        static_cast<Context *>(self)->exchange->share_rows(values, rows);
    };
    context_.share_least = [](rank_context_t *self, std::int64_t *words, std::uint32_t count) {
        static_cast<Context *>(self)->exchange->ranks_.least({words, count});
    };
    context_.share_single = [](rank_context_t *self, double *values, std::uint32_t count) {
        static_cast<Context *>(self)->exchange->ranks_.unite(
            {reinterpret_cast<std::uint64_t *>(values), count});
    };
    context_.begin_step = [](rank_context_t *self, std::uint32_t group, std::uint32_t operation,
                             std::uint32_t level, std::uint32_t to, std::uint32_t axis) {
        return static_cast<Context *>(self)->exchange->begin_step(group, operation, level, to, axis);
    };
}

rank_context_t *RankExchange::context(const run_parameters_t &parameters) {
    if (!planes_) {
        set_planes(parameters);
    }
    const auto planes = static_cast<double>(planes_->count());
    context_.begin = static_cast<double>(planes_->begin_of(ranks_.index())) / planes;
    context_.end = static_cast<double>(planes_->end_of(ranks_.index())) / planes;
    context_.stop_request = 0;
    has_launched_ = true;
    return &context_;
}

void RankExchange::set_planes(const run_parameters_t &parameters) {
    for (std::uint32_t rank = 1; rank <= context_.count; ++rank) {
        chunk_ends_.push_back(begin_of_part(parameters.sections, rank, context_.count) *
                              parameters.section_chunks.divisor);
    }
    planes_ = planes_of(parameters);
    const std::optional<std::size_t> hierarchy = place_of("hierarchy"), arena = place_of("arena");
    if (hierarchy && arena) {
        hierarchy_ = reinterpret_cast<const hierarchy_t *>(memory_[*hierarchy]);
        arena_ = memory_[*arena];
        add_levels();
    }
    add_arrays_of_run(parameters.cells);
}

/// Where the planes of each rank end, of so many that the run's grid has, or a level, as kernels cut it: kernels/multigrid/level.h.
std::vector<std::int64_t> RankExchange::ends_of(std::uint32_t planes) const {
    std::vector<std::int64_t> ends;
    for (std::size_t rank = 0; rank < cuts_.size(); ++rank) {
        const double end =
            planes_ ? static_cast<double>(planes_->ends()[rank]) / static_cast<double>(planes_->count())
                    : cuts_[rank];
        ends.push_back(cut_of(planes, end));
    }
    ends.push_back(planes);
    return ends;
}

PlanesOfRanks RankExchange::planes_of(const run_parameters_t &grid) const {
    return {ends_of(planes_in(grid)), (grid.dimensions == 3 ? grid.periodic_z : grid.periodic_y) != 0};
}

std::optional<std::size_t> RankExchange::place_of(std::string_view name) const {
    const auto found = std::ranges::find(buffers_, name, &KernelBuffer::name);
    return found == buffers_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - buffers_.begin()));
}

void RankExchange::add_arrays_of_run(std::uint32_t cells) {
    const bool has_cycles = hierarchy_ != nullptr;
    const std::int64_t reach_of_right_side = shared_levels_ > 0 ? reach_of_cycles : everywhere;
    const auto planes = static_cast<std::size_t>(planes_->count());
    const std::size_t array_bytes = cells * cell_bytes_;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (buffers_[i].among_ranks == AmongRanks::cells) {
            const bool is_right_side =
                has_cycles && std::ranges::count(right_sides_of_cycles, buffers_[i].name) > 0;
            const PlaneTransfers transfers =
                planes_->transfers(ranks_.index(), is_right_side ? reach_of_right_side : reach_);
            for (std::size_t begin = 0; begin + array_bytes <= buffers_[i].bytes; begin += array_bytes) {
                add_array(memory_[i] + begin, array_bytes / planes, 0, Kind::of_run, transfers);
            }
        }
    }
}

/// Of the first level that each rank computes as a whole, all of its right-hand side is needed; where that is level 0, all that phases with
/// sums make of it.
void RankExchange::add_levels() {
    const hierarchy_t &hierarchy = *hierarchy_;
    shared_levels_ = count_shared_levels(hierarchy, context_.count);
    for (std::uint32_t number = 0; number <= shared_levels_; ++number) {
        const level_entry_t &level = hierarchy.level[number];
        const bool is_shared = number < shared_levels_;
        const PlaneTransfers transfers =
            planes_of(level.grid).transfers(ranks_.index(), is_shared ? reach_of_cycles : everywhere);
        const std::size_t plane_bytes = level.grid.cells / planes_in(level.grid) * cycle_bytes_;
        const auto add = [&](std::uint64_t entry, Kind kind) {
            add_array(arena_ + entry * cycle_bytes_, plane_bytes, number, kind, transfers);
        };
        if (number > 0 || hierarchy.rounded != 0) {
            add(level.b, Kind::right_side);
        }
        if (is_shared || (number == 0 && hierarchy.levels > 1)) {
            add(level.u[0], Kind::first_copy);
            add(level.u[1], Kind::second_copy);
        }
    }
}

void RankExchange::add_array(std::byte *values, std::size_t plane_bytes, std::uint32_t level, Kind kind,
                             PlaneTransfers transfers) {
    arrays_.push_back({values, plane_bytes, level, kind});
    shared_.add(values, plane_bytes, std::move(transfers));
}

std::uint32_t RankExchange::begin_step(std::uint32_t group, std::uint32_t operation, std::uint32_t level,
                                       std::uint32_t to, std::uint32_t axis) {
    if (group == 0) {
        changes_ = changes_of(operation, level, to, axis);
        if (operation <= STEP_MODES) {  // setup, which uses the room of copies of u
            shared_.forget_copies();
        }
        if (operation == STEP_RESTRICT_ALONG) {  // which uses that of one
            forget_copy_of(level, to == 1 ? Kind::second_copy : Kind::first_copy);
        }
    }
    return level < shared_levels_ ? 1 : 0;
}

void RankExchange::forget_copy_of(std::uint32_t level, Kind kind) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (arrays_[i].level == level && arrays_[i].kind == kind) {
            shared_.forget_copies_of(i);
        }
    }
}

RankExchange::Changes RankExchange::changes_of(std::uint32_t operation, std::uint32_t level, std::uint32_t to,
                                               std::uint32_t axis) const {
    if (level >= shared_levels_) {
        return {false};
    }
    if (operation <= STEP_DIAGONAL) {
        std::vector<MadeInSetup> made = made_in_setup(*hierarchy_, operation, level, axis);
        return {!made.empty(), level, {}, std::move(made)};
    }
    if (operation == STEP_RESTRICT_ALONG) {  // whose values only the step behind it reads, each rank its own
        return {false};
    }
    if (operation == STEP_RESTRICT || operation == STEP_RESTRICT_ACROSS) {
        return {true, level + 1, Kind::right_side};
    }
    return {true, level, to == 1 ? Kind::second_copy : Kind::first_copy};
}

void RankExchange::share_cells_behind_launch() {
    if (std::exchange(has_launched_, false)) {
        share_cells();
    }
}

/// What the phase before has changed.
void RankExchange::share_cells() {
    const Changes changes = std::exchange(changes_, {});
    if (!changes.in_setup.empty()) {
        share_setup(changes.in_setup);
        return;
    }
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (arrays_[i].level == changes.level && (!changes.kind || arrays_[i].kind == *changes.kind)) {
            changed.push_back(i);
        }
    }
    if (changes.any) {
        shared_.share(changed);
    }
}

/// Every rank gets all, since the next step of the setup may need it anywhere.
void RankExchange::share_setup(const std::vector<MadeInSetup> &made) {
    for (const MadeInSetup &array : made) {
        std::vector<std::size_t> ends;
        for (const std::int64_t end : ends_of(array.planes)) {
            const std::int64_t planes = array.by == MadeInSetup::By::planes  ? end
                                        : array.by == MadeInSetup::By::first ? std::min<std::int64_t>(end, 1)
                                                                             : end / array.planes;
            ends.push_back(static_cast<std::size_t>(planes) * array.plane_entries * cycle_bytes_);
        }
        ranks_.gather(arena_ + array.begin * cycle_bytes_, ends);
    }
}

/// The part of each rank, row after row, stands behind that of the rank before it.
void RankExchange::share_rows(double *values, std::size_t rows) {
    const std::size_t columns = chunk_ends_.back();
    std::vector<std::size_t> ends;
    for (const std::size_t end : chunk_ends_) {
        ends.push_back(rows * end * sizeof(double));
    }
    std::vector<double> packed(rows * columns);
    const auto for_each_part = [&](int rank, const auto &use) {
        const std::size_t begin = rank == 0 ? 0 : chunk_ends_[static_cast<std::size_t>(rank) - 1];
        const std::size_t width = chunk_ends_[static_cast<std::size_t>(rank)] - begin;
        for (std::size_t row = 0; row < rows; ++row) {
            use(values + row * columns + begin, packed.data() + rows * begin + row * width, width);
        }
    };
    for_each_part(ranks_.index(), [](double *of, double *in_message, std::size_t width) {
        std::copy_n(of, width, in_message);
    });
    ranks_.gather(reinterpret_cast<std::byte *>(packed.data()), ends);
    for (int rank = 0; rank < ranks_.count(); ++rank) {
        for_each_part(rank, [](double *of, double *in_message, std::size_t width) {
            std::copy_n(in_message, width, of);
        });
    }
}

void RankExchange::complete(std::size_t buffer, std::size_t offset, std::size_t bytes) {
    if (buffers_[buffer].among_ranks == AmongRanks::single) {
        ranks_.unite(
            {reinterpret_cast<std::uint64_t *>(memory_[buffer] + offset), bytes / sizeof(std::uint64_t)});
    }
    complete_arrays(buffer, offset, bytes);
}

void RankExchange::complete_arrays(std::size_t buffer, std::size_t offset, std::size_t bytes) {
    const std::byte *const begin = memory_[buffer] + offset;
    for (const Array &array : arrays_) {
        if (array.kind == Kind::of_run && array.values >= begin && array.values < begin + bytes) {
            std::vector<std::size_t> ends;
            for (const std::int64_t end : planes_->ends()) {
                ends.push_back(static_cast<std::size_t>(end) * array.plane_bytes);
            }
            ranks_.gather(array.values, ends);
        }
    }
}

}  // namespace perdure::host
