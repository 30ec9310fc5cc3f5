#include "solver/backends/compile_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/kernel_catalog.hpp"
#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure {

void check_kernel_names(const std::vector<std::string> &names) {
    for (const std::string &name : names) {
        if (find_kernel_entry(name) == nullptr) {
            std::vector<std::string> known;
            for (const KernelEntry &entry : kernel_catalog()) {
                known.emplace_back(entry.name);
            }
            const std::string near = closest(name, known);
            throw Failure(ExitCode::case_or_usage,
                          near.empty() ? fmt::format("unknown kernel '{}'; the kernels are {}", name,
                                                     fmt::join(known, ", "))
                                       : fmt::format("unknown kernel '{}'; did you mean '{}'?", name, near));
        }
    }
}

void compile_programs(const KernelsToCompile &what, const std::vector<ProgramToCompile> &programs,
                      const ProgramDone &done) {
    using Clock = std::chrono::steady_clock;
    KernelCache cache = what.only_check ? KernelCache({}, 0)
                        : what.folder.empty()
                            ? KernelCache()
                            : KernelCache(what.folder, std::numeric_limits<std::uintmax_t>::max());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t i = next++; i < programs.size(); i = next++) {
            CompiledProgram report{programs[i].title, 0.0, ""};
            const Clock::time_point begin = Clock::now();
            try {
                programs[i].compile(cache);
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
        throw Failure(ExitCode::input_output,
                      "the kernels were compiled but could not be kept: " + cache.trouble());
    }
}

}  // namespace perdure
