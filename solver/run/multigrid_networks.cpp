#include "solver/run/multigrid_networks.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace perdure {
namespace {

using Take = std::function<std::uint64_t(std::uint64_t entries)>;

/// With one axis halved, with two.
void place_halfway(const FinestLevel &finest, const LevelShape &shape, bool tables, const Take &take_cells,
                   const Take &take_sides, level_entry_t &level) {
    const auto &[n, halved, alike] = shape;
    const std::uint32_t halvings = halved[0] + halved[1] + halved[2];
    Extents cells = n;
    std::uint32_t done = 0;
    for (int axis = 2; axis >= 0 && done + 1 < halvings; --axis) {
        if (halved[axis] == 0) {
            continue;
        }
        cells[axis] = (cells[axis] + 1) / 2;
        network_entry_t &network = level.halfway[done++];
        network.own = take_cells(tables ? PLACES : product(cells));
        for (int k = 0; k < finest.dimensions; ++k) {
            network.face[k] = take_cells(tables ? PLACES : product(cells));
            for (int side = 2 * k; side < 2 * k + 2 && !finest.periodic[k]; ++side) {
                network.side[side] = take_sides(tables ? PLACES : face_cells(cells, k));
            }
        }
    }
}

}  // namespace

NetworkEntries network_entries(const FinestLevel &finest, const std::vector<LevelShape> &shapes,
                               std::uint32_t levels) {
    NetworkEntries most;
    for (std::uint32_t number = 0; number + 1 < levels; ++number) {
        if (!shapes[number + 1].alike) {
            Arena cells, sides;
            level_entry_t level{};
            place_halfway(
                finest, shapes[number], false, [&](std::uint64_t entries) { return cells.take(entries); },
                [&](std::uint64_t entries) { return sides.take(entries); }, level);
            most.all = std::max(most.all, cells.used() + sides.used());
            most.sides = std::max(most.sides, sides.used());
        }
    }
    return most;
}

NetworkRooms::NetworkRooms(std::span<const VectorRoom> vectors)
    : for_sides_(vectors.begin(), vectors.end()) {}

NetworkRooms::NetworkRooms(double cut, std::span<const VectorRoom> vectors, std::uint64_t sides, Arena &arena)
    : is_cut_(true), cut_(cut), vectors_(vectors.begin(), vectors.end()) {
    if (sides > 0) {
        for_sides_.push_back({arena.take(sides), sides});
    }
}

void NetworkRooms::begin_level() {
    free_.clear();
    free_cut_.clear();
    for (const VectorRoom &room : for_sides_) {
        free_.emplace_back(room.place, room.entries);
    }
    for (const VectorRoom &room : vectors_) {
        free_cut_.emplace_back(room.place, room.entries, cut_);
    }
}

std::uint64_t NetworkRooms::take_cells(std::uint64_t entries, Arena &arena) {
    if (!is_cut_) {
        return take_sides(entries, arena);
    }
    for (CutRoom &room : free_cut_) {
        if (const std::optional<std::uint64_t> place = room.take(entries)) {
            return *place;
        }
    }
    vectors_.push_back({arena.take(entries), entries});  // another one for coarser levels
    return vectors_.back().place;
}

std::uint64_t NetworkRooms::take_sides(std::uint64_t entries, Arena &arena) {
    return take_from(free_, entries, arena);
}

void place_networks(const FinestLevel &finest, const LevelShape &shape, NetworkRooms &rooms, Arena &arena,
                    level_entry_t &level) {
    rooms.begin_level();
    place_halfway(
        finest, shape, false, [&](std::uint64_t entries) { return rooms.take_cells(entries, arena); },
        [&](std::uint64_t entries) { return rooms.take_sides(entries, arena); }, level);
}

void place_networks_in_tables(const FinestLevel &finest, const LevelShape &shape, Arena &tables,
                              level_entry_t &level) {
    const Take take = [&](std::uint64_t entries) { return tables.take(entries); };
    place_halfway(finest, shape, true, take, take, level);
}

}  // namespace perdure
