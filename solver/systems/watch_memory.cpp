#include "solver/systems/watch_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/failure.hpp"
#include "solver/systems/system_memory.hpp"

namespace perdure::systems {
namespace {

/// At the beginning, at the end, and between them.
std::int64_t rows_of(const Watch &watch, std::int64_t steps, double duration) {
    if (watch.every_steps > 0) {
        return steps / watch.every_steps + 2;
    }
    return static_cast<std::int64_t>(
               std::min(std::floor(duration / watch.every), static_cast<double>(steps))) +
           3;
}

}  // namespace

WatchMemory::WatchMemory(std::shared_ptr<const Watch> watch) : watch_(std::move(watch)) {
    if (!watch_) {
        return;
    }
    for (const Watch::Reduction &reduction : watch_->reductions) {
        reductions_.push_back(reduction.kind);
    }
    for (const Watch::Integral &integral : watch_->integrals) {
        integrals_.push_back(integral.made);
    }
    setup_.columns = static_cast<std::uint32_t>(watch_->columns());
    setup_.reductions = static_cast<std::uint32_t>(reductions_.size());
    setup_.integrals = static_cast<std::uint32_t>(integrals_.size());
    setup_.probed = static_cast<std::uint32_t>(watch_->probed.size());
    setup_.passes = static_cast<std::uint32_t>(passes_of(*watch_).size());
    setup_.formulas = static_cast<std::uint32_t>(watch_->formulas.size());
    setup_.stops = watch_->stop_when >= 0 ? 1 : 0;
    setup_.every_steps = watch_->every_steps;
    setup_.every = watch_->every;
}

void WatchMemory::make_room(std::int64_t steps, bool steps_are_known, double duration, std::uint32_t chunks) {
    if (!watch_) {
        return;
    }
    const auto row_bytes = static_cast<std::int64_t>(setup_.columns * sizeof(double));
    std::int64_t rows = std::min(rows_of(*watch_, steps, duration), steps + 1);
    if (!steps_are_known) {
        rows = std::min(rows, std::max<std::int64_t>(1, series_bytes_of_chosen_steps / row_bytes));
    }
    const double bytes = static_cast<double>(rows) * static_cast<double>(row_bytes);
    if (bytes > static_cast<double>(most_series_bytes)) {
        throw Failure(
            ExitCode::case_or_usage,
            {{Diagnostic::Severity::error,
              watch_->position,
              fmt::format("watch: {} rows of {} numbers need {:.1f} GB, but a series may have at most {:.1f} "
                          "GB; watch less often (watch.every_steps or watch.every), or at fewer points",
                          rows, setup_.columns, bytes / 1.0e9,
                          static_cast<double>(most_series_bytes) / 1.0e9),
              {}}});
    }
    setup_.rows = static_cast<std::uint32_t>(rows);
    chunks_ = chunks;
}

std::vector<KernelBuffer> WatchMemory::buffers() const {
    const std::size_t partials = static_cast<std::size_t>(setup_.reductions) * (chunks_ + 1);
    const std::size_t values = static_cast<std::size_t>(setup_.rows) * setup_.columns;
    KernelBuffer series{"series", values * sizeof(double)};
    series.among_ranks = AmongRanks::single;
    return {{"watch", sizeof setup_, &setup_},
            buffer_of("reductions", reductions_),
            buffer_of("integrals", integrals_),
            watch_ ? buffer_of("probes", watch_->probed) : KernelBuffer{"probes", 0},
            buffer_of("watch_programs", programs_),
            {"watch_state", 2 * sizeof(watch_state_t)},
            {"watch_partials", partials * sizeof(double)},
            series};
}

}  // namespace perdure::systems
