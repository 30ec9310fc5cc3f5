// Runs a case and keeps its results in memory, for programs that load perdure as a library.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "solver/failure.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/memory_arrays.hpp"
#include "solver/problem/problem.hpp"
#include "solver/run/progress.hpp"

namespace perdure::python {

struct GivenCase {
    std::optional<std::string> text;  // empty: the file `path` is read
    std::filesystem::path
        path;  // of a text: findings name it, and files that it names are relative to its folder
    std::vector<std::string> overrides;  // as those of --set
    std::vector<MemoryArray> arrays;     // that it names
    bool writes = false;                 // also the files that the command would write
    bool replaces = false;               // files of an earlier run, as --force
};

struct RunInMemory {
    Config config;
    Grid grid;
    std::vector<Solution> solutions;  // snapshots in their order; of a steady case one
    std::vector<Diagnostic> warnings;
    std::string file;  // that was written; empty: none
};

/// What a run tells at its checks.
struct Watched {
    ProgressPoint point;
    std::string unit, value, part;
};

/// A run in a thread of its own. Runs of one process come one after the other: a second one waits for the first.
class RunningCase {
  public:
    /// Throws Failure(device) in a process that was forked from one that had used a GPU.
    explicit RunningCase(GivenCase given);
    RunningCase(const RunningCase &) = delete;
    RunningCase &operator=(const RunningCase &) = delete;
    ~RunningCase();

    /// Waits at most for `most`. True: it has ended.
    bool wait(std::chrono::milliseconds most);

    /// The run stops at its next check; one that has not begun does not begin.
    void stop();

    /// What it told last, once.
    std::optional<Watched> watched();

    /// Once it has ended. Throws what it threw, among that Failure.
    RunInMemory take();

  private:
    void run();
    void run_in_turn();
    void begin(bool may_begin);
    void work();
    void end();

    GivenCase given_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool has_ended_ = false, is_stopped_ = false, runs_ = false;
    std::optional<Watched> watched_;
    RunInMemory result_;
    std::exception_ptr thrown_;
    std::thread thread_;
};

/// The process is about to end: stops the runs of other threads, waits until these threads know, and lets no other run begin.
void end_runs();

}  // namespace perdure::python
