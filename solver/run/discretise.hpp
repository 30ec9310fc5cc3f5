// Converts the sampled problem to the arrays that kernels/operator.h uses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/problem/active_cells.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/label_operator.hpp"
#include "solver/run/operator_rows.hpp"
#include "solver/run/right_hand_survey.hpp"
#include "solver/run/tensor_vertices.hpp"

namespace perdure {

/// The discrete operator and right-hand sides in the precision of the run.
/// A uniform problem (one a, one sigma, one h per side, no excluded cell) has one conductance per axis and 64
/// diagonals by boundary position; any other has one entry per cell.
template <typename Real>
struct Discretisation {
    bool uniform = false;
    /// Of an image whose fields are made on the device (image_operator.hpp): `diagonal` is its table of conductances,
    /// `inverse_diagonal` its inverses, and the rest is empty.
    bool on_device = false;
    /// Arrays of a value for each cell are empty: the device is given them in parts (operator_in_parts.hpp).
    bool in_parts = false;
    bool convective = false;             // has `across`
    bool varied_capacity = false;        // has `capacity`
    EntriesSurvey survey;                // of the entries in parts
    RightHandSurvey b_survey;            // of b
    LargeVector<Real> diagonal;          // sigma and conductances to sides, 1/units of h^2/a
    LargeVector<Real> inverse_diagonal;  // 1 / (diagonal + conductances of all faces); 0 in excluded cells
    LabelOperator<Real> labels;          // in place of diagonal and face, where it has any
    CrossTerms<Real> cross_terms;        // of full tensors, whose diagonals the rest is made of; else empty
    std::array<LargeVector<Real>, 3> face;    // conductance to the lower neighbour along x, y, z
    std::array<LargeVector<Real>, 3> across;  // the same face seen from there; empty without a velocity
    LargeVector<Real> capacity;               // c of each cell; empty: 1, or what all terms are divided by
    LargeVector<Real> b;                      // [1 + factors.size()][cells]
    std::vector<std::string> factors;         // time factor of b[1], b[2], ...; the same for all fields
    double spectrum_top =
        1.0;  // no eigenvalue of D^-1 A is larger (Gershgorin); 2 where sigma and sides are 0
    double stable_time_step =
        0.0;  // 2 / largest row sum |A / c|: explicit Euler is stable up to here (Gershgorin)
};

/// Whether the host keeps what has a value for each cell.
enum class OperatorStorage { whole, in_parts };

/// Throws Failure(bad_input) when values leave the range of Real.
template <typename Real>
Discretisation<Real> discretise(const Grid &grid, const Field &field, const ActiveCells &cells,
                                OperatorStorage storage = OperatorStorage::whole);

/// Each field in its cells. All are uniform or none is, and all have the same time factors. `by_labels`: comes_by_labels() of the case
/// that the problem was made of. `mass`: m of L + m c, of implicit steps (kernels/implicit_step.h). Throws like the other.
template <typename Real>
std::vector<Discretisation<Real>> discretise(const Problem &problem, const std::vector<ActiveCells> &cells,
                                             bool by_labels = false, double mass = 0.0,
                                             OperatorStorage storage = OperatorStorage::whole);

/// Of each field, the largest stable step of explicit Euler on its own operator.
template <typename Real>
std::vector<double> stable_time_steps(const std::vector<Discretisation<Real>> &fields) {
    std::vector<double> steps;
    for (const Discretisation<Real> &field : fields) {
        steps.push_back(field.stable_time_step);
    }
    return steps;
}

extern template Discretisation<float> discretise(const Grid &, const Field &, const ActiveCells &,
                                                 OperatorStorage);
extern template Discretisation<double> discretise(const Grid &, const Field &, const ActiveCells &,
                                                  OperatorStorage);
extern template std::vector<Discretisation<float>> discretise(const Problem &,
                                                              const std::vector<ActiveCells> &, bool, double,
                                                              OperatorStorage);
extern template std::vector<Discretisation<double>> discretise(const Problem &,
                                                               const std::vector<ActiveCells> &, bool, double,
                                                               OperatorStorage);

}  // namespace perdure
