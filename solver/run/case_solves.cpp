#include "solver/run/case_solves.hpp"

#include <array>

#include <fmt/format.h>

#include "solver/reference/percolation.hpp"
#include "solver/row_where.hpp"

namespace perdure {
namespace {

/// The percolation of the device against a flood on the host. Throws Failure where they differ.
void compare_percolation(const PreparedCase &prepared, const Percolation &found) {
    const EffectiveConfig &effective = *prepared.config.effective;
    for (const int axis : effective.axes) {
        const reference::Percolation expected = reference::flood(
            prepared.problem.grid, prepared.problem.only_field().image, axis, effective.sides);
        if (expected.material != found.along[axis].material ||
            expected.connected_cells != found.along[axis].connected_cells) {
            throw Failure(
                ExitCode::differs_or_internal,
                fmt::format(
                    "{}: percolation along {} DIFFERS: {} cells are connected from {} by perdure and {} in "
                    "the reference, or different labels percolate",
                    label(prepared.config), name(static_cast<Axis>(axis)), found.along[axis].connected_cells,
                    effective.sides == ImageSides::periodic_cell ? "period to period" : "face to face",
                    expected.connected_cells));
        }
    }
}

Solution run_along_directions(PreparedCase &prepared, Progress::Style style, const ResultSink &sink) {
    return sink.field ? run_effective(prepared, style, sink.field) : run_effective(prepared, style);
}

/// Every direction that percolates.
std::string each_direction(PreparedCase &prepared, const SolveVisitor &visit) {
    const Percolation percolation = find_percolation(prepared);
    compare_percolation(prepared, percolation);
    prepared.image = std::make_shared<ImageOnDevice>(
        ImageOnDevice{percolation.material_on_device, percolation.faces_on_device, {}});
    const std::vector<int> &axes = prepared.config.effective->axes;
    std::size_t percolate = 0;
    for (const int axis : axes) {
        if (percolation.along[axis].percolates()) {
            ++percolate;
            turn_towards(axis, prepared);
            prepared.cells.resize(1);
            find_active_along(percolation, axis, prepared.cells.front());
            visit(name(static_cast<Axis>(axis)));
        }
    }
    return fmt::format("percolation agrees with a flood fill on the host: {} of {} directions percolate",
                       percolate, axes.size());
}

struct SolvesOfType {
    ProblemType type;
    const CaseSolves *solves;
};

#define PERDURE_SOLVES(word, problem, solves) SolvesOfType{ProblemType::word, &solves_##solves},
constexpr std::array solves_of_types{PERDURE_EQUATIONS(PERDURE_SOLVES)};
#undef PERDURE_SOLVES

}  // namespace

const CaseSolves solves_at_once{[](PreparedCase &prepared, Progress::Style style, const ResultSink &sink) {
                                    return run_once(prepared, style, sink.snapshot);
                                },
                                [](PreparedCase & /*prepared*/, const SolveVisitor &visit) {
                                    visit("");
                                    return std::string();
                                }};

const CaseSolves solves_along_directions{run_along_directions, each_direction};

const CaseSolves &solves_of(const Config &config) {
    return *row_where(solves_of_types, &SolvesOfType::type, config.type,
                      "internal error: nothing says how cases of this type are solved")
                .solves;
}

}  // namespace perdure
