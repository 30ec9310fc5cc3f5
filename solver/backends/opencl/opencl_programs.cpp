#include "solver/backends/opencl/opencl_programs.hpp"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "solver/backends/opencl/opencl_build.hpp"
#include "solver/backends/opencl/opencl_traits.hpp"
#include "solver/time_spent.hpp"
#include "solver/version.hpp"

namespace perdure::opencl {

Kept kept_for(const cl::Device &device) {
    return vendor(device) == Vendor::pocl ? Kept::pocl_files : Kept::code;
}

OpenclPrograms::OpenclPrograms(cl::Context context, cl::Device device, KernelCache &cache, Kept kept)
    : context_(std::move(context)),
      device_(std::move(device)),
      cache_(cache),
      kept_(kept),
      compiler_(compiler_of(device_)) {}

OpenclPrograms::~OpenclPrograms() {
    for (const auto &[key, program] : pocl_programs_) {
        try {
            const std::set<std::filesystem::path> files = pocl_folder_->files_of(program.folders);
            if (!files.empty() && files != program.kept) {
                cache_.keep(key, {pocl_folder_->pack(files), {}});
            }
        } catch (const std::exception &) {  // it is compiled again
        }
    }
}

std::string OpenclPrograms::key_of(const OpenclProgram &program) const {
    return fmt::format("perdure {}, OpenCL\n{}\n{}\n{}", version(), compiler_, program.options, program.text);
}

const cl::Program &OpenclPrograms::find(const OpenclProgram &program) {
    const std::string key = key_of(program);
    if (const auto known = programs_.find(key); known != programs_.end()) {
        return known->second;
    }
    const TimeSpent::Scope compiling(Activity::compile);
    cl::Program found = kept_ == Kept::pocl_files ? from_pocl_files(program, key) : from_code(program, key);
    return programs_.emplace(key, std::move(found)).first->second;
}

cl::Program OpenclPrograms::compile(const OpenclProgram &program) {
    if (prints_) {
        print_compiling(program.title, device_.getInfo<CL_DEVICE_NAME>(), cache_);
    }
    return build_program(context_, device_, program);
}

cl::Program OpenclPrograms::from_code(const OpenclProgram &program, const std::string &key) {
    cl::Program found;
    const auto compile_code = [&] {
        found = compile(program);
        return CompiledKernels{code_of(found), {}};
    };
    (void)cache_.get(key, compile_code, [&](const CompiledKernels &kept) {
        found = load_program(context_, device_, program, kept.code);
        return found() != nullptr;
    });
    return found;
}

/// Of its code PoCL has made but the front end's part when a program is built: that of a kernel is made at the first launch in groups
/// of a size, unless it is asked for, which makes code for all sizes and takes several times as long.
cl::Program OpenclPrograms::from_pocl_files(const OpenclProgram &program, const std::string &key) {
    cl::Program found;
    PoclProgram made;
    const auto build = [&](const auto &make) {
        const std::set<std::filesystem::path> before = pocl_folder_->programs();
        found = make();
        for (const std::filesystem::path &folder : pocl_folder_->programs()) {
            if (!before.contains(folder)) {
                made.folders.insert(folder);
            }
        }
    };
    const CompiledKernels kept = cache_.get(key, [&] {
        build([&] { return compile(program); });
        made.kept = pocl_folder_->files_of(made.folders);
        return CompiledKernels{pocl_folder_->pack(made.kept), {}};
    });
    if (found() == nullptr) {
        made.folders = pocl_folder_->unpack(kept.code);
        made.kept = pocl_folder_->files_of(made.folders);
        build([&] { return build_program(context_, device_, program); });
    }
    pocl_programs_.emplace(key, std::move(made));
    return found;
}

}  // namespace perdure::opencl
