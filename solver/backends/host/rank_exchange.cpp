#include "solver/backends/host/rank_exchange.hpp"

#include <algorithm>
#include <utility>

#include "kernels/shares.h"
#include "solver/backends/host/host_memory.hpp"

namespace perdure::host {

RankExchange::RankExchange(Ranks &ranks, const KernelCall &call, const std::vector<std::byte *> &memory,
                           const LaunchShape &shape)
    : ranks_(ranks), call_(call), memory_(memory), cuts_(shape.cuts), shared_(ranks), shared_lines_(ranks) {
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
                             std::uint32_t level, std::uint32_t to, std::uint32_t axis, std::uint32_t way) {
        return static_cast<Context *>(self)->exchange->begin_step(group, operation, level, to, axis, way);
    };
}

rank_context_t *RankExchange::context(const run_parameters_t &parameters) {
    if (!arrays_) {
        set_planes(parameters);
    }
    const PlanesOfRanks &planes = arrays_->planes();
    const auto count = static_cast<double>(planes.count());
    context_.begin = static_cast<double>(planes.begin_of(ranks_.index())) / count;
    context_.end = static_cast<double>(planes.end_of(ranks_.index())) / count;
    changes_ = {arrays_->of_finest()};
    context_.stop_request = 0;
    has_launched_ = true;
    return &context_;
}

void RankExchange::set_planes(const run_parameters_t &parameters) {
    for (std::uint32_t rank = 1; rank <= context_.count; ++rank) {
        chunk_ends_.push_back(begin_of_part(parameters.sections, rank, context_.count) *
                              parameters.section_chunks.divisor);
    }
    if (const std::optional<std::size_t> place = call_.find("hierarchy")) {
        hierarchy_ = reinterpret_cast<const hierarchy_t *>(memory_[*place]);
    }
    arrays_.emplace(call_, cuts_, ranks_.index(), parameters, hierarchy_);
    for (const RankArray &array : arrays_->list()) {
        shared_.add(memory_[array.buffer] + array.offset, array.plane_bytes, array.transfers);
    }
}

std::uint32_t RankExchange::begin_step(std::uint32_t group, std::uint32_t operation, std::uint32_t level,
                                       std::uint32_t to, std::uint32_t axis, std::uint32_t way) {
    if (group == 0) {
        changes_ = changes_of({operation, level, 0, to, 0, 0, axis, way, {}});
        if (operation <= STEP_MODES) {  // setup, which uses the room of copies of u
            shared_.forget_copies();
        }
        if (operation == STEP_RESTRICT_ALONG) {  // which uses that of one
            forget_copies_of(
                rank_bit(rank_number_of_level(level, to == 1 ? RANK_LEVEL_SECOND_U : RANK_LEVEL_U)));
        }
        const bool is_shared = level < arrays_->shared_levels();
        if (is_shared && (operation == STEP_PRODUCT || operation == STEP_LINES)) {  // also in others' planes
            forget_copies_of(rank_bit(rank_number_of_level(level, RANK_LEVEL_U)) |
                             rank_bit(rank_number_of_level(level, RANK_LEVEL_SECOND_U)));
        }
    }
    return level < arrays_->shared_levels() ? 1 : 0;
}

void RankExchange::forget_copies_of(std::uint64_t arrays) {
    for (std::size_t i = 0; i < arrays_->list().size(); ++i) {
        if ((arrays & rank_bit(arrays_->list()[i].number)) != 0) {
            shared_.forget_copies_of(i);
        }
    }
}

RankExchange::Changes RankExchange::changes_of(const step_t &step) const {
    if (step.level >= arrays_->shared_levels()) {
        return {};
    }
    if (step.operation <= STEP_DIAGONAL) {
        return {0, made_in_setup(*hierarchy_, step.operation, step.level, step.axis)};
    }
    return {changes_of_step(&step, hierarchy_->level[0].grid.dimensions - 1)};
}

void RankExchange::share_cells_behind_launch() {
    if (std::exchange(has_launched_, false)) {
        share_cells();
    }
}

