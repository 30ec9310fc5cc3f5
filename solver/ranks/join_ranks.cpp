#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

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
    std::string program;
    std::getline(file, program, '\0');
    const std::string words{std::istreambuf_iterator<char>(file), {}};
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

int first_rank_where(bool here) {
    if (joined == nullptr) {
        return here ? 0 : 1;
    }
    std::int64_t least = here ? joined->index() : joined->count();
    joined->least({&least, 1});
    return static_cast<int>(least);
}

bool in_any_rank(bool here) {
    return first_rank_where(here) < (joined != nullptr ? joined->count() : 1);
}

double seconds_of_slowest(double here) {
    if (joined == nullptr) {
        return here;
    }
    std::int64_t least = -std::llround(1.0e9 * here);  // negated: the least of them is the longest
    joined->least({&least, 1});
    return 1.0e-9 * static_cast<double>(-least);
}

void gather_at_first(Ranks &ranks, std::byte *own, std::byte *all, std::span<const std::size_t> ends) {
    std::vector<Ranks::Piece> sent, received;
    std::size_t begin = 0;
    for (int rank = 0; rank < ranks.count(); ++rank) {
        const std::size_t end = ends[static_cast<std::size_t>(rank)], bytes = end - begin;
        if (rank == ranks.index() && rank > 0) {
            sent.push_back({0, 0, own, bytes, bytes});
        } else if (rank > 0 && ranks.index() == 0) {
            received.push_back({rank, 0, all + begin, 0, bytes});
        } else if (rank == 0 && ranks.index() == 0 && own != all) {
            std::memcpy(all, own, bytes);
        }
        begin = end;
    }
    ranks.exchange(sent, received);
}

namespace {

/// What failed, as others are told of it.
Failure failure_of(const std::exception_ptr &failed) {
    try {
        std::rethrow_exception(failed);
    } catch (const Failure &failure) {
        return failure;
    } catch (const std::exception &error) {
        return {ExitCode::differs_or_internal, error.what()};
    }
}

/// What failed in rank `first`, in all ranks.
Failure failure_of_rank(int first, const std::exception_ptr &failed) {
    const bool is_mine = joined->index() == first;
    std::string why = is_mine ? failure_of(failed).what() : "";
    std::array<std::int64_t, 2> words{std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::max()};
    if (is_mine) {
        words = {static_cast<std::int64_t>(why.size()), static_cast<std::int64_t>(failure_of(failed).code())};
    }
    joined->least(words);
    why.resize(static_cast<std::size_t>(words[0]));
    std::vector<std::size_t> ends(static_cast<std::size_t>(joined->count()), why.size());
    std::fill_n(ends.begin(), first, 0);
    joined->gather(reinterpret_cast<std::byte *>(why.data()), ends);
    return {static_cast<ExitCode>(words[1]), fmt::format("rank {}: {}", first, why)};
}

}  // namespace

void in_all_ranks(const std::function<void()> &work) {
    std::exception_ptr failed;
    try {
        work();
    } catch (...) {
        failed = std::current_exception();
    }
    if (joined == nullptr) {
        if (failed) {
            std::rethrow_exception(failed);
        }
        return;
    }
    const int first = first_rank_where(failed != nullptr);
    if (first == joined->count()) {
        return;
    }
    const Failure told = failure_of_rank(first, failed);
    if (failed) {
        std::rethrow_exception(failed);
    }
    throw Failure(told);
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
