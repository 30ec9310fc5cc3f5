#include "tests/ranks/emulated_rank_text.hpp"

#include "kernels/list.h"
#include "solver/backends/host/kernel_as_group.hpp"

// Formulas are interpreted: an item has all lanes there. The loops that do not interpret any stand above, in kernels/common.h.
#define VECTORISED
/* Of so many lines of cells a rank has those of its part, and each of its groups every so many-th of them. */
#undef FOR_EACH_IN_SHARE
#define FOR_EACH_IN_SHARE(i, count, group, groups)                \
    for (uint32 i = cut_of(count, perdure_ranks.begin) + (group), \
                i##_end = cut_of(count, perdure_ranks.end);       \
         i < i##_end; i += (groups))

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/ranks/emulated_stepping_program.h"
#include "solver/backends/both_precisions.inc"

RankKernel find_stepping_kernel(const std::string &name, Precision precision) {
    return {precision == Precision::float32 ? float32::kernel_of(name) : float64::kernel_of(name),
            &set_place_of_rank};
}

bool is_interpreted(const std::string &name) {
#define PERDURE_SAME_NAME(kernel) \
    if (name == #kernel) {        \
        return true;              \
    }
    PERDURE_KERNELS_OF_CASES(PERDURE_SAME_NAME)
#undef PERDURE_SAME_NAME
    return false;
}

}  // namespace perdure::tests
