// A kernel with its memory on an OpenCL device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl.hpp"

namespace perdure::opencl {

/// What a run needs from its device.
struct RunPlace {
    cl::Context context;
    cl::Device device;
    const DeviceDescription *description = nullptr;
    int resident_groups = 1;  // of this kernel and group size
};

class OpenclRun : public DeviceRun {
  public:
    /// Allocates and fills the buffers. Throws cl::Error and Failure(device).
    OpenclRun(RunPlace place, cl::Kernel kernel, const KernelCall &call, LaunchShape shape);
    OpenclRun(const OpenclRun &) = delete;
    OpenclRun &operator=(const OpenclRun &) = delete;
    ~OpenclRun() override;

    void launch(const run_parameters_t &parameters, bool synchronised) override;
    bool finished(std::chrono::milliseconds timeout) override;
    double launch_seconds() override;
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override;
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override;
    SharedMemory memory(std::size_t buffer) override;
    control_t *control() override { return control_.get(); }

  private:
    struct Memory {
        std::string name;
        std::size_t bytes = 0;
        cl::Buffer buffer;  // null for a control block in shared memory
    };

    void add_buffer(const KernelBuffer &buffer);
    [[nodiscard]] const Memory &part_of(std::size_t buffer, std::size_t bytes, std::size_t offset) const;
    [[nodiscard]] bool complete();

    RunPlace place_;
    std::string name_;  // of the device
    std::string kernel_name_;
    cl::Kernel kernel_;
    LaunchShape shape_;
    cl::CommandQueue queue_;
    std::shared_ptr<control_t> control_;
    std::vector<Memory> memory_;
    cl::Event event_;
    bool under_way_ = false;
};

}  // namespace perdure::opencl
