#include "solver/backends/kernel_catalog.hpp"

#include <algorithm>

#include "kernels/experiments/list.h"
#include "kernels/list.h"
#include "kernels/resident/list.h"

namespace perdure {
namespace {

std::vector<KernelEntry> make_catalog() {
    std::vector<KernelEntry> entries;
#define PERDURE_ENTRY(kernel) \
    entries.push_back(        \
        {#kernel, KernelKind::phases, "kernels/" #kernel ".h", #kernel, true, false, false, false});
    PERDURE_KERNELS(PERDURE_ENTRY)
    PERDURE_KERNELS_OF_CASES(PERDURE_ENTRY)
    PERDURE_BESIDE_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel) \
    entries.push_back(        \
        {#kernel, KernelKind::phases, "kernels/" #kernel ".h", #kernel, false, false, false, false});
    PERDURE_UNTYPED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel, file) \
    entries.push_back({#kernel, KernelKind::experiment, file, #kernel, false, false, false, false});
    PERDURE_EXPERIMENTS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    std::string_view header;
#define PERDURE_ENTRY(kernel, ...) \
    entries.push_back({#kernel, KernelKind::resident, header, #__VA_ARGS__, true, false, false, false});
    header = "kernels/resident/on_chip_kernels_2d.h";
    PERDURE_ON_CHIP_2D_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/wide_kernels_2d.h";
    PERDURE_WIDE_2D_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/box_kernels_3d.h";
    PERDURE_BOX_3D_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/pipeline_kernels_2d.h";
    PERDURE_PIPELINE_2D_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/pipeline_kernels_3d.h";
    PERDURE_PIPELINE_3D_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/system_tiles_2d.h";
    PERDURE_SYSTEM_TILES_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/cg_on_chip_kernels.h";
    PERDURE_CG_ON_CHIP_KERNELS(PERDURE_ENTRY)
    header = "kernels/resident/cg_streamed_kernels.h";
    PERDURE_CG_STREAMED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    for (KernelEntry &entry : entries) {
#define PERDURE_ENTRY(kernel) entry.of_case = entry.of_case || entry.name == #kernel;
        PERDURE_KERNELS_OF_CASES(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel, instance) entry.of_case = entry.of_case || entry.name == #kernel;
        PERDURE_SYSTEM_TILES_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel) entry.uniform_forms = entry.uniform_forms || entry.name == #kernel;
        PERDURE_UNIFORM_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel) entry.mixed = entry.mixed || entry.name == #kernel;
        PERDURE_MIXED_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
#define PERDURE_ENTRY(kernel) entry.label_forms = entry.label_forms || entry.name == #kernel;
        PERDURE_LABEL_KERNELS(PERDURE_ENTRY)
#undef PERDURE_ENTRY
    }
    return entries;
}

}  // namespace

const std::vector<KernelEntry> &kernel_catalog() {
    static const std::vector<KernelEntry> catalog = make_catalog();
    return catalog;
}

double seconds_to_compile(const KernelEntry &entry) {
    constexpr double resident = 15.0;
    constexpr double with_cycles = 12.0;
    constexpr double others = 1.0;
    return entry.kind == KernelKind::resident ? resident : entry.uniform_forms ? with_cycles : others;
}

const KernelEntry *find_kernel_entry(std::string_view name) {
    const std::vector<KernelEntry> &catalog = kernel_catalog();
    const auto found = std::find_if(catalog.begin(), catalog.end(),
                                    [&](const KernelEntry &entry) { return entry.name == name; });
    return found == catalog.end() ? nullptr : &*found;
}

}  // namespace perdure
