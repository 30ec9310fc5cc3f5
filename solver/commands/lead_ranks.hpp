// Runs of several processes that an MPI launcher started: rank 0 leads, as the one process of `perdure run` does alone; the others run what
// it runs, each its part of the grid, and neither print nor write.
#pragma once

#include <functional>
#include <string>

#include "solver/failure.hpp"
#include "solver/run/case_solves.hpp"

namespace perdure::commands {

/// `model: auto` is persistent where ranks share the case: models cannot be measured by one of them.
void choose_model_of_ranks(Config &config);

/// run_prepared(), by all ranks together. What fails in all of them before the first launch is a failure of this case alone; a later one ends
/// all processes, which have lost step. `before_end`: what rank 0 does before.
Solution run_with_ranks(PreparedCase &prepared, Progress::Style style, const ResultSink &sink,
                        const std::function<void()> &before_end);

/// CaseSolves::each(), by all ranks together: rank 0 calls `visit`, which makes each solve once by run_case(); the others make it, too.
std::string each_with_ranks(PreparedCase &prepared, const SolveVisitor &visit);

/// What all ranks do with a case; `more`: what rank 0 tells the others of it besides.
using WorkOnCase = std::function<void(const Config &config, const std::string &more)>;

/// `work` by all ranks together, which never wait for one that has failed: what it throws, it throws in all ranks. Throws Failure(device)
/// where another rank cannot read the case.
void work_with_ranks(const Config &config, const std::string &more, const WorkOnCase &work);

/// A command of which a launcher may have started several processes. Rank 0 does what the command does: `lead`. The others run what rank 0
/// runs, and do `work` where it calls work_with_ranks(), until that is over, and end with its exit code.
ExitCode by_all_ranks(const std::function<ExitCode()> &lead, const WorkOnCase &work = {});

}  // namespace perdure::commands
