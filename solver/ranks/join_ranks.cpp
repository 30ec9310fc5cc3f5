#include <dlfcn.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "solver/failure.hpp"
#include "solver/messages.hpp"
#include "solver/ranks/open_mpi_ranks.hpp"
#include "solver/ranks/ranks.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

Ranks *joined = nullptr;

int number_in(const char *variable) {
    const char *const text = std::getenv(variable);
    int number = 0;
    if (text != nullptr) {
        std::from_chars(text, text + std::strlen(text), number);
    }
    return number;
}

/// Processes that the launcher says it started: Open MPI's, that of MPICH and Intel MPI, and Slurm's with PMIx.
int processes_started() {
    for (const char *variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (const int processes = number_in(variable); processes > 0) {
            return processes;
        }
    }
    return std::getenv("PMIX_RANK") != nullptr ? number_in("SLURM_STEP_NUM_TASKS") : 1;
}

/// But for the name of the program.
bool have_one_command_line(Ranks &ranks) {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string program, words;
    std::getline(file, program, '\0');
    std::getline(file, words, '\n');
    const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(words));
    std::array<std::int64_t, 2> least{hash, ~hash};
    ranks.least(least);
    return least[0] == ~least[1];
}

/// The module lies beside the program where it was built, in a folder of its own where it was installed.
void *open_module(std::string &why) {
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path &file :
         {folder / mpi_module, folder.parent_path() / "lib" / "perdure" / mpi_module}) {
        if (fs::exists(file, error)) {
            // Open MPI's own modules look for its symbols among the global ones.
            void *const module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
            const char *const reason = module == nullptr ? dlerror() : nullptr;
            why = reason != nullptr ? reason : "";
            return module;
        }
    }
    why = fmt::format("there is no {} beside it", mpi_module);
    return nullptr;
}

}  // namespace

Ranks *ranks() {
    return joined;
}

bool in_any_rank(bool here) {
    std::int64_t least = here ? 0 : 1;
    if (joined != nullptr) {
        joined->least({&least, 1});
    }
    return least == 0;
}

double seconds_of_slowest(double here) {
    if (joined == nullptr) {
        return here;
    }
    std::int64_t least = -std::llround(1.0e9 * here);  // negated: the least of them is the longest
    joined->least({&least, 1});
    return 1.0e-9 * static_cast<double>(-least);
}

void in_all_ranks(const std::function<void()> &work) {
    std::exception_ptr failed;
    try {
        work();
    } catch (...) {
        failed = std::current_exception();
    }
    const int index = joined != nullptr ? joined->index() : 0,
              count = joined != nullptr ? joined->count() : 1;
    std::int64_t first = failed ? index : count;  // that failed
    if (joined != nullptr) {
        joined->least({&first, 1});
    }
    if (failed) {
        std::rethrow_exception(failed);
    }
    if (first < count) {
        throw Failure(
            ExitCode::device,
            fmt::format("process {} of {} failed; start the command without the launcher on its host "
                        "to see why",
                        first, count));
    }
}

void end_all_ranks(const Failure &failure) {
    if (joined != nullptr) {
        joined->give_up(static_cast<int>(failure.code()), failure.what());
    }
}

void join_ranks() {
    const int processes = processes_started();
    if (processes <= 1) {
        return;
    }
    std::string why;
    void *const module = open_module(why);
    void *const open = module != nullptr ? dlsym(module, "perdure_open_mpi_ranks") : nullptr;
    if (open == nullptr) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("an MPI launcher started {} processes to share the case, but this perdure has no MPI "
                        "({}); build it where MPI is installed (libopenmpi-dev), or start one process "
                        "without the launcher",
                        processes, why));
    }
    OpenMpiRanks *opener = nullptr;
    std::memcpy(&opener, &open, sizeof opener);
    Ranks *const found = opener();
    if (found->count() != processes) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("the launcher started {} processes, but perdure's MPI sees {}: the launcher "
                        "belongs to another MPI than perdure was built with; use that MPI's launcher",
                        processes, found->count()));
    }
    if (have_one_command_line(*found)) {
        joined = found;
        return;
    }
    if (found->index() == 0) {
        print_notice("the {} processes have different command lines: each runs what it is asked to, alone\n",
                     processes);
    }
    found->leave();
}

}  // namespace perdure
