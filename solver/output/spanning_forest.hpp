// Ways from every cell of a network to a side, through large conductances.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <vector>

#include "solver/output/flow_network.hpp"

namespace perdure {

/// A spanning forest that grows from the sides, next along the face of largest conductance, as far as powers of 2 tell, and among equal
/// ones along that which was reached first. In a periodic cell each part grows from its first cell.
class SpanningForest {
  public:
    explicit SpanningForest(const FlowNetwork &network);

    /// Cells in the order in which they were reached: the way from a cell to a side goes through earlier ones.
    [[nodiscard]] const std::vector<std::uint32_t> &order() const { return order_; }
    [[nodiscard]] int face_to_root(std::int64_t cell) const { return face_to_root_[cell]; }
    [[nodiscard]] bool is_root(std::int64_t cell) const { return face_to_root_[cell] == root; }

  private:
    struct Offer {
        std::uint32_t cell;
        std::uint8_t face;
    };
    static constexpr std::uint8_t none = 255, root = 254;
    static constexpr std::int16_t is_taken = std::numeric_limits<std::int16_t>::max();

    /// Keeps the offer where the cell has none that is taken before this one.
    void offer(std::int64_t cell, int face, std::int16_t rank) {
        if (rank > best_[cell]) {
            best_[cell] = rank;
            offers_of(rank).push_back({static_cast<std::uint32_t>(cell), static_cast<std::uint8_t>(face)});
        }
    }
    std::deque<Offer> &offers_of(std::int16_t rank) {
        if (latest_ == nullptr || latest_rank_ != rank) {
            latest_ = &offers_[rank];
            latest_rank_ = rank;
        }
        return *latest_;
    }
    void grow_all();
    void grow(const Offer &next);
    /// Offers a cell that wants to be reached the way through a face of `from`.
    void offer_across(std::int64_t from, int face, std::int64_t other);

    const FlowNetwork &network_;
    std::vector<std::uint8_t> face_to_root_;
    std::vector<std::int16_t> best_;  // rank of the best offer to each cell; is_taken: it wants no more
    std::vector<std::uint32_t> order_;
    std::map<std::int16_t, std::deque<Offer>> offers_;  // by ranks; what was taken is freed
    std::deque<Offer> *latest_ = nullptr;               // of them
    std::int16_t latest_rank_ = 0;
};

}  // namespace perdure
