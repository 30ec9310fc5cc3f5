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

namespace {

/// A kernel that exists once per real type, or null.
HostKernel find_kernel_of_real_type(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel by_labels_alone = by_labels(form) ? find_label_kernel(name, precision) : nullptr;
    return by_labels_alone != nullptr ? by_labels_alone
                                      : PERDURE_FIND(find_typed_kernel)(name, precision, form);
}

}  // namespace

HostKernel find_kernel(const std::string &name, Precision precision, KernelForm form) {
    const HostKernel kernel = find_kernel_of_real_type(name, precision, form);
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
    return find_kernel_of_real_type(name, precision, form) != nullptr;
}

}  // namespace perdure::host
