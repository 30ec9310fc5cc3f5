#include "solver/output/run_output.hpp"

#include <memory>
#include <utility>

namespace perdure {

RunOutput::RunOutput(const Config &config, const Grid &grid, bool replace,
                     std::function<void(const std::filesystem::path &)> written)
    : writer_(config, grid, replace), written_(std::move(written)) {}

void RunOutput::add(Solution snapshot) {
    const auto shared = std::make_shared<const Solution>(std::move(snapshot));
    thread_.add([this, shared] { written_(writer_.write(*shared)); });
}

void RunOutput::add(FieldResult field) {
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

void RunOutput::finish(Solution last) {
    const auto shared = std::make_shared<const Solution>(std::move(last));
    if (stream_) {
        stream_->finish(*shared);
    }
    thread_.add([this, shared] {
        if (!stream_) {
            writer_.write(*shared);
        }
        place(*shared);
    });
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
    thread_.wait();
    return result_.value();
}

}  // namespace perdure
