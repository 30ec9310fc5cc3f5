#include "solver/commands/batch_member.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "solver/file_descriptor.hpp"
#include "solver/hdf5/encode_chunk.hpp"
#include "solver/run/case_solves.hpp"
#include "solver/run/ensemble.hpp"

namespace perdure::commands {

BatchMember::BatchMember(Config config, PreparedCase prepared, Claim claim, std::unique_ptr<RunOutput> output,
                         const BatchMessages &messages)
    : config_(std::move(config)),
      grid_(prepared.problem.grid),
      ensemble_(prepared.ensemble),
      prepared_(std::make_unique<PreparedCase>(std::move(prepared))),
      claim_(std::move(claim)),
      output_(std::move(output)),
      messages_(messages) {}

bool BatchMember::start() {
    auto membership = std::make_unique<Ensemble::Membership>(*ensemble_);
    try {
        run_ = std::async(std::launch::async, [this, membership = std::move(membership)]() mutable {
            return solve_and_write(std::move(membership));
        });
    } catch (const std::system_error &) {
        return false;
    }
    return true;
}

BatchMember::Solutions BatchMember::solve_and_write(std::unique_ptr<Ensemble::Membership> membership) {
    Solutions solutions;
    {
        const std::unique_ptr<Ensemble::Membership> until_the_last_launch = std::move(membership);
        solutions.last = run_prepared(
            *prepared_, Progress::Style::quiet,
            {[&](Solution snapshot) { solutions.snapshots.push_back(std::move(snapshot)); }, {}});
        prepared_.reset();
    }
    if (solutions.snapshots.empty()) {
        RunEnding ending = this->ending(solutions.last.report);
        solutions.ending = end_run_here(std::move(ending), std::move(solutions.last), messages_);
    }
    return solutions;
}

RunEnding BatchMember::ending(const Report &report) {
    return {config_, grid_, report, "", std::move(claim_), true, {}, std::move(output_)};
}

BatchMember::~BatchMember() {
    if (run_.valid()) {
        const Ensemble::NoMoreMembers nobody_adds(*ensemble_);
        run_.wait();
    }
}

bool BatchMember::has_ended() const {
    return run_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

BatchMember::Solutions BatchMember::take() {
    const Ensemble::NoMoreMembers nobody_adds(*ensemble_);
    try {
        return run_.get();
    } catch (const std::bad_alloc &) {
        throw Failure(
            ExitCode::device,
            "not enough memory on the host for this case beside the others; run the cases one after the "
            "other (execution.ensemble: off)");
    }
}

namespace {

/// Members that may have files open: a claim, a folder, and as many again while the result is written. Half of the files are for others.
std::size_t members_with_files() {
    constexpr std::size_t files_of_member = 4;
    static const std::size_t members = most_open_files() / files_of_member / 2;
    return members;
}

}  // namespace

std::size_t most_members(const PreparedCase &prepared) {
    constexpr std::size_t most_threads = 1024;
    constexpr std::size_t part_of_memory = 4;
    constexpr std::size_t fewest_of_gpu = 128;  // some in launches of each kind, others prepared or written
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(prepared.plan.least_bytes, 1));
    const DeviceDescription &device = prepared.selected.device->description();
    const std::size_t room = device.memory_bytes / part_of_memory / bytes;
    const std::size_t in_launches =
        std::max(2 * prepared.ensemble->plan().at_once, device.gpu ? fewest_of_gpu : 0);
    return std::clamp<std::size_t>(
        std::min({room, members_with_files(), in_launches + most_written_at_once()}), 1, most_threads);
}

std::size_t most_started_ahead() {
    constexpr std::size_t most_useful = 32;
    return std::clamp<std::size_t>(members_with_files() / 2, 1, most_useful);
}

std::size_t most_written_at_once() {
    return std::clamp<std::size_t>(members_with_files() / 2, 1, hdf5::encoding_threads());
}

}  // namespace perdure::commands
