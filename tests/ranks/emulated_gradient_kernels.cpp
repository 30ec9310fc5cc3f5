#include "tests/ranks/emulated_rank_text.hpp"

#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/ranks/emulated_gradient_program.h"
#include "solver/backends/both_precisions.inc"

namespace mixed {
#define real_t double
#undef cycle_t
#define cycle_t float
#include "tests/ranks/emulated_gradient_program.h"
#undef cycle_t
#undef real_t
}  // namespace mixed

RankKernel find_gradient_kernel(const std::string &name, Precision precision) {
    return {precision == Precision::float32   ? float32::kernel_of(name)
            : precision == Precision::float64 ? float64::kernel_of(name)
                                              : mixed::kernel_of(name),
            &set_place_of_rank};
}

}  // namespace perdure::tests
