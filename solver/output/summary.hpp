// The table of a batch: one row per case.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/failure.hpp"

namespace perdure {

class SummaryColumns;

/// What became of one case of a batch.
struct SummaryRow {
    std::string case_file;
    std::optional<SweepPlace> sweep;
    std::string outcome;            // stop reason, or the first line of the error
    std::optional<int> exit_code;   // none of a case that nobody began
    bool skipped = false;           // an earlier run's answer was there
    nlohmann::ordered_json report;  // as to_json() gives it; null when there was no answer
    std::string output;             // the last snapshot; empty when there is none
    std::string result;  // where its answer belongs, there or not; empty where the case cannot be read

    /// What the sweep sets; nothing without one.
    [[nodiscard]] decltype(SweepPlace::settings) settings() const {
        return sweep ? sweep->settings : decltype(SweepPlace::settings){};
    }
};

/// The row of a case without a report.
SummaryRow row_of(const Config &config, std::string outcome, std::optional<ExitCode> code);

/// The cells of the table, a row each.
SummaryColumns summary_columns(const std::vector<SummaryRow> &rows);

/// What the table takes from a report; null of null.
nlohmann::ordered_json summary_figures(const nlohmann::ordered_json &report);

/// When a table that is written as a whole is due again: writing takes less than a thirtieth of the time, however many rows
/// there are.
class WritingPace {
  public:
    using Time = std::chrono::steady_clock::time_point;

    [[nodiscard]] bool due(Time now) const { return !written_ || now - end_ >= 30 * (end_ - begin_); }
    void written(Time begin, Time end) {
        written_ = true;
        begin_ = begin;
        end_ = end;
    }

  private:
    bool written_ = false;
    Time begin_, end_;
};

/// `stem.csv` and `stem.h5`, where a batch that begins with this case writes its table: `directory/name_summary` for a sweep
/// alone, else `directory/batch_summary`.
std::filesystem::path summary_stem(const Config &first, bool is_one_sweep);

/// Replaces `stem.csv` and `stem.h5`. Columns: case, member, each key that a sweep sets, outcome, exit_code, iterations,
/// total_seconds, effective coefficients and tortuosities, outcome.NAME (outcome_values.hpp), output, result, skipped, the other figures of the report. In the HDF5 file
/// each column is a dataset of one dimension: int64 where every row has a whole number (truths are 0 and 1), float64 where
/// every row that has a value has a number (NaN where there is none), else text. Processes that write one table take turns
/// (a claim on `stem.partial/`): `rows` is called when it is this one's. Throws Failure(input_output), also where something else than a
/// table of perdure has such a name: that is never replaced. `own`: the identity of the HDF5 file that the call before wrote, which is
/// known to be a table as long as it is the same; empty at the first call. `kept`: rows that the table has of other cases stay in it.
void write_summary(const std::filesystem::path &stem,
                   const std::function<const std::vector<SummaryRow> &()> &rows, std::string &own, bool kept);

/// The same for a terminal, at most 100 columns wide: what the sweep sets, outcome, iterations, seconds, effective
/// coefficients or the first values of the outcome. Texts that are too long lose their end, keys their beginning.
std::string summary_text(const SummaryColumns &columns);

}  // namespace perdure
