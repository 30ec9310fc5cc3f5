#include "solver/commands/kernels.hpp"

#include <memory>
#include <regex>

#include <fmt/format.h>

#include "solver/backends/compile_kernels.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/precision.hpp"
#include "solver/commands/words.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {
namespace {

struct Options {
    KernelsToCompile what;
    std::string folder;
    std::string backend = "cuda";
    std::string precision;
    std::string architecture = "sm_90";  // CUDA
    int device = 0;                      // OpenCL
};

ExitCode kernels(const Options &options) {
    const BackendChoice backend = backend_of(options.backend);
    if (backend != BackendChoice::cuda && backend != BackendChoice::opencl) {
        throw Failure(ExitCode::case_or_usage,
                      "--backend: kernels are compiled for cuda and opencl only; those for host threads are "
                      "part of the program");
    }
    KernelsToCompile what = options.what;
    what.folder = options.folder;
    if (!options.precision.empty()) {
        what.precision = value_of("--precision", options.precision, all_values<Precision>());
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
    std::string target = options.architecture;
    if (backend == BackendChoice::cuda) {
        compile_cuda_kernels(what, options.architecture, done);
    } else {
        target = compile_opencl_kernels(what, options.device, done);
    }
    print_output("compiled {} for {}{}\n", count_of(compiled, "kernel"), target,
                 failed > 0 ? fmt::format("; {} could not be compiled", failed) : "");
    return failed == 0 ? ExitCode::success : ExitCode::differs_or_internal;
}

}  // namespace

void add_kernels(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *command = program.add_subcommand("kernels", "compile GPU kernels before a run needs them");
    const auto options = std::make_shared<Options>();
    command->add_option("names", options->what.names, "kernels to compile (default: all)")->type_name("NAME");
    command->add_option("--backend", options->backend, "back end to compile for (default: cuda)")
        ->type_name(choices({"cuda", "opencl"}));
    command->add_option("--precision", options->precision, "precision to compile for (default: all)")
        ->type_name(choices<Precision>());
    command
        ->add_option("--architecture", options->architecture,
                     "architecture of the CUDA device, which need not be present (default: sm_90)")
        ->type_name("SM")
        ->check([](const std::string &word) {
            static const std::regex form("(sm|compute)_[0-9]{2,3}[af]?");
            return std::regex_match(word, form)
                       ? ""
                       : fmt::format("expected a name such as sm_90 or compute_90, found '{}'", word);
        });
    command->add_option("--device", options->device, "number of the OpenCL device (default: 0)")
        ->type_name("N")
        ->check(whole_number(0, most_devices));
    command
        ->add_option("--folder", options->folder,
                     "folder for the compiled kernels (default: the user's cache)")
        ->type_name("FOLDER");
    command->add_flag("--several-devices", options->what.several_devices,
                      "compile CUDA kernels for cases that GPUs share (execution.devices)");
    command
        ->add_option_function<std::string>(
            "--transport",
            [options](const std::string &word) {
                options->what.ranks =
                    value_of("--transport", word, all_values<RankTransport>()) == RankTransport::nvshmem
                        ? RanksOfKernel::nvshmem
                        : RanksOfKernel::peers;
            },
            "compile CUDA kernels for cases that processes share, each on a GPU, by that way")
        ->type_name("peer or nvshmem");
    command->add_flag("--check", options->what.only_check,
                      "only check that the kernels compile, which is faster, and keep nothing");
    command->add_option("--jobs", options->what.jobs, "number of kernels to compile at the same time")
        ->type_name("N")
        ->check(whole_number(1, 1024));
    command->footer(
        "Examples:\n  perdure kernels cg heat\n  perdure kernels --architecture sm_80 --jobs 8\n"
        "  perdure kernels cg --backend opencl");
    command->callback([options, &chosen] { chosen = [options] { return kernels(*options); }; });
}

}  // namespace perdure::commands
