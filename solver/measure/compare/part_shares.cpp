#include "solver/measure/compare/part_shares.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/part_times.h"

namespace perdure::compare {
namespace {

/// Nanoseconds of one group.
struct GroupTimes {
    std::array<double, PARTS> parts{};
    double between_launches = 0.0;
    double before_launches_of_host = 0.0;
};

/// Ticks of a unit's own clock become nanoseconds by the time that its group's launches took.
GroupTimes group_times(const std::uint64_t *words) {
    GroupTimes times;
    const double ticks = std::accumulate(words, words + PARTS, 0.0);
    const auto in_launches = static_cast<double>(words[TIMES_LAUNCHES]);
    for (std::size_t part = 0; ticks > 0.0 && part < times.parts.size(); ++part) {
        times.parts.at(part) = static_cast<double>(words[part]) / ticks * in_launches;
    }
    times.between_launches = static_cast<double>(words[TIMES_END] - words[TIMES_BEGIN]) - in_launches;
    times.before_launches_of_host = static_cast<double>(words[TIMES_OF_HOST]);
    return times;
}

/// What a model has in the place of a grid barrier.
double at_barriers(const GroupTimes &times, ExecutionModel model) {
    switch (model) {
        case ExecutionModel::launches:
        case ExecutionModel::graph:
            return times.between_launches - times.before_launches_of_host;
        case ExecutionModel::graph_while:
            return times.between_launches;
        default:
            return times.parts.at(PART_BARRIER);
    }
}

}  // namespace

PartShares part_shares(const std::vector<std::uint64_t> &times, ExecutionModel model, double seconds) {
    PartShares shares;
    const std::size_t groups = times.size() / TIMES_WORDS;
    for (std::size_t group = 0; group < groups; ++group) {
        const GroupTimes of_group = group_times(&times.at(group * TIMES_WORDS));
        shares.stencil += of_group.parts.at(PART_STENCIL);
        shares.reduction += of_group.parts.at(PART_REDUCTION);
        shares.barrier += std::max(0.0, at_barriers(of_group, model));
    }
    const double inside = shares.stencil + shares.reduction + shares.barrier;
    if (inside <= 0.0) {
        return {};
    }
    // Clocks of host and device may differ by their resolution.
    const double whole = std::max(1.0e9 * seconds * static_cast<double>(groups), inside);
    for (double *const part : {&shares.stencil, &shares.reduction, &shares.barrier}) {
        *part /= whole;
    }
    shares.host = 1.0 - inside / whole;
    return shares;
}

}  // namespace perdure::compare
