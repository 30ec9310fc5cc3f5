#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/compare/choose_model.hpp"
#include "solver/compare/explain.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/summary.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/run_effective.hpp"

namespace perdure::commands {
namespace {

/// A run of one case of a call: a batch when there are several.
class Batch {
  public:
    explicit Batch(const CaseOptions &options) : options_(options), cases_(load_batch(options)) {}

    ExitCode run() {
        refuse_equal_outputs();
        const InterruptGuard guard;
        ExitCode worst = ExitCode::success;
        try {
            worst = for_each_case(
                options_, cases_, [&](const Config &config) { return run_one(config); },
                [&](const BatchCase &failed, const Failure &failure) { add_failure(failed, failure); });
        } catch (...) {
            write_table();
            throw;
        }
        write_table();
        if (!options_.quiet && !options_.json && written_summary_) {
            fmt::print("{}", summary_text(rows_));
            const auto unanswered = std::count_if(rows_.begin(), rows_.end(), has_no_answer);
            fmt::print("wrote {0}.csv and {0}.h5: {1} of {2} cases{3}{4}\n", stem_.string(), rows_.size(),
                       cases_.size(),
                       skipped_ > 0 ? fmt::format(", {} of them finished before", skipped_) : "",
                       unanswered > 0 ? fmt::format(", {} without an answer", unanswered) : "");
        }
        if (without_summary_) {  // which the cases themselves had no need of
            worst = std::max(worst, report_failure(*without_summary_, options_.json));
        }
        return worst;
    }

  private:
    [[nodiscard]] bool several() const { return several_; }

    /// Two cases of one call must not write over each other. What is wrong with a case itself is said when its
    /// turn comes.
    void refuse_equal_outputs() const {
        std::map<std::filesystem::path, const Config *> writer;
        for (const BatchCase &one : cases_) {
            if (!one.config) {
                continue;
            }
            const auto [other, is_new] = writer.emplace(place_of(series_path(*one.config)), &*one.config);
            if (!is_new) {
                throw Failure(ExitCode::case_or_usage,
                              fmt::format("{} and {} would both write {}; set output.name or run them apart",
                                          label(*other->second), label(*one.config), other->first.string()));
            }
        }
    }

    ExitCode run_one(const Config &config) {
        EarlierRun earlier;
        if (several() && !options_.force) {
            earlier = find_earlier_run(config);
        }
        if (several() && !options_.quiet && !options_.json) {
            fmt::print("{}\n", label(config));
            std::fflush(stdout);  // before what is said on standard error
        }
        if (earlier.state == EarlierRun::State::finished) {
            return skip(config, earlier);
        }
        const bool replace = options_.force || earlier.state == EarlierRun::State::unfinished;
        PreparedCase prepared = prepare_case(config, [&] { check_free(config, replace, earlier); });
        prepared.said = said_;
        choose_model(prepared);
        for (const Diagnostic &warning : prepared.problem.warnings) {
            fmt::print(stderr, "{}\n", to_text(warning));
        }
        SnapshotWriter writer(config, prepared.problem.grid);
        const Progress::Style style = options_.quiet ? Progress::Style::quiet : Progress::Style::automatic;
        std::vector<std::filesystem::path> written;
        const auto sink = [&](const Solution &solution) {
            written.push_back(writer.write(solution));
            if (!options_.quiet && !options_.json) {
                fmt::print("wrote {}\n", written.back().string());
                std::fflush(stdout);
            }
        };
        std::optional<compare::Explanation> explanation;
        if (options_.explain) {
            explanation.emplace(prepared);
            prepared.before_launch = [&, said = std::string()](const run_parameters_t &parameters) mutable {
                const std::string plan = explanation->plan(parameters);
                if (plan != std::exchange(said, plan)) {  // directions of an effective case have the same
                    say_explanation(plan);
                }
            };
        }
        const Solution last =
            config.effective ? run_effective(prepared, style, sink) : run_case(prepared, style, sink);
        if (replace) {
            remove_earlier_outputs(config, written);
        }
        say(last.report, config, prepared.problem.grid, written);
        if (explanation) {
            say_explanation(explanation->result(last.report));
        }
        const ExitCode code = exit_code(last.report);
        add_row({config.path.string(), config.sweep, outcome(last.report), static_cast<int>(code), false,
                 to_json(last.report), written.empty() ? "" : written.back().string()},
                config);
        return code;
    }

    /// Beside JSON on standard error.
    void say_explanation(const std::string &text) const {
        std::FILE *const stream = options_.json ? stderr : stdout;
        fmt::print(stream, "{}", text);
        std::fflush(stream);
    }

