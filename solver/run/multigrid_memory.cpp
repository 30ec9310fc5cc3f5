#include "solver/run/multigrid_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solver/methods/method.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/conductance.hpp"
#include "solver/run/multigrid_tables.hpp"

namespace perdure {
namespace {

/// Conductances to one side from the cells beside it, in the order of Side; a table where all are alike.
template <typename Cycle>
void add_side(const Grid &grid, const Field &field, const ActiveCells &cells, int side, std::uint64_t count,
              bool uniform, double scale, Cycle *out) {
    const int axis = side / 2;
    scale *= capacity_scale(field);
    const auto conductance = [&](double a, std::int64_t face) {
        return static_cast<Cycle>(scale * side_conductance(field.sides[side], a, grid.spacing[axis], face));
    };
    if (uniform) {
        std::fill_n(out, count, conductance(field.a[0], 0));
        return;
    }
    constexpr std::int64_t cells_per_line = 8;  // of the cache; along a side across x, each cell has its own
    const auto faces = static_cast<std::int64_t>(count);
    in_parallel(faces, faces * cells_per_line, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t face = begin;
        for_each_beside(grid, side, begin, end, [&](std::int64_t index, const Cell & /*cell*/) {
            out[face] = conductance(cells.is_active(index) ? field.a[index] : 0.0, face);
            ++face;
        });
    });
}

template <typename Cycle, typename Real>
std::vector<Cycle> scaled(const LargeVector<Real> &values, double scale) {
    std::vector<Cycle> result;
    for (const Real value : values) {
        result.push_back(static_cast<Cycle>(scale * static_cast<double>(value)));
    }
    return result;
}

template <typename Real>
MultigridLevels levels_of(const Grid &grid, const Field &field, const Config &config,
                          const Discretisation<Real> &operator_of_0, const CycleDevice &device) {
    FinestLevel finest = finest_level(grid, field.sides, config, operator_of_0.uniform, device);
    finest.by_labels = operator_of_0.labels.count > 0;
    finest.has_kinds = operator_of_0.labels.has_kinds != 0;
    return make_levels(finest);
}

/// What the host knows of the levels: the sides of level 0, and all of those that are uniform.
template <typename Cycle, typename Real>
std::vector<Cycle> make_tables(const Grid &grid, const Field &field, const ActiveCells &cells,
                               MultigridLevels &levels, const Discretisation<Real> &operator_of_0,
                               std::vector<wave_t> &waves, std::vector<std::uint32_t> &places) {
    hierarchy_t &hierarchy = levels.hierarchy;
    hierarchy.epsilon = std::numeric_limits<Cycle>::epsilon();
    hierarchy.smallest = std::numeric_limits<Cycle>::min() / hierarchy.epsilon;
    std::vector<Cycle> tables(levels.tables);
    for (int side = 0; side < 2 * grid.dimensions; ++side) {
        add_side(grid, field, cells, side, levels.side_cells[side], operator_of_0.uniform, hierarchy.scale,
                 tables.data() + hierarchy.level[0].side[side]);
    }
    if (!operator_of_0.uniform) {
        return tables;
    }
    FinestTables<Cycle> finest{scaled<Cycle>(operator_of_0.diagonal, hierarchy.scale),
                               scaled<Cycle>(operator_of_0.inverse_diagonal, 1.0 / hierarchy.scale),
                               {}};
    for (int axis = 0; axis < 3; ++axis) {
        finest.face[axis] = scaled<Cycle>(operator_of_0.face[axis], hierarchy.scale);
    }
    places.resize(levels.places);
    waves = fill_tables(hierarchy, finest, tables, places);
    if (hierarchy.rounded != 0) {
        const level_entry_t &level = hierarchy.level[0];
        const auto put = [&](const std::vector<Cycle> &values, std::uint64_t place) {
            std::copy(values.begin(), values.end(), tables.data() + place);
        };
        put(finest.diagonal, level.diagonal);
        put(finest.inverse_diagonal, level.inverse_diagonal);
        for (int axis = 0; axis < grid.dimensions; ++axis) {
            put(finest.face[axis], level.face[axis]);
        }
    }
    return tables;
}

}  // namespace

template <typename Real>
MultigridMemory::MultigridMemory(const Config &config, const Grid &grid, const Field &field,
                                 const ActiveCells &cells, const Discretisation<Real> &finest, double scale,
                                 const CycleDevice &device)
    : levels_(levels_of(grid, field, config, finest, device)),
      list_(multigrid_phases(config.solver, method_of(config).cycles_precondition, levels_.hierarchy)) {
    levels_.hierarchy.scale = scale;
    if (cycle_bytes(config.execution.precision) == sizeof(float)) {
        tables_ = make_tables<float>(grid, field, cells, levels_, finest, waves_, places_);
        coefficients_ = scaled<float>(finest.labels.table, scale);
        inverses_ = scaled<float>(finest.labels.inverses, 1.0 / scale);
    } else {
        tables_ = make_tables<double>(grid, field, cells, levels_, finest, waves_, places_);
        coefficients_ = scaled<double>(finest.labels.table, scale);
        inverses_ = scaled<double>(finest.labels.inverses, 1.0 / scale);
    }
}

template MultigridMemory::MultigridMemory(const Config &, const Grid &, const Field &, const ActiveCells &,
                                          const Discretisation<float> &, double, const CycleDevice &);
template MultigridMemory::MultigridMemory(const Config &, const Grid &, const Field &, const ActiveCells &,
                                          const Discretisation<double> &, double, const CycleDevice &);

std::vector<KernelBuffer> MultigridMemory::buffers() const {
    return std::visit(
        [this](const auto &tables, const auto &coefficients,
               const auto &inverses) -> std::vector<KernelBuffer> {
            KernelBuffer arena{"arena", levels_.arena * sizeof tables[0], nullptr};
            for (const std::uint64_t place : levels_.arena_places) {
                arena.arrays.push_back(place * sizeof tables[0]);
            }
            return {{"hierarchy", sizeof levels_.hierarchy, &levels_.hierarchy},
                    buffer_of("phases", list_.phases),
                    buffer_of("steps", list_.steps),
                    buffer_of("waves", waves_),
                    buffer_of("places", places_),
                    buffer_of("tables", tables),
                    buffer_of("cycle_coefficients", coefficients),
                    buffer_of("inverses", inverses),
                    std::move(arena)};
        },
        tables_, coefficients_, inverses_);
}

std::int64_t cycle_bytes(Precision precision) {
    return precision == Precision::float64 ? sizeof(double) : sizeof(float);
}

std::int64_t multigrid_bytes(const FinestLevel &finest, Precision precision) {
    return static_cast<std::int64_t>(sizeof(hierarchy_t) +
                                     make_levels(finest).arena * cycle_bytes(precision));
}

}  // namespace perdure
