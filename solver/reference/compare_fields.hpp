// Compares a field with the reference.
#pragma once

#include <cstdint>
#include <span>

#include "solver/output/solution.hpp"

namespace perdure {

/// Differences over the cells where both fields hold numbers. Relative ones are against the same norm of the
/// reference over those cells, or absolute where that is 0.
struct FieldDifference {
    double l2 = 0.0;  // root of the mean of the squared differences
    double l2_relative = 0.0;
    double max = 0.0;
    double max_relative = 0.0;
    std::int64_t worst_cell = -1;             // where max is reached; -1: no cell holds numbers in both
    std::int64_t disagreeing_exclusions = 0;  // cells that are NaN in exactly one of the fields
};

/// Throws Failure(differs_or_internal) when the sizes differ.
FieldDifference compare(const FieldValues &values, std::span<const double> reference);

/// Largest relative L2 difference from the reference that counts as agreement: the error that a residual of rtol may leave, or
/// rounding.
double agreement_bound(const Config &config);

/// Whether fields agree within `bound`; a single cell may differ a hundred times as much. Cells excluded in only one of them
/// never agree.
bool agrees(const FieldDifference &difference, double bound);

}  // namespace perdure
