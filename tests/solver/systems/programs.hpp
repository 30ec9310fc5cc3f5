// Programs and printed statements, run in a cell.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/systems/system.hpp"

namespace perdure::systems_test {

/// With the system's parameters, at time 0 and in cell 0.
systems::CellContext context_of(const systems::System &system, const Grid &grid,
                                const std::vector<std::vector<double>> &fields);

/// What RATE stores, by its index. Fails where a register is read that holds nothing.
std::map<int, double> run_program(const systems::RowProgram &program, const systems::CellContext &context);

/// The same of printed statements: by field; VALUES as 0 and COEFFICIENT_OF_SIDE as 1.
std::map<int, double> run_printed(const std::string &text, const systems::CellContext &context);
/// The same of statements that reuse values of the cell before (solver/systems/reuse.hpp), and leave those of the next cell.
std::map<int, double> run_printed(const std::string &text, const systems::CellContext &context,
                                  std::map<int, double> &reused);

}  // namespace perdure::systems_test
