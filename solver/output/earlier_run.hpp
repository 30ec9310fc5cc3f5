// Finds the results of earlier runs of a case.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/output/solution.hpp"

namespace perdure {

struct EarlierRun {
    enum class State {
        none,        // nothing of this name
        finished,    // of the very same case, and it ended by itself
        unfinished,  // of the very same case, stopped or killed before its end
        other,       // of another case or other data, or the file is damaged
    };
    State state = State::none;
    std::string why;                // other: in words
    bool is_of_other_case = false;  // other: and a result that can be read
    std::filesystem::path file;     // the result, or the last snapshot
    nlohmann::ordered_json report;  // finished: as to_json() gives it
    StopReason stop = StopReason::running;
    std::string outcome;                // finished: that of the report
    std::vector<std::string> remarks;   // finished: what it said besides
    ExitCode code = ExitCode::success;  // finished: of that run
};

/// Of the file or folder that has the name of the case's result: another one after it was replaced. Empty where there is none.
std::string identity_of_result(const Config &config);

/// Looks at the result of the case's name, or, where there is none, at what a killed run left in `name.partial/`. Two cases are the same when their YAML is, overrides and sweep
/// included, and their data files are.
EarlierRun find_earlier_run(const Config &config);

/// The same where only an answer counts, be it that of another case: what else there is, or cannot be looked at, is refused before the run,
/// together with what else is wrong with the case.
EarlierRun find_finished_run(const Config &config);

}  // namespace perdure
