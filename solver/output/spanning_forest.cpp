#include "solver/output/spanning_forest.hpp"

#include <iterator>

namespace perdure {

SpanningForest::SpanningForest(const FlowNetwork &network)
    : network_(network), face_to_root_(network.cells(), none), best_(network.cells(), Conductances::no_rank) {
    order_.reserve(static_cast<std::size_t>(network.cells()));
    for (std::int64_t cell = 0; cell < network.cells(); ++cell) {
        if (!network.counts(cell)) {
            best_[cell] = is_taken;
            continue;
        }
        for (int face = 0; face < network.faces(); ++face) {
            if (network.leads_to_side(cell, face)) {
                offer(cell, face,
                      Conductances::rank_of(network.conductance(cell, face, FlowNetwork::no_cell)));
            }
        }
    }
    grow_all();
    for (std::int64_t cell = 0; network.is_periodic_cell() && cell < network.cells(); ++cell) {
        if (best_[cell] != is_taken) {
            grow({static_cast<std::uint32_t>(cell), root});
            grow_all();
        }
    }
}

void SpanningForest::grow_all() {
    while (!offers_.empty()) {
        const auto best = std::prev(offers_.end());
        if (best->second.empty()) {
            latest_ = nullptr;
            offers_.erase(best);
            continue;
        }
        const Offer next = best->second.front();
        best->second.pop_front();
        if (best_[next.cell] != is_taken) {
            grow(next);
        }
    }
}

void SpanningForest::grow(const Offer &next) {
    face_to_root_[next.cell] = next.face;
    best_[next.cell] = is_taken;
    order_.push_back(next.cell);
    const auto offer_to = [&](int face, std::int64_t other) {
        if (best_[other] != is_taken) {
            offer_across(next.cell, face, other);
        }
    };
    if (network_.is_inside(next.cell)) {
        network_.for_each_inner_face(next.cell, offer_to);
        return;
    }
    for (int face = 0; face < network_.faces(); ++face) {
        const std::int64_t other = network_.beyond(next.cell, face);
        if (other != FlowNetwork::no_cell) {
            offer_to(face, other);
        }
    }
}

void SpanningForest::offer_across(std::int64_t from, int face, std::int64_t other) {
    offer(other, face ^ 1, network_.between_cells().rank_between(face / 2, from, other));
}

}  // namespace perdure
