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
    bool
        of_batch;  // its time has ended when it handed over its result; else it goes on until the result is there
    /// Messages and the row of the table, once the result is written.
    struct Summary {
        bool has_changed_data = false;
        BatchMessages::OfReport messages;
        SummaryRow row;
    } summary;
    std::unique_ptr<RunOutput> output;  // last: its thread ends before what it uses
};

/// Hands over the result to be written. Of a batch, the thread that writes it also makes the messages and the row, and gives up the claim.
std::unique_ptr<RunEnding> end_run(RunEnding ending, Solution last, const BatchMessages &messages);

/// The same of a member of an ensemble by its own thread, which writes the result; what that throws say_result() throws.
std::unique_ptr<RunEnding> end_run_here(RunEnding ending, Solution last, const BatchMessages &messages);

/// Waits until the result is on the disk and has its name, says what became of it, and returns its row of the table. Throws
/// Failure(input_output).
SummaryRow say_result(RunEnding &ending, const BatchMessages &messages);

}  // namespace perdure::commands
