#include <fmt/format.h>

#include "solver/backends/compile_kernels.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/words.hpp"
#include "solver/failure.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {

ExitCode kernels(const KernelsOptions &options) {
    const BackendChoice backend = backend_of(options.backend);
    if (backend != BackendChoice::cuda && backend != BackendChoice::opencl) {
        throw Failure(ExitCode::case_or_usage,
                      "--backend: kernels are compiled for cuda or opencl; host threads have them already");
    }
    int compiled = 0;
    int failed = 0;
    const auto done = [&](const CompiledProgram &program) {
        if (program.failure.empty()) {
            ++compiled;
            print_output("{:60} {:6.2f} s\n", program.kernel, program.seconds);
        } else {
            ++failed;
            print_message("error: {}: {}\n", program.kernel, program.failure);
        }
    };
    const KernelsToCompile what{options.names, options.folder, options.only_check, options.jobs};
    std::string target = options.architecture;
    if (backend == BackendChoice::cuda) {
        compile_cuda_kernels(what, options.architecture, done);
    } else {
        target = compile_opencl_kernels(what, options.device, done);
    }
    print_output("{} programs compiled for {}, {} failed\n", compiled, target, failed);
    return failed == 0 ? ExitCode::success : ExitCode::differs_or_internal;
}

}  // namespace perdure::commands
