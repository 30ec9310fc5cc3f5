#include "solver/python/run_in_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "solver/case_file/case_file.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/run_output.hpp"
#include "solver/run/case_solves.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/time_spent.hpp"

namespace perdure::python {
namespace {

using namespace std::chrono_literals;

/// What the runs of a process share.
struct Shared {
    pid_t process = getpid();
    std::timed_mutex one_run;  // held by the run that is under way
    OpenDevices devices;
    std::atomic<bool> is_ending = false;  // the process
    std::atomic<int> waiting = 0;         // for their runs: threads of the interpreter
};

/// A forked process has none of the threads of its parent, and locks as they were: it gets a new one, and what it had is left alone.
/// Nothing is destroyed at the end of the process, where drivers may have gone before.
Shared &shared() {
    static std::mutex mutex;
    static Shared *current = new Shared;
    const std::lock_guard lock(mutex);
    if (current->process != getpid()) {
        if (current->devices.hold_a_driver()) {
            throw Failure(
                ExitCode::device,
                fmt::format(
                    "this process was forked from process {}, which had used a GPU or OpenCL, and drivers do "
                    "not work after a fork; start processes with multiprocessing.get_context('spawn')",
                    current->process));
        }
        current = new Shared;
    }
    return *current;
}

Config one_config(const GivenCase &given) {
    std::vector<Config> configs = given.text ? load_cases_of_text(*given.text, given.path, given.overrides)
                                             : load_cases(given.path, given.overrides);
    if (configs.front().sweep) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("{}: the case has a sweep of {} members; run it with `perdure run`, or "
                                  "remove 'sweep' and pass its values to perdure.sweep()",
                                  given.path.string(), configs.size()));
    }
    return std::move(configs.front());
}

void refuse_what_is_not_here(const Config &config) {
    if (config.execution.model == ExecutionModel::automatic) {
        throw Failure(ExitCode::case_or_usage,
                      {{Diagnostic::Severity::error,
                        config.execution.model_position,
                        "execution.model: auto is not available in the Python package, because only the "
                        "command `perdure run` measures the models; choose persistent, resident, launches, "
                        "graph or graph_while",
                        {}}});
    }
}

void warn_of_what_is_left_out(const Config &config, std::vector<Diagnostic> &warnings) {
    if (config.output.checkpoint) {
        warnings.push_back({Diagnostic::Severity::warning,
                            config.output.position,
                            "output.checkpoint: a run from Python writes no checkpoints; use `perdure run` "
                            "for a run that must be able to continue after it was killed",
                            {}});
    }
}

/// The files that the command would write, while there are some.
class Files {
  public:
    Files(const GivenCase &given, const Config &config) : config_(config), replaces_(given.replaces) {
        if (!given.writes) {
            return;
        }
        auto claimed = claim_output(config, false);
        if (const auto *holder = std::get_if<ClaimHolder>(&claimed)) {
            throw name_is_taken(config, *holder);
        }
        claim_.emplace(std::move(std::get<Claim>(claimed)));
        const EarlierRun earlier = replaces_ ? EarlierRun() : find_earlier_run(config);
        check_output(config, replaces_ || earlier.state == EarlierRun::State::unfinished, earlier.why);
    }

    void begin(const Grid &grid) {
        if (claim_) {
            output_.emplace(config_, grid, replaces_, [](const std::filesystem::path &, std::size_t) {});
        }
    }
    void add(const Solution &snapshot) {
        if (output_) {
            output_->add(Solution(snapshot));
        }
    }
    /// The file.
    std::string finish(const Solution &last) {
        if (!output_) {
            return {};
        }
        output_->finish(Solution(last));
        return output_->wait().path.string();
    }

  private:
    const Config &config_;
    bool replaces_;
    std::optional<Claim> claim_;
    std::optional<RunOutput> output_;  // it ends before the claim does
};

}  // namespace

