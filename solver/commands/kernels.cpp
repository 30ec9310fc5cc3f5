#include <fmt/format.h>

#include "solver/backends/compile_kernels.hpp"
#include "solver/commands/commands.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {

ExitCode kernels(const KernelsOptions &options) {
    int compiled = 0;
    int failed = 0;
    compile_cuda_kernels(
        {options.names, options.architecture, options.folder, options.only_check, options.jobs},
        [&](const CompiledProgram &program) {
            if (program.failure.empty()) {
                ++compiled;
                print_output("{:60} {:6.2f} s\n", program.kernel, program.seconds);
            } else {
                ++failed;
                print_message("error: {}: {}\n", program.kernel, program.failure);
            }
        });
    print_output("{} programs compiled for {}, {} failed\n", compiled, options.architecture, failed);
    return failed == 0 ? ExitCode::success : ExitCode::differs_or_internal;
}

}  // namespace perdure::commands
