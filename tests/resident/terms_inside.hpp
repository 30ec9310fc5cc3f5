// Gives a case the terms away from sides that kernels of wide tiles are made for.
#ifndef PERDURE_TESTS_RESIDENT_TERMS_INSIDE_HPP
#define PERDURE_TESTS_RESIDENT_TERMS_INSIDE_HPP

#include "kernels/resident/wide_shape_2d.h"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests {

/// Coefficients are uniform; a source of each cell is the one that the problem has already.
inline void set_terms_inside(wide_terms terms, Case &drawn) {
    Field &field = drawn.problem.only_field();
    field.sigma.values = {terms == CONSTANT_TERMS || terms == SOURCE_OF_CELL ? 0.75 : 0.0};
    drawn.config.sigma.number = field.sigma.values.front();
    if (terms == SOURCE_OF_CELL) {
        drawn.config.f.kind = ValueSource::Kind::dataset;
    } else {
        field.f.values = {terms == NO_TERMS ? 0.0 : 1.5};
        drawn.config.f.number = field.f.values.front();
    }
}

}  // namespace perdure::tests

#endif
