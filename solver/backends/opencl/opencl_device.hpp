// An OpenCL device that runs the kernels.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "solver/backends/backend.hpp"
#include "solver/backends/opencl/opencl.hpp"
#include "solver/backends/opencl/opencl_programs.hpp"

namespace perdure::opencl {

class OpenclDevice : public Device {
  public:
    /// Only asks the device what it is: context and programs are made when first needed. Throws cl::Error.
    explicit OpenclDevice(cl::Device device);

    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override;
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override;
    [[nodiscard]] int resident_groups(const KernelVariant &variant, int group_size) override;
    [[nodiscard]] int most_groups(const KernelVariant &variant, int group_size) override;
    [[nodiscard]] double wait_units_per_second() override;
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override;

    [[nodiscard]] const cl::Device &device() const { return device_; }
    const cl::Context &context();
    /// `one_item`: the form for groups of one item.
    [[nodiscard]] OpenclProgram program_of(const KernelVariant &variant, bool one_item) const;

  private:
    const cl::Program &program(const KernelVariant &variant, bool one_item);
    cl::Kernel kernel(const KernelVariant &variant, int group_size);
    [[nodiscard]] int groups_per_compute_unit(const cl::Kernel &kernel, int group_size, int registers) const;
    /// Throws Failure(device) where the groups that met read wrong values.
    int discovered_groups(int group_size);
    void check_shape(const KernelCall &call, LaunchShape shape);
    double time_polls(std::uint32_t polls);

    cl::Device device_;
    DeviceDescription description_;
    cl::Context context_;
    KernelCache cache_;
    std::optional<OpenclPrograms> programs_;
    std::map<std::tuple<std::string, Precision, KernelForm, bool, std::string>, cl::Program> known_programs_;
    double polls_per_second_ = 0.0;
    std::map<int, int> discovered_;  // groups that run at the same time, by group size
    bool discovering_ = false;
};

}  // namespace perdure::opencl
