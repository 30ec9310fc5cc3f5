// Checks whether a discretised problem fits into the precision of its run.
#pragma once

#include "solver/run/discretise.hpp"

namespace perdure {

/// Values that the precision of the run cannot hold must not pass for infinity or for nothing: throws
/// Failure(bad_input). The run finds what is not finite in b.
template <typename Real>
void check_range(const Discretisation<Real> &out);

/// The power of two that the operator is to be taken times in the float32 cycles of precision mixed. Throws
/// Failure(bad_input) when its conductances differ by more than those hold.
template <typename Real>
double scale_to_float32(const Discretisation<Real> &out);

extern template double scale_to_float32(const Discretisation<float> &);
extern template double scale_to_float32(const Discretisation<double> &);
extern template void check_range(const Discretisation<float> &);
extern template void check_range(const Discretisation<double> &);

}  // namespace perdure
