// A case of problem.type: effective: percolation, then a solve in every direction that conducts.
#pragma once

#include "solver/run/percolation.hpp"
#include "solver/run/run_case.hpp"

namespace perdure {

/// Turns the problem of the case towards `axis`: 1 and 0 on its two faces, the other sides insulated or periodic; of a periodic cell a
/// fall of 1 from one period to the next.
void turn_towards(int axis, PreparedCase &prepared);

/// Where cells of the case's image reach from face to face, along the directions that it asks for.
Percolation find_percolation(const PreparedCase &prepared);

/// One launch for percolation, and for each direction that percolates one that makes its operator and one that solves; the others are 0 and are not solved. The fields of
/// the solution are u_x, u_y and so on, and flux_x where the case asks for flux; its report has a tensor. Throws Failure for
/// what stops a run without an answer.
Solution run_effective(PreparedCase &prepared, Progress::Style style);

/// Receives each field as soon as its direction is solved.
using FieldSink = std::function<void(FieldResult)>;

/// The same, with the fields for `sink` alone.
Solution run_effective(PreparedCase &prepared, Progress::Style style, const FieldSink &sink);

}  // namespace perdure
