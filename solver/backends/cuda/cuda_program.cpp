#include "solver/backends/cuda/cuda_program.hpp"

#include <cuda_runtime_api.h>

#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/backends/kernel_catalog.hpp"
#include "solver/backends/kernel_sources.hpp"
#include "solver/backends/kernel_text.hpp"
#include "solver/hash.hpp"
#include "solver/version.hpp"

namespace perdure::cuda {
namespace {

/// NVRTC may have no <math.h>.
constexpr const char *infinity = "#define INFINITY __int_as_float(0x7f800000)\n";

/// Experiments stand in one program: each is small.
constexpr std::string_view all_experiments = "kernels/experiments/program.h";

std::vector<std::string> instances_of(const KernelEntry &asked) {
    if (asked.kind != KernelKind::experiment) {
        return {std::string(asked.instance)};
    }
    std::vector<std::string> instances;
    for (const KernelEntry &entry : kernel_catalog()) {
        if (entry.kind == KernelKind::experiment) {
            instances.emplace_back(entry.instance);
        }
    }
    return instances;
}

std::string definitions_of(RanksOfKernel ranks) {
    switch (ranks) {
        case RanksOfKernel::none:
            return {};
        case RanksOfKernel::peers:
            return "#define PERDURE_RANKS\n";
        default:  // the version: code in the cache is linked with it
            return fmt::format("/* {} */\n#define PERDURE_RANKS\n#define PERDURE_NVSHMEM\n",
                               nvshmem::version());
    }
}

/// Of all that a program may include.
const std::string &hash_of_sources() {
    static const std::string known = [] {
        Hash hash;
        for (const KernelSource &source : kernel_sources()) {
            hash.add(source.path);
            hash.add("\n");
            hash.add(source.text);
        }
        return hash.text();
    }();
    return known;
}

}  // namespace

std::string CudaProgram::key() const {
    return fmt::format("perdure {}, CUDA {}, sources {}\n{}\n{}\n{}\n", perdure::version(), CUDART_VERSION,
                       hash_of_sources(), fmt::join(options, " "), fmt::join(instances, ", "), text);
}

CudaProgram make_program(const KernelVariant &variant, bool instrumented, const std::string &architecture,
                         const std::string &before) {
    const KernelText text = kernel_text(variant);
    const bool experiment = text.entry->kind == KernelKind::experiment;
    CudaProgram program;
    program.instances = instances_of(*text.entry);
    program.instance = text.entry->instance;
    program.title = experiment ? "experiments" : text.title;
    program.architecture = architecture;
    program.has_nvshmem = variant.ranks == RanksOfKernel::nvshmem;
    // The same bits as other back ends: no contraction, division and square root as IEEE 754 has them.
    program.options = {fmt::format("--gpu-architecture={}", architecture),
                       "--std=c++20",
                       "-fmad=false",
                       "-prec-div=true",
                       "-prec-sqrt=true",
                       "-ftz=false",
                       "-lineinfo",
                       "--device-as-default-execution-space"};
    if (program.has_nvshmem) {
        program.options.emplace_back("--relocatable-device-code=true");
    }
    const bool cooperative = (variant.cooperative || experiment) && !cuda_headers().empty();
    if (cooperative) {
        program.options.push_back("-I" + cuda_headers());
        program.options.push_back("-I" + cuda_headers() + "/cccl");
    }
    program.text = fmt::format(
        "{}{}{}{}{}{}{}#include \"kernels/common.h\"\n#define real_t {}\nnamespace kernel_text "
        "{{\n{}#include "
        "\"{}\"\n}}\n"
        "using namespace kernel_text;\n",
        infinity, before, cooperative ? "#define PERDURE_COOPERATIVE_BARRIER\n" : "",
        instrumented ? "#define PERDURE_PART_TIMES\n" : "",
        variant.several_devices ? "#define PERDURE_SEVERAL_DEVICES\n" : "", definitions_of(variant.ranks),
        variant.ensemble ? "#define PERDURE_ENSEMBLE\n#include \"kernels/ensemble.h\"\n" : "", text.real_type,
        text.form_definitions, experiment ? all_experiments : text.header);
    return program;
}

std::vector<CudaProgram> all_programs(const std::string &architecture, const KernelsToCompile &what) {
    std::vector<CudaProgram> programs;
    std::set<std::string> known;
    for (KernelVariant variant : kernel_variants(what.names, what.precision)) {
        variant.several_devices = what.several_devices;
        variant.ranks = what.ranks;
        CudaProgram program = make_program(variant, false, architecture);
        if (known.insert(program.key()).second) {
            programs.push_back(std::move(program));
        }
    }
    return programs;
}

}  // namespace perdure::cuda
