// Arrays of planes, of which each rank has some, and copies of those that it needs besides.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/backends/host/rank_planes.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure::host {

class SharedArrays {
  public:
    explicit SharedArrays(Ranks &ranks)
        : ranks_(ranks),
          to_(static_cast<std::size_t>(ranks.count())),
          from_(static_cast<std::size_t>(ranks.count())) {}

    /// The next array, by number.
    void add(std::byte *values, std::size_t plane_bytes, PlaneTransfers transfers);

    /// Of these arrays, planes that have changed since they were sent go to those that need copies. All ranks call it for the same arrays.
    void share(std::span<const std::size_t> arrays);

    /// Copies may have been overwritten: all planes are sent next time.
    void forget_copies();
    void forget_copies_of(std::size_t array);

  private:
    /// Planes that one rank or several need, and what they were when they were sent last; empty: nobody has a copy.
    struct Sent {
        std::int64_t first, count;
        std::vector<std::byte> before;
        bool has_changed;
    };
    struct Array {
        std::byte *values;
        std::size_t plane_bytes;
        PlaneTransfers transfers;
        std::vector<Sent> sent;
        std::vector<std::size_t> number;  // of these, for each of transfers.sent
    };
    struct Message {
        std::size_t most = 0;
        std::vector<std::byte> bytes;
    };

    [[nodiscard]] static std::size_t bytes_of(const Array &array, std::int64_t planes) {
        return static_cast<std::size_t>(planes) * array.plane_bytes;
    }
    [[nodiscard]] static std::byte *plane(const Array &array, std::int64_t number) {
        return array.values + bytes_of(array, number);
    }
    static void find_changes(Array &array);
    void pack(const Array &array);
    void unpack(const Array &array, std::vector<std::size_t> &taken);
    void exchange();

    Ranks &ranks_;
    std::vector<Array> arrays_;
    std::vector<Message> to_, from_;  // of each rank
};

}  // namespace perdure::host
