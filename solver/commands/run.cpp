#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/compare/choose_model.hpp"
#include "solver/compare/explain.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/result_writer.hpp"
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
        ExitCode worst = for_each_case(
            options_, cases_, [&](const Config &config) { return run_one(config); },
            [&](const BatchCase &failed, const Failure &failure) { add_failure(failed, failure); });
        write_table([&] { look_again_at_claimed(); });
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
    [[nodiscard]] bool several() const {
        return cases_.size() > 1 || (cases_.front().config && cases_.front().config->sweep);
    }

    /// Two cases of one call must not write over each other. What is wrong with a case itself is said when its
    /// turn comes.
    void refuse_equal_outputs() const {
        std::map<std::filesystem::path, const Config *> writer;
        for (const BatchCase &one : cases_) {
            if (!one.config) {
                continue;
            }
            const auto [other, is_new] =
                writer.emplace(resolved_path(result_path(*one.config)), &*one.config);
            if (!is_new) {
                throw Failure(ExitCode::case_or_usage,
                              fmt::format("{} and {} would both write {}; set output.name or run them apart",
                                          label(*other->second), label(*one.config), other->first.string()));
            }
        }
    }

    ExitCode run_one(const Config &config) {
        if (several() && !options_.quiet && !options_.json) {
            fmt::print("{}\n", label(config));
            std::fflush(stdout);  // before what is printed on standard error
        }
        EarlierRun earlier = find_earlier(config);
        if (earlier.state == EarlierRun::State::finished) {
            remove_leftovers(config);
            return skip(config, earlier);
        }
        Failure cannot_claim(ExitCode::success, "");
        std::optional<Claim> claim;
        try {
            auto claimed = claim_output(config, options_.take_over);
            if (const auto *holder = std::get_if<ClaimHolder>(&claimed)) {
                if (several()) {
                    return skip_claimed(config, *holder);
                }
                throw name_is_taken(config, *holder);
            }
            claim.emplace(std::move(std::get<Claim>(claimed)));
        } catch (const Failure &failure) {
            cannot_claim = failure;  // reported together with what else is wrong with the case
        }
        earlier = find_earlier(config);  // again: another process may have finished it before the claim
        if (claim && earlier.state == EarlierRun::State::finished) {
            return skip(config, earlier);
        }
        const bool replace = options_.force || earlier.state == EarlierRun::State::unfinished;
        PreparedCase prepared = prepare_case(config, [&] {
            if (!claim) {
                throw cannot_claim;
            }
            check_free(config, replace, earlier);
        });
        prepared.said = said_;
        choose_model(prepared);
        for (const Diagnostic &warning : prepared.problem.warnings) {
            fmt::print(stderr, "{}\n", to_text(warning));
        }
        return solve(config, prepared, replace);
    }

    ExitCode solve(const Config &config, PreparedCase &prepared, bool replace) {
        ResultWriter writer(config, prepared.problem.grid, replace);
        const Progress::Style style = options_.quiet ? Progress::Style::quiet : Progress::Style::automatic;
        const auto sink = [&](const Solution &solution) {
            const std::filesystem::path snapshot = writer.write(solution);
            if (solution.report.stop == StopReason::running) {
                say_written(snapshot, "");
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
        const std::filesystem::path result = writer.finish(last);
        const std::size_t snapshots = writer.snapshots().size();
        say_written(result, snapshots > 1 ? fmt::format(" ({} snapshots)", snapshots) : "");
        say(last.report, config, prepared.problem.grid, result);
        if (explanation) {
            say_explanation(explanation->result(last.report));
        }
        const ExitCode code = exit_code(last.report);
        add_row({config.path.string(), config.sweep, outcome(last.report), static_cast<int>(code), false,
                 to_json(last.report), result.string()},
                config);
        return code;
    }

    [[nodiscard]] EarlierRun find_earlier(const Config &config) const {
        return several() && !options_.force ? find_earlier_run(config) : EarlierRun();
    }

    void say_written(const std::filesystem::path &path, const std::string &what) const {
        if (!options_.quiet && !options_.json) {
            fmt::print("wrote {}{}\n", path.string(), what);
            std::fflush(stdout);
        }
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

    /// A member of a batch that another process computes at this moment.
    ExitCode skip_claimed(const Config &config, const ClaimHolder &holder) {
        const std::string outcome = "being computed by " + holder.text();
        if (options_.json) {
            nlohmann::ordered_json json{{"exit_code", 0}, {"skipped", true}, {"claimed_by", holder.text()}};
            fmt::print("{}\n", json.dump());
        } else if (!options_.quiet) {
            fmt::print(
                "{}{}\n", outcome,
                holder.may_be_taken_over ? "; --take-over computes it here, if that process is gone" : "");
            std::fflush(stdout);
        }
        ++skipped_;
        claimed_elsewhere_.push_back({rows_.size(), config});
        add_row({config.path.string(), config.sweep, outcome, 0, true, nullptr, ""}, config);
        return ExitCode::success;
    }

    /// Members that other processes had claimed get their rows, if they are finished by now. With the claim on the table:
    /// of several processes that share a sweep, the last one to end then writes all of it.
    void look_again_at_claimed() {
        for (const auto &[row, config] : claimed_elsewhere_) {
            const EarlierRun run = find_earlier_run(config);
            if (run.state == EarlierRun::State::finished) {
                rows_[row] = {config.path.string(),       config.sweep, run.outcome,
                              static_cast<int>(run.code), true,         run.report,
                              run.file.string()};
            }
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
             const std::filesystem::path &result) const {
        const ExitCode code = exit_code(report);
        if (options_.json) {
            nlohmann::ordered_json json = to_json(report);
            json["exit_code"] = static_cast<int>(code);
            json["assumed"] = config.assumed;
            json["written"] = {result.string()};
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

    void add_row(const SummaryRow &row, const std::optional<Config> &config) {
        rows_.push_back(row);
        if (several() && stem_.empty() && config) {
            stem_ = summary_stem(*config, config->sweep && options_.cases.size() == 1);
        }
        constexpr double least_distance = 10.0;  // so that writing takes a tenth of the time at most
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_written_;
        if (since.count() > least_distance * seconds_to_write_) {
            write_table([] {});
        }
    }

    /// Where the first case that can be read writes its results. A table that is there is not replaced by errors alone.
    /// `before`: what to do once no other process writes it.
    void write_table(const std::function<void()> &before) {
        std::error_code error;
        if (stem_.empty() ||
            !std::filesystem::is_directory(stem_.has_parent_path() ? stem_.parent_path() : ".", error) ||
            (std::all_of(rows_.begin(), rows_.end(), has_no_answer) &&
             std::filesystem::exists(stem_.string() + ".csv", error))) {
            return;
        }
        const auto start = std::chrono::steady_clock::now();
        try {
            write_summary(stem_, [&]() -> const std::vector<SummaryRow> & {
                before();
                return rows_;
            });
            without_summary_.reset();
        } catch (const Failure &failure) {
            without_summary_ = failure;
        }
        last_written_ = std::chrono::steady_clock::now();
        seconds_to_write_ = std::chrono::duration<double>(last_written_ - start).count();
        written_summary_ = !without_summary_;
    }

    const CaseOptions &options_;
    std::vector<BatchCase> cases_;
    std::vector<SummaryRow> rows_;
    std::filesystem::path stem_;
    bool written_summary_ = false;
    std::optional<Failure> without_summary_;  // the last attempt failed
    std::chrono::steady_clock::time_point last_written_{};
    double seconds_to_write_ = 0.0;
    std::size_t skipped_ = 0;
    std::vector<std::pair<std::size_t, Config>> claimed_elsewhere_;  // row and case
    std::shared_ptr<std::set<std::string>> said_ = std::make_shared<std::set<std::string>>();
};

}  // namespace

ExitCode run(const CaseOptions &options) {
    return Batch(options).run();
}

}  // namespace perdure::commands
