// A kernel and the options that it is compiled for.
#pragma once

#include <string>

#include "solver/case_file/precision.hpp"

namespace perdure {

/// The problems that a kernel was compiled for: any, or of 2 or of 3 dimensions those that are uniform, or whose coefficients come by
/// labels (kernels/labels.h) in other arguments, or are full tensors with cross terms (kernels/cross_terms.h) in further arguments.
enum class KernelForm { any, uniform_2d, uniform_3d, labels_2d, labels_3d, tensors_2d, tensors_3d };

constexpr KernelForm form_of_uniform(int dimensions) {
    return dimensions == 3 ? KernelForm::uniform_3d : KernelForm::uniform_2d;
}
constexpr KernelForm form_by_labels(int dimensions) {
    return dimensions == 3 ? KernelForm::labels_3d : KernelForm::labels_2d;
}
constexpr KernelForm form_of_tensors(int dimensions) {
    return dimensions == 3 ? KernelForm::tensors_3d : KernelForm::tensors_2d;
}
constexpr bool has_tensors(KernelForm form) {
    return form == KernelForm::tensors_2d || form == KernelForm::tensors_3d;
}
constexpr bool by_labels(KernelForm form) {
    return form == KernelForm::labels_2d || form == KernelForm::labels_3d;
}

/// Whether kernels tell those of other ranks what they have made (kernels/device_ranks.h), and by which way (sync/put_signal.h).
enum class RanksOfKernel { none, peers, nvshmem };

struct KernelVariant {
    std::string kernel;  // a name of solver/backends/kernel_catalog.hpp
    Precision precision = Precision::float64;
    KernelForm form = KernelForm::any;
    bool cooperative = false;      // with the grid barrier of the platform
    std::string definitions = {};  // text of a case before it (KernelEntry::of_case)
    bool ensemble = false;         // for many members in one launch (kernels/ensemble.h)
    bool several_devices = false;  // for launches over several devices (sync/dialect_cuda.h)
    RanksOfKernel ranks = RanksOfKernel::none;
};

}  // namespace perdure
