#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/compile_kernels.hpp"
#include "solver/backends/kernel_text.hpp"
#include "solver/backends/opencl/opencl_device.hpp"
#include "solver/backends/opencl/opencl_failure.hpp"
#include "solver/backends/opencl/opencl_programs.hpp"
#include "solver/failure.hpp"

namespace perdure {
namespace opencl {
namespace {

/// Those that share a text are one program.
std::vector<OpenclProgram> all_programs(const OpenclDevice &device, const KernelsToCompile &what) {
    std::vector<OpenclProgram> programs;
    std::set<std::string> texts;
    for (const KernelVariant &variant : kernel_variants(what.names, what.precision)) {
        if (find_kernel_entry(variant.kernel)->kind != KernelKind::resident) {
            OpenclProgram program = device.program_of(variant, device.default_group_size() == 1);
            if (texts.insert(program.text).second) {
                programs.push_back(std::move(program));
            }
        }
    }
    return programs;
}

void compile_ahead(const OpenclDevice &device, const cl::Context &context, const OpenclProgram &program,
                   KernelCache &cache) {
    checked(device.description().name, fmt::format("compile kernel '{}'", program.kernel), [&] {
        OpenclPrograms programs(context, device.device(), cache, kept_for(device.device()));
        programs.print_nothing();
        (void)programs.find(program);
    });
}

}  // namespace
}  // namespace opencl

std::string compile_opencl_kernels(const KernelsToCompile &what, int device, const ProgramDone &done) {
    check_kernel_names(what.names);
    std::string why_none;
    const std::vector<std::unique_ptr<Device>> devices = opencl_devices(why_none);
    if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) {
        throw Failure(ExitCode::device,
                      fmt::format("there is no OpenCL device {}{}; `perdure devices` lists all devices",
                                  device, why_none.empty() ? "" : ": " + why_none));
    }
    auto &chosen = dynamic_cast<opencl::OpenclDevice &>(*devices[static_cast<std::size_t>(device)]);
    const std::string name = chosen.description().name;
    const cl::Context &context = chosen.context();
    std::vector<ProgramToCompile> programs;
    for (const opencl::OpenclProgram &program : opencl::all_programs(chosen, what)) {
        programs.push_back({program.title, [&, program](KernelCache &cache) {
                                opencl::compile_ahead(chosen, context, program, cache);
                            }});
    }
    KernelsToCompile with_jobs = what;
    if (opencl::kept_for(chosen.device()) == opencl::Kept::pocl_files) {
        with_jobs.jobs = 1;  // whose files they are is seen by what is new
    }
    compile_programs(with_jobs, programs, done);
    return name;
}

}  // namespace perdure
