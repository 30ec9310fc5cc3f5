#include "solver/run/open_devices.hpp"

#include <algorithm>

namespace perdure {

SelectedDevice OpenDevices::select(const ExecutionConfig &execution) {
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open &open) {
        return open.backend == execution.backend && open.index == execution.device;
    });
    if (found != open_.end()) {
        found->selected.device->update_free_bytes();
        return found->selected;
    }
    return open_.emplace_back(Open{execution.backend, execution.device, select_device(execution)}).selected;
}

}  // namespace perdure
