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

void RunOutput::finish(Solution last) {
    const auto shared = std::make_shared<const Solution>(std::move(last));
    thread_.add([this, shared] { result_ = finish_now(*shared); });
}

RunOutput::Result RunOutput::finish_now(const Solution &last) {
    writer_.write(last);
    Result result;
    result.keeps_earlier = writer_.keeps_earlier_result(last);
    result.path = result.keeps_earlier ? writer_.snapshots().back().file : writer_.finish(last);
    result.snapshots = writer_.snapshots().size();
    return result;
}

RunOutput::Result RunOutput::wait() {
    thread_.wait();
    return result_.value();
}

}  // namespace perdure
