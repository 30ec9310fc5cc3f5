// Devices that stay open from case to case of a batch.
#pragma once

#include <optional>
#include <vector>

#include "solver/failure.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

class OpenDevices {
  public:
    /// As select_device(). Where an earlier case asked for the same device, that one is taken, with its contexts and kernels,
    /// and only the memory that is free is asked for again.
    SelectedDevice select(const ExecutionConfig &execution);
    /// After a failure of a device the next case opens and tests it anew.
    void close_after(const Failure &failure) {
        if (failure.code() == ExitCode::device) {
            open_.clear();
        }
    }

  private:
    struct Open {
        BackendChoice backend;
        std::optional<int> index;  // as the case asks
        SelectedDevice selected;
    };

    std::vector<Open> open_;
};

}  // namespace perdure
