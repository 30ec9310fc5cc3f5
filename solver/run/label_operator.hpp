// The operator of the finest level of a grid with few materials: one label per cell and a table (kernels/labels.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solver/problem/large_vector.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/kernel_buffers.hpp"

namespace perdure {

/// What stands for diagonals and conductances of faces.
template <typename Real>
struct LabelOperator {
    std::uint32_t count = 0;            // labels, with 0 for cells that take no part; 0: there are arrays
    std::vector<double> coefficients;   // of labels 1, 2, ...; empty: the device finds labels
    LargeVector<std::uint8_t> of_cell;  // empty: made on the device, or given to it in parts
    LargeVector<Real> table;            // [LABEL_TABLE_ENTRIES(count)]
    std::uint32_t b_by_labels = 0;      // 1: there is no array of b, but
    LargeVector<Real> b;                // [PLACES][count]: by boundary position and label, 0 at no side
    std::uint32_t has_kinds = 0;        // 1: there is no array of inverse diagonals, but
    LargeVector<Real> inverses;         // by kinds of cells
};

/// Whether the case itself says that a byte holds the label of any cell and that the rest of the operator is the same everywhere, and
/// its method has kernels for that. Whether a run makes use of it: LaunchPlan::by_labels.
bool comes_by_labels(const Config &config);

/// Whether its right-hand side comes by labels as well: that of an image between two sides.
bool b_comes_by_labels(const Config &config);

/// Whether kinds fit in two bytes, and there are more cells than kinds (kernels/labels.h).
bool has_kinds(std::uint64_t labels, std::uint64_t cells);

/// Whether its inverse diagonals come by kinds of cells.
bool inverses_come_by_kinds(const Config &config);

/// Of the fields of a method that takes labels: tables, and kinds of cells, in place of arrays.
void count_tables_instead(const Config &config, FieldCount &fields);

/// The kernel's arguments by labels, pointing into `labels`. `in_parts`: labels of cells are written later.
template <typename Real>
std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<Real> &labels, std::size_t cells,
                                            bool in_parts);

/// Coefficients of labels 1, 2, ...: those that conduct, ascending.
std::vector<double> coefficients_of_labels(const Samples &a);

/// The label of coefficient `a`, one of `coefficients`; 0: it does not conduct.
std::uint8_t label_of(const std::vector<double> &coefficients, double a);

/// When sums of conductances to sides are rounded to Real: at the end, or each of them.
enum class SidesRounded { at_the_end, one_by_one };

/// Of labels 1, 2, ..., each along x, y, z.
using LabelCoefficients = std::vector<std::array<double, 3>>;
LabelCoefficients equal_along_axes(const std::vector<double> &coefficients);

/// The table for labels of these coefficients.
template <typename Real>
LargeVector<Real> label_table(const Grid &grid, const std::array<Side, 6> &sides,
                              const LabelCoefficients &coefficients, SidesRounded rounded);

extern template std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<float> &, std::size_t, bool);
extern template std::vector<KernelBuffer> buffers_of_labels(const LabelOperator<double> &, std::size_t, bool);
extern template LargeVector<float> label_table(const Grid &, const std::array<Side, 6> &,
                                               const LabelCoefficients &, SidesRounded);
extern template LargeVector<double> label_table(const Grid &, const std::array<Side, 6> &,
                                                const LabelCoefficients &, SidesRounded);

}  // namespace perdure
