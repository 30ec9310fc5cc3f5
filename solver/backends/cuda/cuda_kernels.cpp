#include "solver/backends/cuda/cuda_kernels.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_program.hpp"
#include "solver/backends/cuda/link_kernels.hpp"
#include "solver/backends/cuda/nvshmem.hpp"
#include "solver/backends/kernel_cache.hpp"
#include "solver/backends/kernel_catalog.hpp"
#include "solver/failure.hpp"
#include "solver/time_spent.hpp"

namespace perdure::cuda {
namespace {

struct LoadedProgram {
    cudaLibrary_t library = nullptr;
    std::map<std::string, std::string> symbols;
    bool knows_nvshmem = false;
};

struct LoadedKernel {
    const void *code;
    void *place;  // of a variant for several devices, or for ranks
    LoadedProgram *program;
};

/// All that was loaded in this process: devices are opened anew for each case of a batch.
struct Store {
    using Name = std::tuple<int, std::string, Precision, KernelForm, bool, bool, bool, RanksOfKernel, bool,
                            std::string, std::string>;
    std::mutex mutex;
    KernelCache cache;
    std::map<std::pair<int, std::string>, LoadedProgram> programs;  // by device and key
    std::map<Name, LoadedKernel> kernels;
    std::string before_resident;
};

Store &store() {
    static Store &one = *new Store;  // never destroyed: the driver unloads what is left
    return one;
}

std::string architecture_of(int device) {
    int major = 0;
    int minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
          "cudaDeviceGetAttribute");
    return fmt::format("sm_{}{}", major, minor);
}

CudaProgram program_of(int device, const KernelVariant &variant, bool instrumented) {
    const KernelEntry *const entry = find_kernel_entry(variant.kernel);
    const bool resident = entry != nullptr && entry->kind == KernelKind::resident;
    const std::string before = resident ? store().before_resident : "";
    CudaProgram program = make_program(variant, instrumented, architecture_of(device), before);
    if (!before.empty()) {
        program.options.emplace_back(compile_quickly);  // nobody times them
    }
    return program;
}

CompiledKernels compile_with_notice(const CudaProgram &program, int device) {
    print_compiling(program.title, architecture_of(device), store().cache);
    return compile(program);
}

LoadedProgram load(const CudaProgram &program, const std::string &key, int device) {
    const TimeSpent::Scope compiling(Activity::compile);
    CompiledKernels compiled = store().cache.get(key, [&] { return compile_with_notice(program, device); });
    LoadedProgram loaded;
    check(cudaSetDevice(device), "cudaSetDevice");
    check(
        cudaLibraryLoadData(&loaded.library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        fmt::format("the driver loads kernel '{}' (cudaLibraryLoadData)", program.instance));
    loaded.symbols = std::move(compiled.symbols);
    return loaded;
}

LoadedKernel find(int device, const KernelVariant &variant, bool instrumented) {
    Store &known = store();
    const std::scoped_lock lock(known.mutex);
    const Store::Name name{device,
                           variant.kernel,
                           variant.precision,
                           variant.form,
                           variant.cooperative,
                           variant.ensemble,
                           variant.several_devices,
                           variant.ranks,
                           instrumented,
                           known.before_resident,
                           variant.definitions};
    if (const auto found = known.kernels.find(name); found != known.kernels.end()) {
        return found->second;
    }
    const CudaProgram program = program_of(device, variant, instrumented);
    const std::pair of_device(device, program.key());
    auto loaded = known.programs.find(of_device);
    if (loaded == known.programs.end()) {
        loaded = known.programs.emplace(of_device, load(program, of_device.second, device)).first;
    }
    cudaKernel_t kernel = nullptr;
    check(cudaLibraryGetKernel(&kernel, loaded->second.library,
                               loaded->second.symbols.at(program.instance).c_str()),
          "cudaLibraryGetKernel");
    LoadedKernel found{reinterpret_cast<const void *>(kernel), nullptr, &loaded->second};
    if (variant.several_devices || variant.ranks != RanksOfKernel::none) {
        std::size_t bytes = 0;
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaLibraryGetGlobal(&found.place, &bytes, loaded->second.library,
                                   variant.several_devices ? "perdure_device" : "perdure_ranks"),
              "cudaLibraryGetGlobal");
    }
    return known.kernels.emplace(name, found).first->second;
}

}  // namespace

const void *find_kernel(int device, const KernelVariant &variant) {
    return find(device, variant, false).code;
}

void *find_device_place(int device, const KernelVariant &variant) {
    return find(device, variant, false).place;
}

void prepare_nvshmem(int device, const KernelVariant &variant) {
    LoadedProgram &program = *find(device, variant, false).program;
    if (!std::exchange(program.knows_nvshmem, true)) {
        nvshmem::prepare(program.library);
    }
}

bool is_compiled(int device, const KernelVariant &variant) {
    Store &known = store();
    const std::scoped_lock lock(known.mutex);
    const std::string key = program_of(device, variant, false).key();
    return known.programs.contains({device, key}) || known.cache.has(key);
}

const void *find_instrumented_kernel(int device, const KernelVariant &variant) {
    return find(device, variant, true).code;
}

void allow_shared_memory(const void *kernel, std::size_t bytes) {
    static std::mutex mutex;
    static std::map<const void *, std::size_t>
        allowed;  // never less again: another launch may be about to need it
    const std::scoped_lock lock(mutex);
    std::size_t &most = allowed[kernel];
    if (bytes > most) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "cudaFuncSetAttribute (dynamic shared memory)");
        most = bytes;
    }
}

bool can_be_instrumented(const std::string &kernel) {
    const KernelEntry *const entry = find_kernel_entry(kernel);
    return entry != nullptr && entry->kind == KernelKind::phases && entry->by_precision;
}

void put_before_resident_kernels(const std::string &text) {
    const std::scoped_lock lock(store().mutex);
    store().before_resident = text;
}

std::vector<cudaLibrary_t> loaded_programs() {
    const std::scoped_lock lock(store().mutex);
    std::vector<cudaLibrary_t> libraries;
    for (const auto &[key, program] : store().programs) {
        libraries.push_back(program.library);
    }
    return libraries;
}

}  // namespace perdure::cuda