    static void check_free(const Config &config, bool replace, const EarlierRun &earlier) {
        try {
            check_output(config, replace);
        } catch (const Failure &failure) {
            if (earlier.why.empty()) {
                throw;
            }
            throw Failure(failure.code(), fmt::format("{}: {}", earlier.why, failure.what()));
        }
    }

    ExitCode skip(const Config &config, const EarlierRun &earlier) {
        const ExitCode code = earlier.code;
        if (options_.json) {
            nlohmann::ordered_json json = earlier.report;
            json["exit_code"] = static_cast<int>(code);
            json["skipped"] = true;
            json["assumed"] = config.assumed;
            json["written"] = {earlier.file.string()};
            fmt::print("{}\n", json.dump());
        } else if (!options_.quiet) {
            fmt::print("{} in an earlier run: {} (--force runs it again)\n", earlier.outcome,
                       earlier.file.string());
            for (const std::string &remark : earlier.remarks) {
                fmt::print("  note: {}\n", remark);
            }
            std::fflush(stdout);
        } else if (code != ExitCode::success) {
            fmt::print(stderr, "{}: {} in an earlier run: {}\n", label(config), earlier.outcome,
                       earlier.file.string());
        }
        ++skipped_;
        add_row({config.path.string(), config.sweep, earlier.outcome, static_cast<int>(code), true,
                 earlier.report, earlier.file.string()},
                config);
        return code;
    }

    void say(const Report &report, const Config &config, const Grid &grid,
             const std::vector<std::filesystem::path> &written) const {
        const ExitCode code = exit_code(report);
        if (options_.json) {
            nlohmann::ordered_json json = to_json(report);
            json["exit_code"] = static_cast<int>(code);
            json["assumed"] = config.assumed;
            for (const std::filesystem::path &path : written) {
                json["written"].push_back(path.string());
            }
            fmt::print("{}\n", json.dump(several() ? -1 : 2));
        } else if (!options_.quiet) {
            fmt::print("{}", to_text(report, grid));
            std::fflush(stdout);
        } else if (code != ExitCode::success) {
            fmt::print(stderr, "{}: {}", label(config), to_text(report, grid));
        }
    }

    void add_failure(const BatchCase &failed, const Failure &failure) {
        const std::string what = failure.what();
        add_row({failed.path.string(), failed.config ? failed.config->sweep : std::nullopt,
                 what.substr(0, what.find('\n')), static_cast<int>(failure.code()), false, nullptr, ""},
                failed.config);
    }

    static bool has_no_answer(const SummaryRow &row) { return row.report.is_null() && !row.skipped; }

    /// The table is written as rows come and at the end, where the first case that can be read writes its results. One that is there is not
    /// replaced by errors alone.
    void add_row(const SummaryRow &row, const std::optional<Config> &config) {
        rows_.push_back(row);
        rows_.back().report = summary_figures(row.report);
        table_is_old_ = several();
        if (stem_.empty() && config) {
            stem_ = summary_stem(*config, config->sweep && options_.cases.size() == 1);
        }
        if (pace_.due(WritingPace::Time::clock::now())) {
            write_table();
        }
    }

    void write_table() {
        if (!std::exchange(table_is_old_, false)) {
            return;
        }
        const auto begin = WritingPace::Time::clock::now();
        std::error_code error;
        if (!stem_.empty() && std::all_of(rows_.begin(), rows_.end(), has_no_answer) &&
            std::filesystem::exists(stem_.string() + ".csv", error)) {
            return;
        }
        if (!stem_.empty() &&
            std::filesystem::is_directory(stem_.has_parent_path() ? stem_.parent_path() : ".", error)) {
            try {
                write_summary(stem_, rows_);
                written_summary_ = true;
                without_summary_.reset();
            } catch (const Failure &failure) {
                written_summary_ = false;
                without_summary_ = failure;
            }
            pace_.written(begin, WritingPace::Time::clock::now());
        }
    }

    const CaseOptions &options_;
    std::vector<BatchCase> cases_;
    std::vector<SummaryRow> rows_;
    std::filesystem::path stem_;
    bool several_ = cases_.size() > 1 || (cases_.front().config && cases_.front().config->sweep);
    WritingPace pace_;
    bool table_is_old_ = false;  // rows have come since it was written
    bool written_summary_ = false;
    std::optional<Failure> without_summary_;  // the last row could not be written
    std::size_t skipped_ = 0;
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
};

}  // namespace

ExitCode run(const CaseOptions &options) {
    return Batch(options).run();
}

}  // namespace perdure::commands
