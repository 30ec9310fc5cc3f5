// Which axes have fast transforms (kernels/multigrid/fast_transform.h), and the tables that these read.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common.h"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// LINES_... of kernels/multigrid/hierarchy.h, of an axis between two sides.
std::uint32_t lines_between(BoundaryType lower, BoundaryType upper);

/// Radices of the passes of m complex numbers, the first one first; empty where m is no product of 2, 3 and 5.
std::vector<std::uint32_t> radices_of(std::uint32_t m);

/// Lines of n cells of which a group has room for `line_values` values.
bool has_fast_transform(std::uint32_t kind, std::uint32_t n, std::int64_t line_values);

/// Lines of a level along one axis.
struct LevelLines {
    std::uint32_t kind = LINES_OTHER;
    std::uint32_t cells = 1;
    std::uint32_t count = 1;   // on the level
    std::uint32_t beside = 1;  // whose cells lie side by side; across x
    bool across = false;
    std::uint32_t groups = 1;  // that share them
    std::int64_t line_values = 0;
};

/// How they are transformed; nothing is said yet of where tables lie. kind is LINES_OTHER where no transform is made.
lines_t plan_lines(const LevelLines &lines);

/// Values of a group's memory that this takes.
std::uint32_t values_in_group(const lines_t &lines);

/// Entries among the tables for the modes, and of all passes.
std::uint64_t turns_of_modes(const lines_t &lines);
std::uint64_t turns_of_pass(const pass_t &pass);
/// Entries of places of numbers.
std::uint64_t places_of(const lines_t &lines);

/// Fills what `lines` says, of which [0] of both tables is given.
void fill_lines(const lines_t &lines, float *tables, std::uint32_t *places);
void fill_lines(const lines_t &lines, double *tables, std::uint32_t *places);

/// The angle theta of each mode, in the order of modes; the eigenvalue is 2 face (1 - cos theta).
std::vector<double> angles_of(const lines_t &lines);

}  // namespace perdure
