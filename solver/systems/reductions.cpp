#include "solver/systems/reductions.hpp"

#include <algorithm>
#include <limits>

namespace perdure::systems {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

std::uint32_t Reductions::add(std::uint32_t kind, int term) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Watch::Reduction &known) {
        return known.kind == kind && known.term == term;
    });
    if (found == all_.end()) {
        all_.push_back({kind, term});
        return static_cast<std::uint32_t>(all_.size() - 1);
    }
    return static_cast<std::uint32_t>(found - all_.begin());
}

watch_integral_t Reductions::sum_of(int value, int condition, double factor) {
    const int term = build_.apply(Operation::SELECT, condition, value, build_.number(0.0));
    return {INTEGRAL_SCALED, add(REDUCE_SUM, term), 0, 0, factor};
}

watch_integral_t Reductions::made_of(WatchedQuantity quantity, int value, int condition) {
    const auto where = [&](int term, double otherwise) {
        return condition < 0 ? term
                             : build_.apply(Operation::SELECT, condition, term, build_.number(otherwise));
    };
    const auto size = [&] { return build_.apply(Operation::ABSOLUTE, value); };
    double volume = 1.0;
    for (int axis = 0; axis < grid_.dimensions; ++axis) {
        volume *= grid_.spacing[axis];
    }
    const double all = condition < 0 ? 1.0 / static_cast<double>(grid_.count()) : 1.0;
    watch_integral_t made{INTEGRAL_SCALED, 0, 0, 0, 1.0};
    switch (quantity) {
        case WatchedQuantity::sum:
            made.first = add(REDUCE_SUM, where(value, 0.0));
            made.factor = volume;
            break;
        case WatchedQuantity::mean:
            made.first = add(REDUCE_SUM, where(value, 0.0));
            made.operation = condition < 0 ? INTEGRAL_SCALED : INTEGRAL_RATIO;
            made.factor = all;
            break;
        case WatchedQuantity::min:
            made.first = add(REDUCE_MIN, where(value, infinity));
            made.operation = condition < 0 ? INTEGRAL_SCALED : INTEGRAL_EXTREME;
            break;
        case WatchedQuantity::max:
            made.first = add(REDUCE_MAX, where(value, -infinity));
            made.operation = condition < 0 ? INTEGRAL_SCALED : INTEGRAL_EXTREME;
            break;
        case WatchedQuantity::L1:
            made.first = add(REDUCE_SUM, where(size(), 0.0));
            made.factor = volume;
            break;
        case WatchedQuantity::L2:
            made.first = add(REDUCE_SUM, where(build_.multiply(value, value), 0.0));
            made.operation = INTEGRAL_ROOT;
            made.factor = volume;
            break;
        case WatchedQuantity::Linf:
            made.first = add(REDUCE_MAX, where(size(), 0.0));
            break;
    }
    if (made.operation == INTEGRAL_RATIO || made.operation == INTEGRAL_EXTREME) {
        made.second = add(REDUCE_SUM, where(build_.number(1.0), 0.0));
    }
    return made;
}

}  // namespace perdure::systems
