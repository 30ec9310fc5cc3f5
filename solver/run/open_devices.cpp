#include "solver/run/open_devices.hpp"

#include <algorithm>

namespace perdure {

std::vector<OpenDevices::Open>::iterator OpenDevices::find(const ExecutionConfig &execution) {
    return std::find_if(open_.begin(), open_.end(), [&](const Open &open) {
        return open.backend == execution.backend && open.index == execution.device &&
               open.count == execution.devices && open.transport == execution.transport;
    });
}

bool OpenDevices::must_open_cuda(const ExecutionConfig &execution) {
    const std::scoped_lock lock(mutex_);
    const bool may_be_cuda =
        execution.backend == BackendChoice::cuda || execution.backend == BackendChoice::automatic;
    return may_be_cuda && find(execution) == open_.end() && cuda_driver_is_there();
}

SelectedDevice OpenDevices::select(const ExecutionConfig &execution) {
    const std::scoped_lock lock(mutex_);
    const auto found = find(execution);
    if (found != open_.end()) {
        if (ensembles_.empty()) {
            found->selected.device->update_free_bytes();
        }
        return found->selected;
    }
    return open_
        .emplace_back(Open{execution.backend, execution.device, execution.devices, execution.transport,
                           select_device(execution)})
        .selected;
}

std::shared_ptr<Ensemble> OpenDevices::ensemble(const std::shared_ptr<Device> &device,
                                                const EnsemblePlan &plan) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(ensembles_.begin(), ensembles_.end(), [&](const auto &ensemble) {
        return ensemble->whole() == device.get() && ensemble->plan() == plan;
    });
    return found != ensembles_.end() ? *found
                                     : ensembles_.emplace_back(std::make_shared<Ensemble>(device, plan));
}

}  // namespace perdure
