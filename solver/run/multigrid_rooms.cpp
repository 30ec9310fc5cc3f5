#include "solver/run/multigrid_rooms.hpp"

#include <algorithm>

#include "kernels/multigrid/hierarchy.h"
#include "solver/methods/method.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure {

std::uint64_t in_units(std::uint64_t entries) {
    constexpr std::uint64_t unit = 32;
    return (entries + unit - 1) / unit * unit;
}

bool lends_vectors(const Config &config) {
    return method_of(config).cycles_precondition && ranks() == nullptr && config.execution.devices == 1;
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

std::uint64_t take_from(std::vector<Room> &rooms, std::uint64_t entries, Arena &arena) {
    for (Room &room : rooms) {
        if (const std::optional<std::uint64_t> place = room.take(entries)) {
            return *place;
        }
    }
    return arena.take(entries);
}

Room room_lent(std::uint64_t lender, std::uint64_t begin, std::uint64_t entries) {
    return {(lender << LENDER_SHIFT) + begin, entries};
}

}  // namespace perdure