/// What the phase before has changed.
void RankExchange::share_cells() {
    const Changes changes = std::exchange(changes_, {arrays_->of_finest()});
    if (!changes.in_setup.empty()) {
        share_setup(changes.in_setup);
        return;
    }
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < arrays_->list().size(); ++i) {
        if ((changes.arrays & rank_bit(arrays_->list()[i].number)) != 0) {
            changed.push_back(i);
        }
    }
    if (!changed.empty()) {
        shared_.share(changed);
    }
    for (const RankLines &lines : arrays_->lines()) {
        if ((changes.arrays & rank_bit(lines.number)) != 0) {
            shared_lines_.exchange(memory_[lines.buffer], lines.transfers);
        }
    }
}

/// Every rank gets all, since the next step of the setup may need it anywhere.
void RankExchange::share_setup(const std::vector<MadeInSetup> &made) {
    const std::size_t cycle_bytes = call_.precision == Precision::float64 ? sizeof(double) : sizeof(float);
    for (const MadeInSetup &array : made) {
        std::vector<std::size_t> ends;
        for (const std::int64_t end : arrays_->ends_of(array.planes)) {
            const std::int64_t planes = array.by == MadeInSetup::By::planes  ? end
                                        : array.by == MadeInSetup::By::first ? std::min<std::int64_t>(end, 1)
                                                                             : end / array.planes;
            ends.push_back(static_cast<std::size_t>(planes) * array.plane_entries * cycle_bytes);
        }
        ranks_.gather(memory_[call_.place_of("arena")] + array.begin * cycle_bytes, ends);
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

/// Values that one rank has and the others have left at zero.
void RankExchange::unite_singles(std::size_t buffer, std::size_t offset, std::size_t bytes) {
    if (call_.buffers[buffer].among_ranks == AmongRanks::single) {
        ranks_.unite(
            {reinterpret_cast<std::uint64_t *>(memory_[buffer] + offset), bytes / sizeof(std::uint64_t)});
    }
}

/// Those with values for cells that lie in these bytes, whole; none where each rank has the whole buffer.
std::vector<const RankArray *> RankExchange::arrays_in(std::size_t buffer, std::size_t offset,
                                                       std::size_t bytes) const {
    return arrays_ ? arrays_->within(buffer, offset, bytes) : std::vector<const RankArray *>();
}

void RankExchange::read(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset) {
    unite_singles(buffer, offset, bytes);
    const std::vector<const RankArray *> arrays = arrays_in(buffer, offset, bytes);
    if (arrays.empty()) {
        host::copy(to, memory_[buffer] + offset, bytes);
    }
    for (const RankArray *const array : arrays) {
        const ByteRange own = arrays_->own_bytes(*array);
        std::byte *const all = to + (array->offset - offset);
        host::copy(all + own.begin, memory_[buffer] + array->offset + own.begin, own.bytes);
        ranks_.gather(all, arrays_->ends_in_bytes(*array));
    }
}

void RankExchange::read_for_first(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset) {
    unite_singles(buffer, offset, bytes);
    const std::vector<const RankArray *> arrays = arrays_in(buffer, offset, bytes);
    if (arrays.empty() && ranks_.index() == 0) {
        host::copy(to, memory_[buffer] + offset, bytes);
    }
    for (const RankArray *const array : arrays) {
        std::byte *const own = memory_[buffer] + array->offset + arrays_->own_bytes(*array).begin;
        std::byte *const all = ranks_.index() == 0 ? to + (array->offset - offset) : nullptr;
        gather_at_first(ranks_, own, all, arrays_->ends_in_bytes(*array));
    }
}

void RankExchange::complete_cells(std::size_t buffer) {
    for (const RankArray *const array : arrays_in(buffer, 0, call_.buffers[buffer].bytes)) {
        ranks_.gather(memory_[buffer] + array->offset, arrays_->ends_in_bytes(*array));
    }
}

}  // namespace perdure::host
