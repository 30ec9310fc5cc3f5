// A system of equations, checked and lowered to operations in each cell.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/failure.hpp"
#include "solver/problem/problem.hpp"
#include "solver/systems/graph.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

struct Watch;

/// What continues a field beyond a side; places in System::sides. The k-th cell beyond takes its value from the k-th inside,
/// u_beyond from u_inside, d = (2 k - 1) h apart, so that at the side
///   value     (u_beyond + u_inside) / 2 = values
///   flux      (u_beyond - u_inside) / d = values
///   exchange  (u_beyond - u_inside) / d = coefficient (values - (u_beyond + u_inside) / 2)
struct SystemSideTerms {
    SideKind kind = SideKind::flux;
    int values = -1;
    int coefficient = -1;  // of exchange
};

struct System {
    std::vector<std::string> fields;
    /// Those of the case file, then what follows from the grid: 1 / h, 1 / h^2 and the like, which formulas use by index.
    std::vector<std::pair<std::string, double>> parameters;
    std::vector<std::string> coefficients;
    Graph rates;
    std::vector<int> rate_of;  // of each field: a place in `rates`
    /// The same of rates that are divided: their sum is rate_of; empty: these are not.
    std::vector<int> implicit_of, explicit_of;
    /// Cells that waves cross in a unit of time, along all axes together: the sum of |speed| / h, the largest of all terms that carry
    /// something, conserve() and upwind(). -1: none does. Where other terms depend on fields, `parameter_of_others` is added, which is C / d in
    /// steps of C / fastest_wave, d a stable step of these terms alone: such a step is shorter than d and the C-th part of a cell, and
    /// stable for both kinds together, whose eigenvalues add up, as 1 / step does.
    Graph waves;
    int fastest_wave = -1;         // a place in `waves`
    int parameter_of_others = -1;  // a place in `parameters`
    /// Where a wave carries something, the rates without conserve() and upwind().
    Graph others;
    std::vector<int> other_of;  // of each field: a place in `others`
    Graph sides;  // values at sides: COORDINATEs are those of the face, fields those of the cell beside it
    std::vector<std::array<SystemSideTerms, 6>> sides_of;  // of each field
    std::array<int, 3> reach{0, 0, 0};                     // cells that formulas look away along x, y, z
    bool depends_on_time = false;
    std::shared_ptr<const Watch> watch;  // null: nothing is watched
    std::vector<Diagnostic> warnings;
};

/// Parses and checks all formulas of the system and lowers them on that grid: derivatives become differences, equal parts are
/// computed once, products that go into a sum are fused. Throws Failure(case_or_usage) with every finding, each with line, column and
/// caret inside its formula.
System make_system(const SystemConfig &config, const Grid &grid);

/// A single formula, as an initial value, of x, y, z, parameters, parts of these alone and random(seed). Throws Failure.
struct CellFormula {
    Graph graph;
    int value = -1;
    std::vector<std::pair<std::string, double>> parameters;
};
CellFormula make_cell_formula(const SystemConfig &config, const FormulaText &formula, const Grid &grid);

/// An expression of the case file that is no equation: a value of x, y, z and random(seed), a factor of t, or an exact
/// solution of x, y, z and t. With the operations that
/// the text has, none of them fused. Throws Failure.
struct Expression {
    Graph graph;
    int value = -1;
};
enum class ExpressionOf { places, time, places_and_time };
Expression make_expression(const FormulaText &formula, int dimensions, ExpressionOf of);

/// Values of a term in a cell.
struct CellContext {
    const Grid *grid = nullptr;
    std::array<std::int64_t, 3> cell{0, 0, 0};
    bool is_uniform = false;  // its neighbours are as the cell itself
    double time = 0.0;
    std::uint32_t step = 0;  // its number and size, of which noise depends; of size 0 there is none
    double step_size = 0.0;
    std::vector<double> parameters;
    std::vector<const double *> fields;        // [cells] each; may be empty where the graph has none
    std::vector<const double *> coefficients;  // [cells] each
};

/// The values of all terms in a cell, as evaluate() has them.
std::vector<double> values_of_terms(const Graph &graph, const CellContext &context);

/// In float64, all periodic, without sides: for initial values, tests and estimates. Neighbours beyond a side are the cells that they
/// repeat, with their coordinates and random numbers.
double evaluate(const Graph &graph, int term, const CellContext &context);
/// The same in all cells, whatever cell the context names, by all cores: `values` [cells].
void evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context,
                           std::span<double> values);
std::vector<double> evaluate_in_all_cells(const Graph &graph, int term, const CellContext &context);

/// The statements that compute some terms in the dialect of the kernels, one for each term that they need:
///   const real_t r7 = VALUE_FUSED_PRODUCT(r3, r5, r6);
/// by macros with the names of the operations: VALUE_NUMBER(0.5), VALUE_PARAMETER(3), VALUE_FIELD(1, -1, 0, 0),
/// VALUE_COEFFICIENT(0, 0, 0, 0), VALUE_COORDINATE(0, -1, 0, 0), VALUE_TIME(), VALUE_RANDOM(7, 0, 0, 0), VALUE_NOISE(7, 0, 0, 0), VALUE_ADD(r1, r2) .. and at the
/// end VALUE_RATE(0, r7); for each field.
std::string print_rates(const System &system);
/// The same for the fastest wave: VALUE_WAVE(r7).
std::string print_waves(const System &system);
/// The same for the side's values and coefficient: SIDE_VALUES(r3); SIDE_COEFFICIENT(r4);
std::string print_side(const System &system, int field, int side);
/// The statements alone, which end with the values of the roots, each named by its place: r7. Those of known terms stand before.
std::string print_terms(const Graph &graph, const std::vector<int> &roots,
                        const std::vector<int> &known = {});
/// What is at the end of print_rates().
std::string print_results(const System &system);

/// The instructions of print_rates(), with as few registers as their order allows: an instruction may store to a register that it
/// reads. RATE stands as soon as its value is there.
struct RowProgram {
    std::vector<system_instruction_t> instructions;
    int registers = 0;
};
RowProgram row_program(const System &system);
/// Those of the fastest wave: RATE of index 0.
RowProgram wave_program(const System &system);
/// Those of the side's values and coefficient: RATE of index 0 is the value, of index 1 the coefficient.
RowProgram side_program(const System &system, int field, int side);
/// Of a graph. `results`: terms, each with the index that RATE stores it by.
RowProgram program_of(const Graph &graph, const std::vector<std::pair<int, int>> &results);

}  // namespace perdure::systems