RunningCase::RunningCase(GivenCase given) : given_(std::move(given)) {
    Shared &of_process = shared();
    thread_ = std::thread([this] { run(); });
    ++of_process.waiting;
}

RunningCase::~RunningCase() {
    stop();
    thread_.join();
    --shared().waiting;
}

bool RunningCase::wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, most, [this] { return has_ended_; });
}

void RunningCase::stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    if (runs_) {
        ask_to_stop();
    }
}

std::optional<Watched> RunningCase::watched() {
    const std::lock_guard lock(mutex_);
    return std::exchange(watched_, std::nullopt);
}

RunInMemory RunningCase::take() {
    if (thrown_) {
        std::rethrow_exception(thrown_);
    }
    return std::move(result_);
}

void RunningCase::begin(bool may_begin) {
    const std::lock_guard lock(mutex_);
    if (!may_begin || is_stopped_) {
        throw Failure(ExitCode::stopped, "stopped before the run began");
    }
    runs_ = true;
}

/// From here on a request to stop is none of the next run.
void RunningCase::end() {
    const std::lock_guard lock(mutex_);
    runs_ = false;
    forget_stop();
}

void RunningCase::run_in_turn() {
    Shared &of_process = shared();
    std::unique_lock one(of_process.one_run, std::defer_lock);
    const auto is_stopped = [this] {
        const std::lock_guard lock(mutex_);
        return is_stopped_;
    };
    while (!one.try_lock_for(50ms) && !is_stopped()) {
    }
    begin(one.owns_lock() && !of_process.is_ending);
    TimeSpent::make_main();
    try {
        work();
    } catch (...) {
        end();
        throw;
    }
    end();
}

void RunningCase::run() {
    try {
        run_in_turn();
    } catch (...) {
        thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    ended_.notify_all();
}

/// Who waits for a run must be back in the interpreter: it ends such threads wherever they are, and C++ does not take that.
void end_runs() {
    try {
        Shared &of_process = shared();
        of_process.is_ending = true;
        constexpr auto longest = 60s;  // a compilation is not stopped
        const auto begun = std::chrono::steady_clock::now();
        while (of_process.waiting > 0 && std::chrono::steady_clock::now() - begun < longest) {
            ask_to_stop();
            std::this_thread::sleep_for(5ms);
        }
    } catch (const Failure &) {  // a forked process in which nothing can run
    }
}

void RunningCase::work() {
    OpenDevices &devices = shared().devices;
    const auto time_spent = std::make_shared<TimeSince>();
    time_spent->restart();
    try {
        const MemoryArrays arrays(std::move(given_.arrays));
        Config config = one_config(given_);
        refuse_what_is_not_here(config);
        Files files(given_, config);
        PreparedCase prepared = prepare_case(config, devices, [] {});
        prepared.time_spent = time_spent;
        prepared.meanwhile.watch = [this](const ProgressPoint &point, const Counted &counted,
                                          const std::string &part) {
            const std::lock_guard lock(mutex_);
            watched_ = {point, counted.unit, counted.value, part.substr(0, part.find(": "))};
        };
        if (config.execution.time_limit) {
            prepared.resumption.stop_at = std::chrono::steady_clock::now() +
                                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                              std::chrono::duration<double>(*config.execution.time_limit));
        }
        result_.warnings = prepared.problem.warnings;
        warn_of_what_is_left_out(config, result_.warnings);
        result_.grid = prepared.problem.grid;
        files.begin(prepared.problem.grid);
        const auto keep = [&](Solution solution) {
            files.add(solution);
            result_.solutions.push_back(std::move(solution));
        };
        Solution last = run_prepared(prepared, Progress::Style::quiet, {keep, {}});
        result_.file = files.finish(last);
        result_.solutions.push_back(std::move(last));
        result_.config = config;
    } catch (const Failure &failure) {
        devices.close_after(failure);
        devices.kept()->give_back();
        throw;
    }
    devices.kept()->give_back();  // others have a use for the memory of the device until the next run
    time_spent->update();
}

}  // namespace perdure::python
