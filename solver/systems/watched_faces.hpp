// The faces of a side or a plane, for integrals of what flows through them.
#pragma once

#include <cstdint>
#include <string>

#include "solver/problem/problem.hpp"
#include "solver/systems/term_builder.hpp"
#include "solver/systems/watch_config.hpp"

namespace perdure::systems {

/// Of a plane the number of cells below it along its axis; of a side those of the axis, or 0 below a lower side.
std::int64_t cells_below(const FacesConfig &faces, const Grid &grid);

/// Why no faces between two cells lie at a plane; empty where some do, and of sides.
std::string why_no_faces(const FacesConfig &faces, const Grid &grid);

/// A term that is true in the cells which the normals of the faces point out of.
int is_at_faces(const FacesConfig &faces, const Grid &grid, TermBuilder &build);

/// The area of one of the faces.
double area_of_face(const FacesConfig &faces, const Grid &grid);

/// x+, or x = 0.1.
std::string faces_in_words(const FacesConfig &faces);

}  // namespace perdure::systems
