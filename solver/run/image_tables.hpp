// Tables of an image: of conductances (kernels/image_operator.h); of an image between two sides also of right-hand sides and inverse
// diagonals (kernels/labels.h).
#pragma once

#include <array>

#include "solver/run/label_operator.hpp"

namespace perdure {

/// Conductances between materials, and from sides to them.
template <typename Real>
LargeVector<Real> image_table(const Grid &grid, const Field &field);

/// b of a cell at a boundary position, by label: the conductance to side `held`, which holds 1. [PLACES][labels]
template <typename Real>
LargeVector<Real> b_table(const Grid &grid, const std::array<Side, 6> &sides,
                          const LabelCoefficients &coefficients, std::uint32_t held);

/// Inverse diagonals by kinds of cells, with the sums of kernels/image_operator.h.
template <typename Real>
LargeVector<Real> inverse_table(const Grid &grid, const std::array<Side, 6> &sides,
                                const LabelCoefficients &coefficients);

extern template LargeVector<float> image_table(const Grid &, const Field &);
extern template LargeVector<double> image_table(const Grid &, const Field &);
extern template LargeVector<float> b_table(const Grid &, const std::array<Side, 6> &,
                                           const LabelCoefficients &, std::uint32_t);
extern template LargeVector<double> b_table(const Grid &, const std::array<Side, 6> &,
                                            const LabelCoefficients &, std::uint32_t);
extern template LargeVector<float> inverse_table(const Grid &, const std::array<Side, 6> &,
                                                 const LabelCoefficients &);
extern template LargeVector<double> inverse_table(const Grid &, const std::array<Side, 6> &,
                                                  const LabelCoefficients &);

}  // namespace perdure
