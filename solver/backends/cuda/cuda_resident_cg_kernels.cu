// The kernels of kernels/resident for conjugate gradients: one per dimension, kind of coefficients and length of a
// column.
#include "kernels/common.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_sums.h"
#include "solver/backends/cuda/cuda_kernels.hpp"

namespace perdure::cuda {
namespace resident_cg {

namespace float32 {
#define real_t float
#include "kernels/resident/cg_program.h"
#undef real_t
}  // namespace float32

namespace float64 {
#define real_t double
#include "kernels/resident/cg_program.h"
#undef real_t
}  // namespace float64

namespace {

struct Entry {
    const char *name;
    const void *float32, *float64;
};

}  // namespace
}  // namespace resident_cg

const void *find_resident_cg_kernel(const std::string &name, Precision precision) {
    using namespace resident_cg;
#define PERDURE_ENTRY(dimensions, kind, uniform, column)                              \
    {                                                                                 \
        "cg_resident_" #dimensions "d_" kind "_" #column,                             \
            address(&resident_cg::float32::cg_resident<dimensions, uniform, column>), \
            address(&resident_cg::float64::cg_resident<dimensions, uniform, column>)  \
    }
#define PERDURE_COLUMNS(dimensions, kind, uniform)                                             \
    PERDURE_ENTRY(dimensions, kind, uniform, 4), PERDURE_ENTRY(dimensions, kind, uniform, 16), \
        PERDURE_ENTRY(dimensions, kind, uniform, 32)
    static const Entry entries[] = {
        PERDURE_COLUMNS(2, "uniform", true),
        PERDURE_COLUMNS(2, "variable", false),
        PERDURE_COLUMNS(3, "uniform", true),
        PERDURE_COLUMNS(3, "variable", false),
    };
#undef PERDURE_COLUMNS
#undef PERDURE_ENTRY
    for (const Entry &entry : entries) {
        if (name == entry.name) {
            return precision == Precision::float32 ? entry.float32 : entry.float64;
        }
    }
    return nullptr;
}

}  // namespace perdure::cuda
