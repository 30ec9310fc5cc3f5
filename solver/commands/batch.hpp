// The cases of one call of `perdure run`: a batch when there are several.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/commands/batch_member.hpp"
#include "solver/commands/batch_messages.hpp"
#include "solver/commands/batch_table.hpp"
#include "solver/commands/case_start.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/run_ending.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/run/open_devices.hpp"

namespace perdure::commands {

class Batch {
  public:
    explicit Batch(CaseOptions &options);

    ExitCode run();

  private:
    ExitCode run_one(const Config &config);
    /// Takes the name of the case where no earlier run finished it and no other process has it.
    void look_at(const Config &config, CaseStart &start) const;
    /// `from`: null where the run begins. `cases`: among which it may run together with others.
    void prepare(const Config &config, const Checkpoint *from, std::size_t cases, CaseStart &start);
    /// Both, in another thread and before its turn, where it will run together with others.
    void start_ahead(const Config &config);
    /// Whether an earlier result is in the way.
    [[nodiscard]] bool replaces(const EarlierRun &earlier) const {
        return options_.force || earlier.state == EarlierRun::State::unfinished;
    }
    ExitCode solve(CaseStart &start);

    /// The case runs while others are prepared and written; its result is taken when it is its turn.
    ExitCode run_beside_others(CaseStart &start);
    [[nodiscard]] std::unique_ptr<RunOutput> output_of_member(const CaseStart &start) const;
    /// `is_said`: the case has been announced.
    void finish(BatchMember &member, bool is_said);
    void finish_first();
    /// What can be finished without waiting.
    void finish_ready();
    /// What waits for its turn is said before what comes behind it.
    void finish_waiting();

    /// Waits for the results of the runs before, says what became of them, and puts their rows into the table: a row says that a result
    /// is there once it is. Then the case that has begun meanwhile is announced. The worst code of results that could not be written.
    ExitCode settle();
    void settle_first();
    /// The same before all processes end.
    void finish_what_is_there();
    /// Whether the result that is to be settled first is there.
    [[nodiscard]] bool has_written() const;
    void say_begun();

    /// With --force an earlier result counts only where another process of this moment made it. Of one case alone a finished one counts:
    /// what else has its name is refused later.
    [[nodiscard]] EarlierRun find_earlier(const Config &config) const;
    void put_row(SummaryRow row, const Config *config);
    ExitCode report_and_put_row(const Failure &failure, const Config &config);

    ExitCode skip(const Config &config, const EarlierRun &earlier);
    ExitCode skip_in_turn(const Config &config, const EarlierRun &earlier);
    /// A member of a batch that another process computes at this moment.
    ExitCode skip_claimed(const Config &config, const ClaimHolder &holder, std::string result);
    void add_failure(const BatchCase &failed, const Config *config, const Failure &failure);

    /// Behind the last case. The code of the whole call.
    ExitCode end(ExitCode worst);
    /// Cases that another process was computing, and is not any more: what it finished is taken, what it left is computed.
    ExitCode run_what_others_left();

    CaseOptions &options_;
    std::vector<BatchCase> cases_;
    bool several_ = are_several(cases_);
    BatchMessages messages_{options_, several_};
    std::set<std::string> warned_of_;  // what members of a sweep have in common is said once
    BatchTable table_{table_of(cases_, options_)};
    OpenDevices devices_;
    StartsAhead starts_;
    std::size_t skipped_ = 0;
    /// A run whose result is being written. Those of members are written several at a time.
    struct Ending {
        std::unique_ptr<RunEnding> run;
        bool is_said = true;  // the case has been announced
    };
    std::deque<Ending> endings_;
    ExitCode late_ = ExitCode::success;      // of results that could not be written while the next case ran
    const Config *begun_ = nullptr;          // the case that runs, until it is announced
    std::shared_ptr<TimeSince> time_spent_;  // on the case that runs
    const BatchTable::Claimed *again_ = nullptr;  // the case that is looked at once more
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
    /// What is to be said of cases behind those that run together, in their order. Last: members end before what they use.
    struct Turn {
        std::function<bool()> is_ready;
        std::function<void()> take;
    };
    std::deque<Turn> waiting_;
};

}  // namespace perdure::commands
