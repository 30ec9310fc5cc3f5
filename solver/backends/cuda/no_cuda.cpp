// Stands in for the CUDA back end in a build without it.
#include "solver/backends/backend.hpp"

namespace perdure {

std::vector<std::unique_ptr<Device>> cuda_devices(std::string &why_none) {
    why_none = "built without CUDA";
    return {};
}

}  // namespace perdure
