// The table of a batch as it grows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/order_table.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/summary.hpp"

namespace perdure::commands {

/// Of a case that an earlier run finished, or one of another process.
SummaryRow row_of(const Config &config, const EarlierRun &earlier);

/// Of a case without an answer: the first line of what went wrong.
SummaryRow row_of_failed(const BatchCase &failed, const Failure &failure);

/// Written as rows come, a tenth of the time at most, and by finish(): where the first case that can be read writes its
/// results. A table that is there is not replaced by errors alone.
class BatchTable {
  public:
    /// `is_written`: one case alone has no table. `of_one_sweep`: the table has the sweep's name.
    BatchTable(bool is_written, bool of_one_sweep) : is_written_(is_written), of_one_sweep_(of_one_sweep) {}

    void add(const SummaryRow &row, const std::optional<Config> &config);

    /// The row of a case that another process computes at this moment. finish() looks for its answer, unless settle() comes first.
    void add_claimed(const SummaryRow &row, const Config &config);
    void settle(std::size_t which, const SummaryRow &row);

    /// Writes the table a last time. Several processes that share a sweep take turns: the last one writes every row. `ended` is told
    /// what other processes have finished meanwhile.
    void finish(const std::function<void(const Config &, const EarlierRun &)> &ended = {});

    [[nodiscard]] const std::vector<SummaryRow> &rows() const { return rows_; }
    /// `stem.csv` and `stem.h5`; empty before the first case that can be read.
    [[nodiscard]] const std::filesystem::path &stem() const { return stem_; }
    [[nodiscard]] bool is_there() const { return is_there_; }
    /// Why the table could not be written the last time.
    [[nodiscard]] const std::optional<Failure> &failure() const { return failure_; }
    [[nodiscard]] std::size_t without_answer() const;
    [[nodiscard]] const OrderTable &orders() const { return orders_; }
    /// Cases that other processes compute, as far as is known.
    struct Claimed {
        std::size_t row;
        Config config;
        std::string result;  // identity_of_result() when it was found claimed
    };
    [[nodiscard]] const std::vector<Claimed> &claimed() const { return claimed_; }

  private:
    void write(const std::function<void()> &before);
    void look_again_at_claimed(const std::function<void(const Config &, const EarlierRun &)> &ended);

    bool is_written_, of_one_sweep_;
    std::vector<SummaryRow> rows_;
    OrderTable orders_;
    std::filesystem::path stem_;
    WritingPace pace_;
    bool is_old_ = false;  // rows have come since it was written
    bool is_there_ = false;
    std::string own_file_;  // as write_summary() knows it
    std::optional<Failure> failure_;
    std::vector<Claimed> claimed_;
};

}  // namespace perdure::commands
