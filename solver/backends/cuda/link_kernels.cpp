#include "solver/backends/cuda/link_kernels.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvJitLink.h>

#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/cuda/load_function.hpp"
#include "solver/backends/cuda/nvrtc.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

class Linker {
  public:
    Linker() : library_(open()) {}

    template <typename Function>
    Function function(const char *name) const {
        Function found = nullptr;
        if (!load_function(library_, name, found)) {
            throw Failure(ExitCode::device,
                          fmt::format("nvJitLink has no function {}; install that of CUDA {}", name,
                                      CUDART_VERSION / 1000));
        }
        return found;
    }

  private:
    static void *open() {
        const std::string name = fmt::format("libnvJitLink.so.{}", CUDART_VERSION / 1000);
        std::vector<std::string> reasons;
        for (const std::string &path : toolkit_places(name)) {
            if (void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) {
                return library;
            }
            reasons.emplace_back(dlerror());
        }
        throw Failure(
            ExitCode::device,
            fmt::format("kernels with NVSHMEM need nvJitLink, which was not found:\n  {}\n  install the "
                        "CUDA toolkit, or `pip install nvidia-nvjitlink` and add its folder to "
                        "LD_LIBRARY_PATH, or use execution.transport: peer",
                        fmt::join(reasons, "\n  ")));
    }

    void *library_;
};

#define LINKER_FUNCTION(linker, name) (linker).function<decltype(&(name))>(#name)

std::string link_with_nvshmem(const std::string &code, const std::string &architecture) {
    if (const std::string reason = nvshmem::why_not(); !reason.empty()) {
        throw Failure(ExitCode::device, reason);
    }
    static const Linker linker;
    const std::string option = fmt::format("-arch={}", architecture);
    std::vector<const char *> options{option.c_str()};
    nvJitLinkHandle handle = nullptr;
    const auto check = [&](nvJitLinkResult result, const std::string &step) {
        if (result != NVJITLINK_SUCCESS) {
            std::size_t size = 0;
            std::string said;
            if (handle != nullptr &&
                LINKER_FUNCTION(linker, nvJitLinkGetErrorLogSize)(handle, &size) == NVJITLINK_SUCCESS) {
                said.resize(size);
                (void)LINKER_FUNCTION(linker, nvJitLinkGetErrorLog)(handle, said.data());
            }
            throw Failure(ExitCode::device, fmt::format("nvJitLink cannot link a kernel with {}: {}: {}",
                                                        nvshmem::version(), step, said.c_str()));
        }
    };
    check(LINKER_FUNCTION(linker, nvJitLinkCreate)(&handle, 1, options.data()), "create");
    const auto add = LINKER_FUNCTION(linker, nvJitLinkAddData);
    check(add(handle, NVJITLINK_INPUT_CUBIN, code.data(), code.size(), "kernel"), "kernel");
    const std::span<const std::byte> seam = nvshmem::seam();
    check(add(handle, NVJITLINK_INPUT_FATBIN, seam.data(), seam.size(), "nvshmem_seam"), "nvshmem_seam");
    check(LINKER_FUNCTION(linker, nvJitLinkAddFile)(handle, NVJITLINK_INPUT_LIBRARY,
                                                    nvshmem::device_library().c_str()),
          nvshmem::device_library());
    check(LINKER_FUNCTION(linker, nvJitLinkComplete)(handle), "all");
    std::size_t size = 0;
    check(LINKER_FUNCTION(linker, nvJitLinkGetLinkedCubinSize)(handle, &size), "size");
    std::string linked(size, '\0');
    check(LINKER_FUNCTION(linker, nvJitLinkGetLinkedCubin)(handle, linked.data()), "code");
    (void)LINKER_FUNCTION(linker, nvJitLinkDestroy)(&handle);
    return linked;
}

}  // namespace

CompiledKernels compile(const CudaProgram &program) {
    CompiledKernels compiled = compile(program.text, program.instances, program.options);
    if (program.has_nvshmem) {
        compiled.code = link_with_nvshmem(compiled.code, program.architecture);
    }
    return compiled;
}

}  // namespace perdure::cuda
