#include "solver/backends/compile_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_program.hpp"
#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/backends/kernel_catalog.hpp"
#include "solver/failure.hpp"

namespace perdure {
namespace {

using Clock = std::chrono::steady_clock;

void check_names(const std::vector<std::string> &names) {
    for (const std::string &name : names) {
        if (find_kernel_entry(name) == nullptr) {
            std::string known;
            for (const KernelEntry &entry : kernel_catalog()) {
                known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
            }
            throw Failure(ExitCode::case_or_usage,
                          fmt::format("there is no kernel '{}'; there are {}", name, known));
        }
    }
}

}  // namespace

void compile_cuda_kernels(const KernelsToCompile &what,
                          const std::function<void(const CompiledProgram &)> &done) {
    check_names(what.names);
    (void)cuda::nvrtc_version();  // where there is none, that is said once
    std::vector<cuda::CudaProgram> programs = cuda::all_programs(what.architecture, what.names);
    KernelCache cache = what.only_check ? KernelCache({}, 0)
                        : what.folder.empty()
                            ? KernelCache()
                            : KernelCache(what.folder, std::numeric_limits<std::uintmax_t>::max());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t i = next++; i < programs.size(); i = next++) {
            cuda::CudaProgram &program = programs[i];
            CompiledProgram report{program.title, 0.0, ""};
            const Clock::time_point begin = Clock::now();
            try {
                if (what.only_check) {
                    program.options.emplace_back(cuda::compile_quickly);
                }
                (void)cache.get(program.key(), [&] {
                    return cuda::compile(program.text, program.instances, program.options);
                });
            } catch (const Failure &failure) {
                report.failure = failure.what();
            }
            report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
            const std::scoped_lock lock(mutex);
            done(report);
        }
    };
    std::vector<std::thread> workers;
    for (int job = 0; job < std::max(1, what.jobs); ++job) {
        workers.emplace_back(work);
    }
    for (std::thread &worker : workers) {
        worker.join();
    }
    if (!what.only_check && !cache.trouble().empty()) {
        throw Failure(ExitCode::input_output, "the kernels were compiled and not kept: " + cache.trouble());
    }
}

}  // namespace perdure
