// Writes the output of a run in the background: snapshots during the run, the result during the next case.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "solver/output/checkpoint_writer.hpp"
#include "solver/output/result_writer.hpp"
#include "solver/output/writer_thread.hpp"

namespace perdure {

/// Waiting for the thread counts as Activity::write of the thread that waits.
class RunOutput {
  public:
    struct Result {
        std::filesystem::path path;  // of the result; where an earlier one is kept, of the last snapshot
        bool keeps_earlier = false;
        bool can_go_on =
            false;  // the run was stopped behind a checkpoint, which `path` is; its snapshots lie beside it
        std::size_t snapshots = 0;
    };

    /// As ResultWriter. `written` is told the file of each snapshot that is written, and how many the file has, in another thread.
    /// `resumed`: what the run goes on from; may be null.
    RunOutput(const Config &config, const Grid &grid, bool replace,
              std::function<void(const std::filesystem::path &, std::size_t snapshots)> written,
              const Checkpoint *resumed = nullptr);
    RunOutput(const RunOutput &) = delete;
    RunOutput &operator=(const RunOutput &) = delete;
    ~RunOutput();

    /// Queues a checkpoint behind the snapshots before it. Throws what writing an earlier one threw.
    void save(Checkpoint checkpoint);

    /// Queues a snapshot; waits while one is queued. Throws what writing an earlier one threw.
    void add(Solution snapshot);

    /// Queues a field of a run that has a single snapshot and makes its fields one after the other; as above.
    void add(FieldResult field);

    /// Queues the last snapshot, or what it has besides fields that were added, and the result that is made of all; `behind` is told of it and
    /// of the report that was written, in the thread.
    using Behind = std::function<void(const Result &, const Report &)>;
    void finish(
        Solution last, const Behind &behind = [](const Result &, const Report &) {});

    /// The same by the calling thread, of a run without snapshots before the last one. What is thrown wait() throws. The time that its report
    /// tells of is that of the clock since the case began.
    void finish_here(Solution last, const Behind &behind);

    [[nodiscard]] bool is_written() { return thread_.is_idle(); }

    /// Waits until the result is on the disk and has its name. Throws Failure(input_output).
    Result wait();

  private:
    /// Once there is room for it. The time that its report tells of ends here; the thread adds what is spent in the background.
    std::shared_ptr<const Solution> hand_over(Solution solution);
    void write_last(const Solution &last, const Behind &behind);
    void place(const Solution &last);
    [[nodiscard]] bool can_go_on(const Solution &last) const;

    std::optional<CheckpointWriter> checkpoints_;  // of a run that leaves some; of the thread too
    ResultWriter writer_;                          // of the thread, from the first snapshot on
    std::function<void(const std::filesystem::path &, std::size_t)> written_;
    std::optional<Result> result_;
    std::optional<FieldStream> stream_;  // of a run that adds fields
    WriterThread thread_;                // last: it ends before what it uses
};

}  // namespace perdure
