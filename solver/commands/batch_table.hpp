// The table of a batch while the batch runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/order_table.hpp"
#include "solver/commands/subvolume_table.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/summary.hpp"

namespace perdure::commands {

/// Of a case that an earlier run finished, or one of another process.
SummaryRow row_of(const Config &config, const EarlierRun &earlier);

/// Of a case without an answer: the first line of what went wrong.
SummaryRow row_of_failed(const std::filesystem::path &path, const Config *config, const Failure &failure);

/// Whether the cases are a batch: several, or a sweep, also where one member is chosen.
bool are_several(const std::vector<BatchCase> &cases);

/// Where the table of a batch is written, and how.
struct TablePlace {
    std::filesystem::path stem;  // `stem.csv` and `stem.h5`; empty: there is no table
    bool is_kept = false;        // rows of other cases that the table has stay in it
};
TablePlace table_of(const std::vector<BatchCase> &cases, const CaseOptions &options);

/// Written as rows come, a thirtieth of the time at most, and by finish(). A table that is there is not replaced by errors alone.
class BatchTable {
  public:
    explicit BatchTable(TablePlace place) : stem_(std::move(place.stem)), is_kept_(place.is_kept) {}

    /// `config`: null of a case that cannot be read.
    void add(SummaryRow row, const Config *config);

    /// The row of a case that another process computes at this moment. finish() looks for its answer, unless settle() comes first.
    /// `result`: identity_of_result() from before the case was found claimed, so that an answer written since is known as one.
    void add_claimed(SummaryRow row, const Config &config, std::string result);
    void settle(std::size_t which, SummaryRow row);

    /// Writes the table a last time. Several processes that share a sweep take turns: the last one writes every row. `ended` is told
    /// what other processes have finished meanwhile.
    void finish(const std::function<void(const Config &, const EarlierRun &)> &ended = {});

    [[nodiscard]] const std::vector<SummaryRow> &rows() const { return rows_; }
    [[nodiscard]] const std::filesystem::path &stem() const { return stem_; }
    [[nodiscard]] bool is_there() const { return is_there_; }
    /// Why the table could not be written the last time.
    [[nodiscard]] const std::optional<Failure> &failure() const { return failure_; }
    [[nodiscard]] std::size_t without_answer() const;
    [[nodiscard]] const OrderTable &orders() const { return orders_; }
    [[nodiscard]] const SubvolumeTable &subvolumes() const { return subvolumes_; }
    /// Cases that other processes compute, as far as is known.
    struct Claimed {
        std::size_t row;
        Config config;
        std::string result;  // identity_of_result() before it was found claimed
    };
    [[nodiscard]] const std::vector<Claimed> &claimed() const { return claimed_; }

  private:
    /// For the tables of orders and of sub-volumes.
    void count(const SummaryRow &row, const Config &config);
    void write(const std::function<void()> &before);
    void look_again_at_claimed(const std::function<void(const Config &, const EarlierRun &)> &ended);

    std::filesystem::path stem_;
    bool is_kept_;
    std::vector<SummaryRow> rows_;
    OrderTable orders_;
    SubvolumeTable subvolumes_;
    WritingPace pace_;
    bool is_old_ = false;  // rows have come since it was written
    bool is_there_ = false;
    std::string own_file_;  // as write_summary() knows it
    std::optional<Failure> failure_;
    std::vector<Claimed> claimed_;
};

}  // namespace perdure::commands
