// Writes the checkpoints of a run into the folder of its snapshots.
#pragma once

#include <filesystem>
#include <optional>

#include "solver/output/checkpoint.hpp"
#include "solver/output/run_folder.hpp"

namespace perdure {

class CheckpointWriter {
  public:
    explicit CheckpointWriter(const Config &config) : config_(config), folder_(config) {}

    /// Writes it into `name.partial/`, synced to the disk, and then removes those that are too many. One whose fields are not finite
    /// is not written, and says so: those before it are worth more. Throws Failure(input_output), also where the folder is no longer the
    /// one that was there at the beginning: that of another run keeps its checkpoints.
    void write(const Checkpoint &checkpoint);

    /// The last one written: its step and its file.
    struct Written {
        std::uint32_t step = 0;
        std::filesystem::path file;
    };
    [[nodiscard]] const std::optional<Written> &last() const { return last_; }

  private:
    Config config_;
    RunFolder folder_;
    std::optional<Written> last_;
};

}  // namespace perdure
