#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "kernels/image_question.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/failure.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/tensor_vertices.hpp"

namespace perdure {
namespace {

/// Vertices of the grid, both ends of periodic axes included, in rows along x.
struct VertexRows {
    explicit VertexRows(const Grid &grid)
        : length(grid.cells[0] + 1), y(grid.cells[1] + 1), z(grid.dimensions == 3 ? grid.cells[2] + 1 : 1) {}

    [[nodiscard]] std::int64_t count() const { return length * y * z; }

    /// use(vertex, index) in several threads, `make()` the state of one.
    template <class Make, class Use>
    void for_each(const Make &make, const Use &use) const {
        in_parallel(y * z, count(), [&](std::int64_t begin, std::int64_t end) {
            auto state = make();
            for (std::int64_t row = begin; row < end; ++row) {
                for (std::int64_t x = 0; x < length; ++x) {
                    use(state, std::array<std::int64_t, 3>{x, row % y, row / y}, x + length * row);
                }
            }
        });
    }

    std::int64_t length, y, z;
};

/// Distinct vertices at which cross terms act, in their order.
std::vector<TensorVertex> distinct_vertices(const TensorVertices &vertices, const VertexRows &rows) {
    std::set<TensorVertex> all;
    std::mutex lock;
    struct Found {
        std::set<TensorVertex> &all;
        std::mutex &lock;
        std::set<TensorVertex> own{};
        TensorVertex before{};
        ~Found() {
            const std::lock_guard hold(lock);
            all.merge(own);
        }
    };
    rows.for_each(
        [&] {
            return Found{all, lock};
        },
        [&](Found &found, const std::array<std::int64_t, 3> &place, std::int64_t /*index*/) {
            const TensorVertex vertex = vertices.at(place);
            if (vertex != found.before) {
                found.before = vertex;
                if (vertices.has_cross_terms(vertex)) {
                    found.own.insert(vertex);
                }
            }
        });
    return {all.begin(), all.end()};
}

/// The sums that tensors replace; of a part of the vertices, of each plane.
constexpr std::array tensor_rows{PLANE_FLOW, PLANE_ENERGY, PLANE_ACROSS_FIRST, PLANE_ACROSS_SECOND};
using PlaneSums = std::array<std::vector<double>, PLANE_SUMS>;

/// Faces of the vertices of one layer across the last axis. A face has as many parts as vertices.
template <typename Real>
void add_layer(const Grid &grid, const TensorVertices &vertices, VertexFluxes<Real> &fluxes, int axis,
               std::int64_t layer, PlaneSums &sums) {
    const int last = grid.dimensions - 1;
    const double part = 2.0 / vertices.cells();
    std::array<std::int64_t, 3> begin{}, end{vertices.extent(0), vertices.extent(1), vertices.extent(2)};
    begin[last] = layer;
    end[last] = layer + 1;
    for (std::int64_t z = begin[2]; z < end[2]; ++z) {
        for (std::int64_t y = begin[1]; y < end[1]; ++y) {
            for (std::int64_t x = begin[0]; x < end[0]; ++x) {
                const std::array<std::int64_t, 3> vertex{x, y, z};
                fluxes.go_to(vertex);
                const auto plane = static_cast<std::size_t>(vertex[axis]);
                for (int across = 0; across < grid.dimensions; ++across) {
                    for (int below = 0; below < vertices.cells(); ++below) {
                        if ((below >> across & 1) != 0) {
                            continue;
                        }
                        const double flow = part * fluxes.flux(across, below) / grid.spacing[across];
                        sums[PLANE_ENERGY][plane] += flow * fluxes.fall(across, below);
                        sums[across == axis                  ? PLANE_FLOW
                             : across == (axis == 0 ? 1 : 0) ? PLANE_ACROSS_FIRST
                                                             : PLANE_ACROSS_SECOND][plane] += flow;
                    }
                }
            }
        }
    }
}

/// Kernels number the entries of all matrices with 32 bits.
void refuse_too_many(std::size_t vertices, std::size_t cells) {
    const std::size_t most = (std::size_t{1} << 32U) / (cells * cells) - 1;
    if (vertices > most) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("problem.a.labels: full tensors of neighbouring cells meet in {} different "
                                  "ways, more than the {} "
                                  "that fit; use fewer labels with full tensors, or a smaller image",
                                  vertices, most));
    }
}

}  // namespace

template <typename Real>
CrossTerms<Real> cross_terms_of(const Grid &grid, const Field &field) {
    const TensorVertices vertices(grid, field);
    const VertexRows rows(grid);
    const std::vector<TensorVertex> distinct = distinct_vertices(vertices, rows);
    const auto cells = static_cast<std::size_t>(vertices.cells());
    refuse_too_many(distinct.size(), cells);
    CrossTerms<Real> terms;
    terms.there = true;
    terms.matrices = LargeVector<Real>((distinct.size() + 1) * cells * cells, Real(0));
    in_parallel(static_cast<std::int64_t>(distinct.size()), 64 * static_cast<std::int64_t>(distinct.size()),
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t k = begin; k < end; ++k) {
                        const auto matrix = vertices.cross_terms(distinct[static_cast<std::size_t>(k)]);
                        Real *const first =
                            terms.matrices.data() + (static_cast<std::size_t>(k) + 1) * cells * cells;
                        for (std::size_t i = 0; i < cells * cells; ++i) {
                            first[i] = static_cast<Real>(matrix[i / cells][i % cells]);
                        }
                    }
                });
    terms.of_vertex = LargeVector<std::uint32_t>(static_cast<std::size_t>(rows.count()));
    struct Latest {
        TensorVertex vertex;
        std::uint32_t number = 0;
    };
    rows.for_each(
        [] { return Latest{}; },
        [&](Latest &latest, const std::array<std::int64_t, 3> &place, std::int64_t index) {
            const TensorVertex vertex = vertices.at(place);
            if (vertex != latest.vertex) {
                const auto found = std::lower_bound(distinct.begin(), distinct.end(), vertex);
                const bool crossed = found != distinct.end() && *found == vertex;
                latest = {vertex, crossed ? static_cast<std::uint32_t>(1 + (found - distinct.begin())) : 0};
            }
            terms.of_vertex[static_cast<std::size_t>(index)] = latest.number;
        });
    return terms;
}

