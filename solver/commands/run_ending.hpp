// The end of a run, whose result may still be written while the next case runs.
#pragma once

#include <memory>
#include <string>

#include "solver/commands/batch_messages.hpp"
#include "solver/output/claim.hpp"
#include "solver/output/run_output.hpp"
#include "solver/output/summary.hpp"

namespace perdure::commands {

struct RunEnding {
    Config config;
    Grid grid;
    Report report;
    std::string explanation;  // of --explain
    Claim claim;              // on the output name, given up once the result is there
    std::unique_ptr<RunOutput> output;
    bool
        of_batch;  // its time has ended when it handed over its result; else it goes on until the result is there
};

/// Waits until the result is on the disk and has its name, says what became of it, and returns its row of the table. Throws
/// Failure(input_output).
SummaryRow say_result(const RunEnding &ending, const BatchMessages &messages);

}  // namespace perdure::commands
