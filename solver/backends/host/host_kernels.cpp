#include "solver/backends/host/host_kernels.hpp"

#include "kernels/barrier_self_test.h"
#include "kernels/common.h"
#include "kernels/list.h"
#include "solver/backends/host/kernel_as_group.hpp"

namespace perdure::host {
#define PERDURE_PROGRAM "kernels/programs.h"
#include "solver/backends/both_precisions.hpp"

namespace {

struct Entry {
    const char *name;
    HostKernel float32, float64;
};

#define PERDURE_ENTRY(name) {#name, &with_buffers<&float32::name>, &with_buffers<&float64::name>},
constexpr Entry entries[] = {
    PERDURE_KERNELS(PERDURE_ENTRY){"barrier_self_test", &with_buffers<&barrier_self_test>,
                                   &with_buffers<&barrier_self_test>},
};
#undef PERDURE_ENTRY

}  // namespace

HostKernel find_kernel(const std::string &name, Precision precision) {
    for (const Entry &entry : entries) {
        if (name == entry.name) {
            return precision == Precision::float32 ? entry.float32 : entry.float64;
        }
    }
    return find_experiment(name);
}

}  // namespace perdure::host
