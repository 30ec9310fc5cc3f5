#include "solver/backends/cuda/cuda_kernels.hpp"

#include "kernels/common.h"
#include "kernels/list.h"

namespace perdure::cuda {
// A namespace of its own: other back ends have a barrier_self_test of the same signature.
#include "kernels/barrier_self_test.h"

#define PERDURE_PROGRAM "kernels/programs.h"
#include "solver/backends/both_precisions.hpp"

namespace {

struct Entry {
    const char *name;
    const void *float32, *float64;
};

}  // namespace

const void *find_kernel(const std::string &name, Precision precision) {
#define PERDURE_ENTRY(name) {#name, address(&float32::name), address(&float64::name)},
    static const Entry entries[] = {
        PERDURE_KERNELS(PERDURE_ENTRY){"barrier_self_test", address(&barrier_self_test),
                                       address(&barrier_self_test)},
    };
#undef PERDURE_ENTRY
    for (const Entry &entry : entries) {
        if (name == entry.name) {
            return precision == Precision::float32 ? entry.float32 : entry.float64;
        }
    }
    const void *resident = find_resident_kernel(name, precision);
    if (resident == nullptr) {
        resident = find_resident_cg_kernel(name, precision);
    }
    return resident != nullptr ? resident : find_experiment(name);
}

}  // namespace perdure::cuda
