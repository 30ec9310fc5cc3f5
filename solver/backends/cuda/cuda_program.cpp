#include "solver/backends/cuda/cuda_program.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/backends/kernel_catalog.hpp"
#include "solver/backends/kernel_sources.hpp"
#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"
#include "solver/hash.hpp"
#include "solver/version.hpp"

namespace perdure::cuda {
namespace {

/// NVRTC may have no <math.h>.
constexpr const char *infinity = "#define INFINITY __int_as_float(0x7f800000)\n";

constexpr const char *uniform_form =
    "#undef UNIFORM\n"
    "#undef DIMENSIONS\n"
    "#define UNIFORM(grid) ((void)(grid), 1u)\n"
    "#define DIMENSIONS(grid) ((void)(grid), {}u)\n";

/// What transforms solve is uniform: only those forms have them.
std::string form_text(const KernelEntry &entry, KernelForm form) {
    if (!entry.uniform_forms) {
        return "";
    }
    return form == KernelForm::any ? std::string("#define NO_TRANSFORMS\n")
                                   : fmt::format(uniform_form, form == KernelForm::uniform_3d ? 3 : 2);
}

/// Experiments stand in one program: each is small.
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

std::string title_of(const KernelEntry &entry, const KernelVariant &variant) {
    if (entry.kind == KernelKind::experiment) {
        return "experiments";
    }
    std::string title(entry.name);
    if (entry.by_precision) {
        title += fmt::format(", {}", name(variant.precision));
    }
    if (entry.uniform_forms && variant.form != KernelForm::any) {
        title += variant.form == KernelForm::uniform_3d ? ", uniform 3D" : ", uniform 2D";
    }
    return title;
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
    return fmt::format("perdure {}, CUDA {}, sources {}\n{}\n{}\n{}\n", version(), CUDART_VERSION,
                       hash_of_sources(), fmt::join(options, " "), fmt::join(instances, ", "), text);
}

CudaProgram make_program(const KernelVariant &variant, bool instrumented, const std::string &architecture,
                         const std::string &before) {
    const KernelEntry *const entry = find_kernel_entry(variant.kernel);
    const bool mixed = variant.precision == Precision::mixed && entry != nullptr && entry->mixed;
    if (entry == nullptr || (variant.precision == Precision::mixed && entry->by_precision && !mixed)) {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: the CUDA back end has no kernel '{}' in precision {}",
                                  variant.kernel, name(variant.precision)));
    }
    CudaProgram program;
    program.instances = instances_of(*entry);
    program.instance = entry->instance;
    program.title = title_of(*entry, variant);
    // The same bits as other back ends: no contraction, division and square root as IEEE 754 has them.
    program.options = {fmt::format("--gpu-architecture={}", architecture),
                       "--std=c++20",
                       "-fmad=false",
                       "-prec-div=true",
                       "-prec-sqrt=true",
                       "-ftz=false",
                       "-lineinfo",
                       "--device-as-default-execution-space"};
    const bool cooperative =
        (variant.cooperative || entry->kind == KernelKind::experiment) && !cuda_headers().empty();
    if (cooperative) {
        program.options.push_back("-I" + cuda_headers());
        program.options.push_back("-I" + cuda_headers() + "/cccl");
    }
    const bool single = variant.precision == Precision::float32;
    program.text = fmt::format(
        "{}{}{}{}#include \"kernels/common.h\"\n#define real_t {}\nnamespace kernel_text {{\n{}#include "
        "\"{}\"\n}}\n"
        "using namespace kernel_text;\n",
        infinity, before, cooperative ? "#define PERDURE_COOPERATIVE_BARRIER\n" : "",
        instrumented ? "#define PERDURE_PART_TIMES\n" : "",
        single && entry->by_precision ? "float" : "double", form_text(*entry, variant.form),
        mixed ? "kernels/mixed_programs.h" : entry->header);
    return program;
}

std::vector<CudaProgram> all_programs(const std::string &architecture,
                                      const std::vector<std::string> &names) {
    std::vector<CudaProgram> programs;
    std::set<std::string> known;
    for (const KernelEntry &entry : kernel_catalog()) {
        if (!names.empty() && std::find(names.begin(), names.end(), entry.name) == names.end()) {
            continue;
        }
        for (const Precision precision : {Precision::float32, Precision::float64, Precision::mixed}) {
            if (precision == Precision::mixed && !entry.mixed) {
                continue;
            }
            for (const KernelForm form : {KernelForm::any, KernelForm::uniform_2d, KernelForm::uniform_3d}) {
                CudaProgram program =
                    make_program({std::string(entry.name), precision, form}, false, architecture);
                if (known.insert(program.key()).second) {
                    programs.push_back(std::move(program));
                }
            }
        }
    }
    return programs;
}

}  // namespace perdure::cuda
