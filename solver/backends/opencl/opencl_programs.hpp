// Programs of a device, compiled when a run needs them and kept from run to run.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "solver/backends/kernel_cache.hpp"
#include "solver/backends/opencl/opencl.hpp"
#include "solver/backends/opencl/opencl_program.hpp"
#include "solver/backends/opencl/pocl_folder.hpp"

namespace perdure::opencl {

/// What is kept of a compiled program: its code, as the driver gives it, or PoCL's files (pocl_folder.hpp).
enum class Kept { code, pocl_files };
Kept kept_for(const cl::Device &device);

class OpenclPrograms {
  public:
    OpenclPrograms(cl::Context context, cl::Device device, KernelCache &cache, Kept kept);
    OpenclPrograms(const OpenclPrograms &) = delete;
    OpenclPrograms &operator=(const OpenclPrograms &) = delete;
    /// Keeps what PoCL has compiled at launches.
    ~OpenclPrograms();

    /// That kernels are being compiled is not said from now on.
    void print_nothing() { prints_ = false; }
    /// From the cache on disk where it is there, else compiled, which a message on standard error says. Throws Failure(device) where the
    /// driver refuses the text, and cl::Error.
    const cl::Program &find(const OpenclProgram &program);

    /// All that code depends on.
    [[nodiscard]] std::string key_of(const OpenclProgram &program) const;

  private:
    struct PoclProgram {
        std::set<std::filesystem::path> folders;
        std::set<std::filesystem::path> kept;  // files
    };

    cl::Program compile(const OpenclProgram &program);
    cl::Program from_code(const OpenclProgram &program, const std::string &key);
    cl::Program from_pocl_files(const OpenclProgram &program, const std::string &key);

    cl::Context context_;
    cl::Device device_;
    KernelCache &cache_;
    Kept kept_;
    bool prints_ = true;
    std::string compiler_;
    std::shared_ptr<const PoclFolder> pocl_folder_ = pocl_folder();
    std::map<std::string, cl::Program> programs_;       // by key
    std::map<std::string, PoclProgram> pocl_programs_;  // by key
};

}  // namespace perdure::opencl
