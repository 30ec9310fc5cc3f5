#include "solver/commands/batch_table.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "solver/output/earlier_run.hpp"
#include "solver/time_spent.hpp"

namespace perdure::commands {
namespace {

bool has_no_answer(const SummaryRow &row) {
    return row.report.is_null() && !row.skipped;
}

}  // namespace

SummaryRow row_of(const Config &config, const EarlierRun &earlier) {
    SummaryRow row = row_of(config, earlier.outcome, earlier.code);
    row.skipped = true;
    row.report = earlier.report;
    row.output = earlier.file.string();
    return row;
}

SummaryRow row_of_failed(const std::filesystem::path &path, const Config *config, const Failure &failure) {
    const std::string what =
        failure.diagnostics().empty() ? failure.what() : failure.diagnostics().front().message;
    const std::string first_line = what.substr(0, what.find('\n'));
    if (config) {
        return row_of(*config, first_line, failure.code());
    }
    SummaryRow row;
    row.case_file = path.string();
    row.outcome = first_line;
    row.exit_code = static_cast<int>(failure.code());
    return row;
}

bool are_several(const std::vector<BatchCase> &cases) {
    return cases.size() > 1 || std::any_of(cases.begin(), cases.end(), [](const BatchCase &one) {
               return one.is_good() && one.file->has_sweep();
           });
}

TablePlace table_of(const std::vector<BatchCase> &cases, const CaseOptions &options) {
    TablePlace place{options.summary, options.append || !options.member.empty() || !options.shard.empty()};
    const auto first =
        std::find_if(cases.begin(), cases.end(), [](const BatchCase &one) { return one.is_good(); });
    if (place.stem.empty() && are_several(cases) && first != cases.end()) {
        const bool is_one_sweep = first->file->has_sweep() && options.cases.size() == 1;
        place.stem = summary_stem(load(*first, options), is_one_sweep);
    }
    return place;
}

void BatchTable::count(const SummaryRow &row, const Config &config) {
    orders_.add(config, row.report);
    subvolumes_.add(config, row.report);
}

void BatchTable::add(SummaryRow row, const Config *config) {
    if (config != nullptr) {
        count(row, *config);
    }
    row.report = summary_figures(row.report);
    rows_.push_back(std::move(row));
    is_old_ = true;
    if (pace_.due(WritingPace::Time::clock::now())) {
        write([] {});
    }
}

void BatchTable::add_claimed(SummaryRow row, const Config &config, std::string result) {
    claimed_.push_back({rows_.size(), config, std::move(result)});
    add(std::move(row), &config);
}

void BatchTable::settle(std::size_t which, SummaryRow row) {
    for (const Claimed &claimed : claimed_) {
        if (claimed.row == which) {
            count(row, claimed.config);
        }
    }
    std::erase_if(claimed_, [&](const Claimed &claimed) { return claimed.row == which; });
    row.report = summary_figures(row.report);
    rows_[which] = std::move(row);
    is_old_ = true;
}

void BatchTable::finish(const std::function<void(const Config &, const EarlierRun &)> &ended) {
    if (is_old_ || !claimed_.empty()) {
        write([&] { look_again_at_claimed(ended); });
    }
}

std::size_t BatchTable::without_answer() const {
    return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), has_no_answer));
}

/// A result that was there before is not what the other process computes.
void BatchTable::look_again_at_claimed(const std::function<void(const Config &, const EarlierRun &)> &ended) {
    const std::vector<Claimed> before = claimed_;
    for (const Claimed &claimed : before) {
        const Config &config = claimed.config;
        if (identity_of_result(config) == claimed.result) {
            continue;
        }
        const EarlierRun run = find_earlier_run(config);
        if (run.state == EarlierRun::State::finished) {
            settle(claimed.row, row_of(config, run));
            if (ended) {
                ended(config, run);
            }
        }
    }
}

/// `before`: what to do once no other process writes the table.
void BatchTable::write(const std::function<void()> &before) {
    const TimeSpent::Scope writing(Activity::write);
    const auto begin = WritingPace::Time::clock::now();
    std::error_code error;
    if (stem_.empty() ||
        !std::filesystem::is_directory(stem_.has_parent_path() ? stem_.parent_path() : ".", error) ||
        (std::all_of(rows_.begin(), rows_.end(), has_no_answer) &&
         std::filesystem::exists(stem_.string() + ".csv", error))) {
        return;
    }
    failure_.reset();
    try {
        write_summary(
            stem_,
            [&]() -> const std::vector<SummaryRow> & {
                before();
                return rows_;
            },
            own_file_, is_kept_);
        is_old_ = false;
    } catch (const Failure &failure) {
        failure_ = failure;
    }
    is_there_ = !failure_;
    pace_.written(begin, WritingPace::Time::clock::now());
}

}  // namespace perdure::commands
