// The messages of `perdure run` about cases and the table of a batch, as text and as JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "solver/commands/batch_table.hpp"
#include "solver/commands/commands.hpp"
#include "solver/output/claim_holder.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/solution.hpp"
#include "solver/run/ensemble.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure::commands {

class BatchMessages {
  public:
    /// `several`: a batch, whose JSON has one line a case.
    BatchMessages(CaseOptions &options, bool several) : options_(options), several_(several) {}

    static void warn_of_changed_data(const Config &config);
    /// Of a run that was stopped and has left a checkpoint.
    static void say_how_to_go_on(const Config &config, const std::filesystem::path &checkpoint);
    /// Of a run that was stopped; `written`: its last field.
    static void warn_of_kept_result(const Config &config, const std::filesystem::path &written);

    void begin(const Config &config) const;
    void say_ensemble(const SelectedDevice &selected, const EnsemblePlan &plan) const;
    void say_written(const std::filesystem::path &path, std::size_t snapshots = 1) const;
    /// On standard error where standard output has JSON alone; nothing where there is no text.
    void say_explanation(const std::string &text) const;
    /// What is said of a report; empty where nothing is.
    struct OfReport {
        nlohmann::ordered_json json;  // of --json
        std::string output, message;  // to standard output and standard error
    };
    [[nodiscard]] OfReport of_report(const Report &report, const Config &config, const Grid &grid,
                                     const std::filesystem::path &result) const;
    void say(const OfReport &texts) const;
    void say_skipped(const Config &config, const EarlierRun &earlier) const;
    void say_claimed(const std::string &outcome, const ClaimHolder &holder) const;

    void add_json(const Config &config, const EarlierRun &earlier) const;
    void add_json(const Config &claimed, const std::string &outcome) const;

    /// `skipped`: cases that were finished before.
    void say_table(const BatchTable &table, std::size_t cases, std::size_t skipped) const;

  private:
    [[nodiscard]] bool prints() const { return !options_.quiet && !options_.json.alone(); }

    CaseOptions &options_;
    bool several_;
};

}  // namespace perdure::commands