void add_cross_terms_to_b(const Grid &grid, const Field &field, LargeVector<double> &b) {
    const TensorVertices vertices(grid, field);
    std::map<TensorVertex, std::array<std::array<double, 8>, 8>> known;
    std::map<std::int64_t, double> sizes;  // of all terms of an entry
    const auto add = [&](const std::array<std::int64_t, 3> &place) {
        const TensorVertex vertex = vertices.at(place);
        if (!vertices.has_cross_terms(vertex)) {
            return;
        }
        const auto [entry, is_new] = known.try_emplace(vertex);
        if (is_new) {
            entry->second = vertices.cross_terms(vertex);
        }
        const double side = vertex.held != 0 ? *held_value(field.sides[vertex.held - 1]) : 0.0;
        for (int i = 0; i < vertices.cells(); ++i) {
            if (vertex.material[i] == 0) {
                continue;
            }
            const double here = vertices.jump_at(place, i);
            const std::int64_t cell = vertices.cell_at(place, i);
            double &size = sizes.try_emplace(cell, std::abs(b[cell])).first->second;
            const auto add_term = [&](double term) {
                b[cell] += term;
                size += std::abs(term);
            };
            add_term(entry->second[i][i] * side);
            for (int j = 0; j < vertices.cells(); ++j) {
                if (j != i && vertex.material[j] != 0) {
                    add_term(-entry->second[i][j] * (vertices.jump_at(place, j) - here));
                }
            }
        }
    };
    for (int axis = 0; axis < grid.dimensions; ++axis) {
        if (!vertices.is_held(axis) && field.falls_along != axis) {
            continue;
        }
        std::array<std::int64_t, 3> end{vertices.extent(0), vertices.extent(1), vertices.extent(2)};
        const std::int64_t last = end[axis] - 1;
        end[axis] = vertices.is_held(axis) ? 2 : 1;
        for (std::int64_t z = 0; z < end[2]; ++z) {
            for (std::int64_t y = 0; y < end[1]; ++y) {
                for (std::int64_t x = 0; x < end[0]; ++x) {
                    std::array<std::int64_t, 3> place{x, y, z};
                    place[axis] *= last;
                    add(place);
                }
            }
        }
    }
    constexpr double rounding = 1.0e-14;
    for (const auto &[cell, size] :
         sizes) {  // nothing flows into it: else a sum of rounding is all that b has
        b[cell] = std::abs(b[cell]) <= rounding * size ? 0.0 : b[cell];
    }
}

template <typename Real>
void set_tensor_sums(const Grid &grid, const Field &field, int axis, const LargeVector<Real> &u,
                     std::vector<double> &sums) {
    const TensorVertices vertices(grid, field);
    const std::int64_t layers = vertices.extent(grid.dimensions - 1);
    const auto planes = static_cast<std::size_t>(grid.cells[axis]) + 1, items = planes * PLANE_PARTS;
    constexpr std::int64_t most_parts = 64;
    const std::int64_t parts = std::min(layers, most_parts);
    PlaneSums zero;
    zero.fill(std::vector<double>(planes, 0.0));
    std::vector<PlaneSums> of_parts(static_cast<std::size_t>(parts), zero);
    share_out(parts, threads_for(grid.count()), [&](std::int64_t part, std::int64_t /*thread*/) {
        VertexFluxes<Real> fluxes(vertices, grid, field, u);
        for (std::int64_t layer = layers * part / parts; layer < layers * (part + 1) / parts; ++layer) {
            add_layer(grid, vertices, fluxes, axis, layer, of_parts[static_cast<std::size_t>(part)]);
        }
    });
    for (const std::size_t row : tensor_rows) {
        std::fill_n(sums.begin() + static_cast<std::ptrdiff_t>(row * items), items, 0.0);
        for (const PlaneSums &part : of_parts) {
            for (std::size_t plane = 0; plane < planes; ++plane) {
                sums[row * items + plane * PLANE_PARTS] += part[row][plane];
            }
        }
    }
    if (field.falls_along == axis) {  // the last plane is the first one again
        sums[PLANE_FLOW * items + items - PLANE_PARTS] = sums[PLANE_FLOW * items];
    }
}

template CrossTerms<float> cross_terms_of(const Grid &, const Field &);
template CrossTerms<double> cross_terms_of(const Grid &, const Field &);
template void set_tensor_sums(const Grid &, const Field &, int, const LargeVector<float> &,
                              std::vector<double> &);
template void set_tensor_sums(const Grid &, const Field &, int, const LargeVector<double> &,
                              std::vector<double> &);

}  // namespace perdure
