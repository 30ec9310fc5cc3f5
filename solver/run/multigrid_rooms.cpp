#include "solver/run/multigrid_rooms.hpp"

#include <algorithm>

#include "kernels/multigrid/hierarchy.h"
#include "solver/methods/method.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure {

namespace {

constexpr std::uint64_t entries_of_unit = 32;

/// The entries of whole units that so many contain.
std::uint64_t whole_units(std::uint64_t entries) {
    return entries / entries_of_unit * entries_of_unit;
}

}  // namespace

std::uint64_t in_units(std::uint64_t entries) {
    return whole_units(entries + entries_of_unit - 1);
}

bool lends_for_setup(const Config &config) {
    return method_of(config).cycles_precondition && ranks() == nullptr && config.execution.devices <= 2;
}

bool lends_for_cycles(const Config &config) {
    return lends_for_setup(config) && config.execution.devices == 1 &&
           has_free_second_copy(config.solver.multigrid);
}

bool has_free_second_copy(const MultigridConfig &options) {
    return options.smoother == Smoother::red_black || options.sweeps % 2 == 0;
}

std::uint64_t Arena::take(std::uint64_t entries) {
    const std::uint64_t place = used_;
    used_ += in_units(entries);
    places_.push_back(place);
    return place;
}

std::optional<std::uint64_t> Room::take(std::uint64_t entries) {
    if (entries > left_) {
        return {};
    }
    const std::uint64_t place = next_, taken = std::min(in_units(entries), left_);
    next_ += taken;
    left_ -= taken;
    return place;
}

std::optional<std::uint64_t> CutRoom::take(std::uint64_t entries) {
    if (is_taken_ || entries > entries_) {
        return {};
    }
    is_taken_ = true;
    const double before = cut_ * static_cast<double>(entries_ - entries);
    return place_ + whole_units(static_cast<std::uint64_t>(before));
}

std::uint64_t take_from(std::vector<Room> &rooms, std::uint64_t entries, Arena &arena) {
    for (Room &room : rooms) {
        if (const std::optional<std::uint64_t> place = room.take(entries)) {
            return *place;
        }
    }
    return arena.take(entries);
}

std::uint64_t place_lent(std::uint64_t lender, std::uint64_t begin) {
    return (lender << LENDER_SHIFT) + begin;
}

}  // namespace perdure
