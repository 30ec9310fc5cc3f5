#include "solver/backends/compile_kernels.hpp"
#include "solver/backends/cuda/cuda_program.hpp"
#include "solver/backends/cuda/link_kernels.hpp"
#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/backends/cuda/nvshmem.hpp"

namespace perdure {

void compile_cuda_kernels(const KernelsToCompile &what, const std::string &architecture,
                          const ProgramDone &done) {
    check_kernel_names(what.names);
    (void)cuda::nvrtc_version();  // where there is none, that is said once
    if (const std::string reason = what.ranks == RanksOfKernel::nvshmem ? cuda::nvshmem::why_not() : "";
        !reason.empty()) {
        throw Failure(ExitCode::device, reason);
    }
    std::vector<ProgramToCompile> programs;
    for (cuda::CudaProgram &program : cuda::all_programs(architecture, what)) {
        if (what.only_check) {
            program.options.emplace_back(cuda::compile_quickly);
        }
        programs.push_back({program.title, [program](KernelCache &cache) {
                                (void)cache.get(program.key(), [&] { return cuda::compile(program); });
                            }});
    }
    compile_programs(what, programs, done);
}

}  // namespace perdure
