// Formulas with operators, evaluated on arrays: each operator call becomes an array of its own, what is left is pointwise.
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "solver/reference/extended_grid.hpp"
#include "solver/reference/formula_tokens.hpp"
#include "solver/reference/pointwise.hpp"
#include "solver/reference/vector_terms.hpp"

namespace perdure::reference {

/// How many cells away a formula looks at most: 1 for each derivative in another one, those of parts included.
int reach_of(TokenSpan formula, const NamedParts &parts);

/// What formulas are evaluated from.
struct FormulaInputs {
    Arrays variables;                    // fields, coordinates, t, coefficients
    Numbers parameters;                  // pi and e too
    CellNumbers cell_numbers;            // for random and noise
    std::uint32_t step = 0;              // its number
    double noise_scale = 0.0;            // 1 / sqrt(volume of a cell * dt)
    const NamedParts *parts = nullptr;   // evaluated when first used
    const ExtendedGrid *grid = nullptr;  // nullptr: points have no neighbours, as those of a side
};

/// Evaluates formulas from one set of inputs, at all points at once. Sources of the operators' meanings: extended_grid.hpp.
///   lap(E)  dxx(E) dyy(E) dzz(E)   second differences          dx(E) dy(E) dz(E)   central differences
///   div(F)      F is a sum of products: what stands with grad(E) is its coefficient, a grad(E) gives divergence_of_gradient(a, E);
///               what stands with (vx, vy[, vz]) is multiplied with its components, of which central differences are taken
///   grad(E)     elsewhere: central differences                 dot(F, G)           of components
///   upwind(F, E)   random(seed)   noise(seed)   conserve(fx, fy[, fz]; speed) and conserve(..; slowest, fastest): with a last word minmod all that
///   changes from cell to cell in them is that of the faces (limited_values())
/// Throws Failure(differs_or_internal) for anything else than that.
class FormulaArrays {
  public:
    explicit FormulaArrays(FormulaInputs inputs);

    Eigen::ArrayXd evaluate(TokenSpan formula);
    /// The right-hand side of a field's equation: conserve() is of that field.
    Eigen::ArrayXd evaluate_rate(TokenSpan formula, const std::string &field);

    /// v . n at the upper (direction 1) or lower (-1) faces of the cells across the axis, n pointing out of the cell: of a grad(E)
    /// out_through_face(), of other vectors the mean of both cells.
    Eigen::ArrayXd through_face(TokenSpan vector, int axis, int direction);

  private:
    Eigen::ArrayXd call(const std::string &name, const std::vector<TokenSpan> &arguments);
    Eigen::ArrayXd laplacian(TokenSpan formula);
    Eigen::ArrayXd dot(TokenSpan left, TokenSpan right);
    Eigen::ArrayXd divergence(TokenSpan formula);
    Eigen::ArrayXd conserve(const std::vector<TokenSpan> &arguments);
    Eigen::ArrayXd along(TokenSpan speed, int axis);
    [[nodiscard]] FormulaInputs inputs_at_faces(int axis, int direction) const;
    std::vector<Eigen::ArrayXd> components(TokenSpan formula);
    Eigen::ArrayXd component(const VectorTerm &term, int axis);
    void evaluate_part(const std::string &name);
    [[nodiscard]] const ExtendedGrid &grid_for(const std::string &name) const;
    [[nodiscard]] int axis_of(const std::string &name) const;

    FormulaInputs in_;
    Eigen::Index points_;
    std::string field_;  // whose rate is evaluated; empty: none
};

}  // namespace perdure::reference
