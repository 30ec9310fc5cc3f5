// How much memory an iteration must move: the numbers that the headers of kernels/jacobi.h, heat.h and cg.h state.
#pragma once

#include <cstdint>
#include <string>

namespace perdure::compare {

/// Values of real_t per cell and iteration.
struct ValuesMoved {
    int uniform = 0;   // read and written, of a problem with uniform coefficients
    int variable = 0;  // the same where coefficients vary from cell to cell
    int fields = 0;    // that those belong to: a field read and written counts once
    int coefficients = 0;
};

/// `factors`: right-hand sides that are scaled in time (heat). Throws Failure(differs_or_internal) for a kernel that
/// is not known here.
ValuesMoved values_moved(const std::string &kernel, int dimensions, int factors);

/// As the header of the kernel says it, for the test that both agree.
std::string as_the_header_says(const std::string &kernel);

}  // namespace perdure::compare
