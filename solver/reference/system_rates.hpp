// Right-hand sides of a system in all cells, from its texts.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "solver/reference/extended_grid.hpp"
#include "solver/reference/formula_arrays.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::reference {

using FieldArrays = std::vector<Eigen::ArrayXd>;  // [field][cells]

/// Evaluates all equations on the cells and as many beyond the sides as the formulas look at.
///
/// A field continues beyond a side by the rule of solver/systems/system.hpp: the k-th cell beyond takes its value from the k-th
/// inside, d = (2 k - 1) h apart, so that u or du/dn at the face is as given; formulas of a side are of the face's coordinates, the
/// time, and what the cell beside the side holds. Periodic sides repeat the cells. Beyond x- and x+ first, then y, then z: in a
/// corner the later rule holds, from cells that the earlier ones filled. Coefficients are mirrored, or repeated.
class SystemRates {
  public:
    /// `others`: texts of formulas besides the equations that will be asked for. Throws Failure(differs_or_internal) where a side is
    /// periodic for some fields alone.
    SystemRates(const Grid &grid, const SystemConfig &system,
                const std::vector<std::vector<double>> &coefficients,
                const std::vector<std::string> &others = {});

    SystemRates(const SystemRates &) = delete;
    SystemRates &operator=(const SystemRates &) = delete;

    /// What noise depends on in the rates that follow: which step it is, from 0, and its size.
    void begin_step(std::size_t number, double dt);

    /// d field / dt of each field.
    [[nodiscard]] FieldArrays all(double time, const FieldArrays &fields) const;
    /// The same of those fields alone, [wanted].
    [[nodiscard]] FieldArrays some(const std::vector<std::size_t> &wanted, double time,
                                   const FieldArrays &fields) const;

    /// A formula in all cells: an equation, one of the others, or one that looks no further than these.
    [[nodiscard]] Eigen::ArrayXd formula(const std::string &text, double time,
                                         const FieldArrays &fields) const;

    /// FormulaArrays::through_face() of the cells.
    [[nodiscard]] Eigen::ArrayXd through_face(const std::string &vector, int axis, int direction, double time,
                                              const FieldArrays &fields) const;

  private:
    [[nodiscard]] FormulaInputs inputs_at(double time, const FieldArrays &fields) const;
    void continue_fields(FormulaInputs &inputs, int axis) const;
    [[nodiscard]] FormulaInputs inputs_on_side(const FormulaInputs &inputs, int side) const;

    // Formulas refer to members: an object stays where it is.
    const SystemConfig &system_;
    NamedParts parts_;
    std::vector<Tokens> rates_;
    ExtendedGrid grid_;
    FormulaInputs constant_;  // all but fields and the time
};

}  // namespace perdure::reference
