#include "solver/backends/backend.hpp"

namespace perdure {

std::vector<std::unique_ptr<Device>> opencl_devices(std::string &why_none) {
    why_none = "built without OpenCL";
    return {};
}

}  // namespace perdure
