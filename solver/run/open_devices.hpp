// Devices that stay open for all cases of a batch.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "solver/failure.hpp"
#include "solver/run/ensemble.hpp"
#include "solver/run/kept_buffers.hpp"
#include "solver/run/plan_launch.hpp"

namespace perdure {

/// Cases that run together may be prepared by several threads; close_after() and kept() are for one thread at a time.
class OpenDevices {
  public:
    /// As select_device(). Where an earlier case asked for the same device, that one is taken, with its contexts and kernels,
    /// and only the memory that is free is asked for again.
    SelectedDevice select(const ExecutionConfig &execution);
    /// Whether select() opens the CUDA driver for that, which takes some tenths of a second.
    [[nodiscard]] bool must_open_cuda(const ExecutionConfig &execution);
    /// Of cases that run together by that plan, made once for all of them.
    std::shared_ptr<Ensemble> ensemble(const std::shared_ptr<Device> &device, const EnsemblePlan &plan);
    /// What cases of this batch hand on from one to the next.
    [[nodiscard]] const std::shared_ptr<KeptBuffers> &kept() const { return kept_; }
    /// Whether one of them is not host threads: its driver does not work in a forked process.
    [[nodiscard]] bool hold_a_driver() const {
        return std::any_of(open_.begin(), open_.end(), [](const Open &open) {
            return open.selected.device->description().backend != BackendChoice::host;
        });
    }
    /// After a failure of a device the next case opens and tests it anew.
    void close_after(const Failure &failure) {
        if (failure.code() == ExitCode::device) {
            ensembles_.clear();
            open_.clear();
            kept_->give_back();
        }
    }

  private:
    struct Open {
        BackendChoice backend;
        std::optional<int> index;
        int count;  // as the case asks
        RankTransport transport;
        SelectedDevice selected;
    };

    [[nodiscard]] std::vector<Open>::iterator find(const ExecutionConfig &execution);

    std::mutex mutex_;
    std::vector<Open> open_;
    std::vector<std::shared_ptr<Ensemble>> ensembles_;
    std::shared_ptr<KeptBuffers> kept_ = std::make_shared<KeptBuffers>();  // last: it goes before the devices
};

}  // namespace perdure
