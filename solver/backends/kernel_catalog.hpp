// Lists every kernel by name, with its source file and the variants that it can be compiled for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perdure {

/// experiment: kernels/experiments/list.h. phases: kernels/list.h. resident: kernels/resident/list.h, CUDA alone.
enum class KernelKind { phases, resident, experiment };

struct KernelEntry {
    std::string_view name;
    KernelKind kind = KernelKind::phases;
    std::string_view header;
    std::string_view instance;   // the name, or an instance of a template
    bool by_precision = true;    // there is one for each real_t
    bool uniform_forms = false;  // and one for uniform problems of 2 and of 3 dimensions
    bool mixed = false;          // and one for precision mixed
    bool of_case = false;        // compiled for the formulas of a case (solver/systems), but on host threads
    bool label_forms = false;    // and those for coefficients by labels and for full tensors
};

const std::vector<KernelEntry> &kernel_catalog();

/// About how long NVRTC takes for one, in s: tools/results/h100_compile.txt, where sixteen are compiled at once.
double seconds_to_compile(const KernelEntry &entry);

/// Null when there is none of that name.
const KernelEntry *find_kernel_entry(std::string_view name);

}  // namespace perdure
