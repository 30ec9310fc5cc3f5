#include "solver/backends/host/host_kernels.hpp"

#include <cstddef>
#include <utility>

#include "kernels/barrier_self_test.h"
#include "kernels/common.h"
#include "kernels/list.h"

namespace perdure::host {
namespace float32 {
#define real_t float
#include "kernels/programs.h"
#undef real_t
}  // namespace float32

namespace float64 {
#define real_t double
#include "kernels/programs.h"
#undef real_t
}  // namespace float64

namespace {

template <auto kernel, typename... Pointers, std::size_t... index>
void call(const run_parameters_t &parameters, void *const *buffers, void (*)(run_parameters_t, Pointers...),
          std::index_sequence<index...>) {
    kernel(parameters, static_cast<Pointers>(buffers[index])...);
}

template <auto kernel, typename... Pointers>
void call(const run_parameters_t &parameters, void *const *buffers,
          void (*type)(run_parameters_t, Pointers...)) {
    call<kernel>(parameters, buffers, type, std::index_sequence_for<Pointers...>{});
}

template <auto kernel>
void with_buffers(const run_parameters_t &parameters, void *const *buffers) {
    call<kernel>(parameters, buffers, kernel);
}

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
    return nullptr;
}

}  // namespace perdure::host
