// Where the networks lie that a level is on the way to the next, with some of its axes halved (kernels/multigrid/network.h): for a time, in
// room that has another use later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/multigrid/hierarchy.h"
#include "solver/run/level_shapes.hpp"
#include "solver/run/multigrid_levels.hpp"
#include "solver/run/multigrid_rooms.hpp"

namespace perdure {

/// Entries of all arrays of a level's networks, and of those of sides alone.
struct NetworkEntries {
    std::uint64_t all = 0, sides = 0;
};

/// The most that one of the levels with fields needs.
NetworkEntries network_entries(const FinestLevel &finest, const std::vector<LevelShape> &shapes,
                               std::uint32_t levels);

/// Entries of an array that begins at `place`.
struct VectorRoom {
    std::uint64_t place, entries;
};

/// Rooms that the networks of each level may have anew.
class NetworkRooms {
  public:
    /// Arrays follow each other in the vectors.
    explicit NetworkRooms(std::span<const VectorRoom> vectors);
    /// Of two devices that share the vectors, cut at that part of each. Arrays of cells lie one in each vector, cut at the same place, and
    /// where vectors are too few in the arena; so do `sides` entries of sides.
    NetworkRooms(double cut, std::span<const VectorRoom> vectors, std::uint64_t sides, Arena &arena);

    /// All rooms are free again.
    void begin_level();
    std::uint64_t take_cells(std::uint64_t entries, Arena &arena);
    std::uint64_t take_sides(std::uint64_t entries, Arena &arena);

  private:
    bool is_cut_ = false;
    double cut_ = 0.0;
    std::vector<VectorRoom> vectors_, for_sides_;  // on one device for all arrays
    std::vector<CutRoom> free_cut_;
    std::vector<Room> free_;
};

/// The networks of a level whose next one has fields.
void place_networks(const FinestLevel &finest, const LevelShape &shape, NetworkRooms &rooms, Arena &arena,
                    level_entry_t &level);
/// The same where coefficients of the next level are tables.
void place_networks_in_tables(const FinestLevel &finest, const LevelShape &shape, Arena &tables,
                              level_entry_t &level);

}  // namespace perdure
