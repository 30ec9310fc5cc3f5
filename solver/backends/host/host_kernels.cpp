#include "solver/backends/host/host_kernels.hpp"

#include "kernels/common.h"
#include "kernels/list.h"
#include "kernels/untyped_programs.h"
#include "solver/backends/host/kernel_as_group.hpp"
#include "solver/failure.hpp"

namespace perdure::host {
#if defined(PERDURE_FUSING_KERNELS)
namespace {

bool processor_fuses() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

}  // namespace
#endif

#if defined(PERDURE_FUSING_KERNELS_ALONE)
namespace {

/// `function` where the processor has the instructions that it was compiled to.
template <typename Function>
Function *of_this_processor(Function *function) {
    if (!processor_fuses()) {
        throw Failure(ExitCode::device,
                      "this program was built on another computer, for processors with AVX2 and FMA, which "
                      "this one has not: build it "
                      "here (tools/run), or anywhere with -D PERDURE_THIS_PROCESSOR=OFF");
    }
    return function;
}

}  // namespace
#define PERDURE_FIND(function) of_this_processor(&fusing::function)
#elif defined(PERDURE_FUSING_KERNELS)
#define PERDURE_FIND(function) (processor_fuses() ? &fusing::function : &plain::function)
#else
#define PERDURE_FIND(function) (&plain::function)
#endif

HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel kernel = PERDURE_FIND(find_typed_kernel)(name, precision, form);
    if (kernel != nullptr) {
        return kernel;
    }
#define PERDURE_ENTRY(kernel)              \
    if (name == #kernel) {                 \
        return &with_buffers<&(::kernel)>; \
    }
    PERDURE_UNTYPED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    return find_experiment(name);
}

bool times_parts(const std::string &name, Precision precision, KernelForm form) {
    return PERDURE_FIND(find_typed_kernel)(name, precision, form) != nullptr;
}

}  // namespace perdure::host
