#include "solver/systems/side_terms.hpp"

#include <utility>

#include "solver/systems/arrange.hpp"

namespace perdure::systems {

Graph arrange_sides(const Graph &graph, std::vector<std::array<SystemSideTerms, 6>> &sides_of) {
    std::vector<int *> places;
    std::vector<int> roots;
    for (std::array<SystemSideTerms, 6> &sides : sides_of) {
        for (SystemSideTerms &side : sides) {
            for (int *place : {&side.values, &side.coefficient}) {
                if (*place >= 0) {
                    places.push_back(place);
                    roots.push_back(*place);
                }
            }
        }
    }
    Arranged arranged = arrange(graph, roots);
    for (std::size_t i = 0; i < places.size(); ++i) {
        *places[i] = arranged.roots[i];
    }
    return std::move(arranged.graph);
}

}  // namespace perdure::systems
