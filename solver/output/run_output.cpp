#include "solver/output/run_output.hpp"

#include <utility>

namespace perdure {
namespace {

bool leaves_checkpoints(const Config &config) {
    return config.output.checkpoint || config.execution.time_limit;
}

}  // namespace

RunOutput::RunOutput(const Config &config, const Grid &grid, bool replace,
                     std::function<void(const std::filesystem::path &, std::size_t snapshots)> written,
                     const Checkpoint *resumed)
    : checkpoints_(resumed != nullptr || leaves_checkpoints(config) ? std::optional<CheckpointWriter>(config)
                                                                    : std::nullopt),
      writer_(config, grid, replace, resumed != nullptr ? resumed->snapshots : std::vector<Snapshot>(),
              resumed != nullptr ? std::int64_t{resumed->step} : -1),
      written_(std::move(written)) {}

void RunOutput::save(Checkpoint checkpoint) {
    const TimeSpent::Scope writing(Activity::write);
    thread_.wait_for_room();
    const auto shared = std::make_shared<Checkpoint>(std::move(checkpoint));
    thread_.add([this, shared] {
        shared->snapshots = writer_.snapshots();
        checkpoints_.value().write(*shared);
    });
}

std::shared_ptr<const Solution> RunOutput::hand_over(Solution solution) {
    thread_.wait_for_room();
    std::shared_ptr<TimeSince> &time_spent = solution.report.time_spent;
    time_spent->update();
    time_spent = std::make_shared<TimeSince>(*time_spent);
    return std::make_shared<const Solution>(std::move(solution));
}

void RunOutput::add(Solution snapshot) {
    const TimeSpent::Scope writing(Activity::write);
    const auto shared = hand_over(std::move(snapshot));
    thread_.add([this, shared] {
        const std::filesystem::path file = writer_.write(*shared);
        written_(file, writer_.snapshots_in_file());
    });
}

void RunOutput::add(FieldResult field) {
    const TimeSpent::Scope writing(Activity::write);
    writer_.expect_size(field);
    if (!stream_) {
        stream_.emplace();
        thread_.add([this] {
            try {
                writer_.write(*stream_);
            } catch (...) {
                stream_->stop_reading();
                throw;
            }
        });
    }
    if (!stream_->add(std::move(field))) {
        thread_.wait();  // throws why
    }
}

void RunOutput::finish(Solution last, const Behind &behind) {
    const TimeSpent::Scope writing(Activity::write);
    const auto shared = hand_over(std::move(last));
    if (stream_) {
        stream_->finish(*shared);
    }
    thread_.add([this, shared, behind] { write_last(*shared, behind); });
}

void RunOutput::finish_here(Solution last, const Behind &behind) {
    last.report.time_spent = std::make_shared<TimeSince>(*last.report.time_spent);
    last.report.time_spent->update_by_clock();
    thread_.do_here([&] { write_last(last, behind); });
}

void RunOutput::write_last(const Solution &last, const Behind &behind) {
    if (can_go_on(last)) {
        result_ = Result{.path = checkpoints_->last()->file, .can_go_on = true};
    } else {
        if (!stream_) {
            writer_.write(last, true);
        }
        place(last);
    }
    behind(*result_, last.report);
}

/// The last checkpoint then is what the run has to leave: a snapshot of this moment would be none of the series.
bool RunOutput::can_go_on(const Solution &last) const {
    return last.report.stop == StopReason::stopped && checkpoints_ && checkpoints_->last() &&
           checkpoints_->last()->step == last.step;
}

void RunOutput::place(const Solution &last) {
    Result result;
    result.keeps_earlier = writer_.keeps_earlier_result(last);
    result.path = result.keeps_earlier ? writer_.snapshots().back().file : writer_.finish(last);
    result.snapshots = writer_.snapshots().size();
    result_ = result;
}

RunOutput::~RunOutput() {
    if (stream_) {
        stream_->give_up();
    }
}

RunOutput::Result RunOutput::wait() {
    const TimeSpent::Scope writing(Activity::write);
    thread_.wait();
    return result_.value();
}

}  // namespace perdure
