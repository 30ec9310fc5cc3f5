// Where arrays of a multigrid hierarchy lie: in its arena, or for a time in vectors of conjugate gradients (kernels/multigrid/hierarchy.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/case_file/config.hpp"

namespace perdure {

/// Whether a run has vectors that are free while a hierarchy is set up, and room in them for its networks. Not among ranks, which exchange
/// vectors by their names, nor on more than two devices (CutRoom).
bool lends_for_setup(const Config &config);
/// The same during cycles. On several devices each has the same part of every array in its own memory, which is not so of arrays that
/// follow each other in a lent vector.
bool lends_for_cycles(const Config &config);

/// Whether sweeps never leave their result in the second copy of level 0 where something else is to be written there: while the first copy
/// is corrected, and when directions are made of it.
bool has_free_second_copy(const MultigridConfig &options);

/// Arrays are handed out in units of 32 entries, so that they begin on lines of memory: so many entries in whole units.
std::uint64_t in_units(std::uint64_t entries);

/// Hands out the arena.
class Arena {
  public:
    std::uint64_t take(std::uint64_t entries);
    [[nodiscard]] std::uint64_t used() const { return used_; }
    [[nodiscard]] const std::vector<std::uint64_t> &places() const { return places_; }

  private:
    std::uint64_t used_ = 0;
    std::vector<std::uint64_t> places_;
};

/// Part of the arena, or of a vector that is lent, handed out in the same units.
class Room {
  public:
    /// `place`: as an array has it that begins there.
    Room(std::uint64_t place, std::uint64_t entries) : next_(place), left_(entries) {}
    /// Nothing where so much is not left.
    std::optional<std::uint64_t> take(std::uint64_t entries);

  private:
    std::uint64_t next_, left_;
};

/// An array that two devices share, from `cut` of its entries on that of the second one. It has room for one array that they share in the
/// same way: that lies where both are cut at the same place.
class CutRoom {
  public:
    CutRoom(std::uint64_t place, std::uint64_t entries, double cut)
        : place_(place), entries_(entries), cut_(cut) {}
    /// Nothing where it is taken, or too small.
    std::optional<std::uint64_t> take(std::uint64_t entries);

  private:
    std::uint64_t place_, entries_;
    double cut_;
    bool is_taken_ = false;
};

/// The first room that has so much left, else the arena.
std::uint64_t take_from(std::vector<Room> &rooms, std::uint64_t entries, Arena &arena);

/// Entry `begin` of the vector `lender`, as an array has it that begins there.
std::uint64_t place_lent(std::uint64_t lender, std::uint64_t begin);

}  // namespace perdure
