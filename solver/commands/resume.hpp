// `perdure run --resume`: finds and checks the checkpoint to continue from.
#pragma once

#include <memory>

#include "solver/commands/commands.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/run_output.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {

/// The newest checkpoint of the case that is whole, if the options ask for it; null where there is none, and says so. Without --resume and
/// --force a single case that has one is refused. Throws Failure(case_or_usage) where the case is
/// another by now, with what differs, and Failure(bad_input) where its data files are; warns of what may differ. `earlier`: what is known
/// of the case; then that it has not ended, where no result is in the way.
std::shared_ptr<const Checkpoint> find_resumable(const Config &config, const CaseOptions &options,
                                                 bool of_batch, EarlierRun &earlier);

/// The case with the plan of the checkpoint in place of what it leaves to be chosen.
Config planned_as(const Checkpoint &checkpoint, Config config);

/// What the plan of a case cannot ask for. `checkpoint`: null where the run begins.
void go_on_from(std::shared_ptr<const Checkpoint> checkpoint, PreparedCase &prepared);

/// The run leaves checkpoints in `output`, and stops in time, as the case asks. Both must outlive it.
void leave_checkpoints(const Config &config, RunOutput &output, PreparedCase &prepared);

}  // namespace perdure::commands
