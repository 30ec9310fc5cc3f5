#include "solver/backends/cuda/nvrtc.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/cuda/load_function.hpp"
#include "solver/backends/kernel_sources.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

namespace fs = std::filesystem;

/// The functions of the library, and where it was found.
struct Nvrtc {
    decltype(&nvrtcVersion) version = nullptr;
    decltype(&nvrtcGetErrorString) error_text = nullptr;
    decltype(&nvrtcCreateProgram) create = nullptr;
    decltype(&nvrtcDestroyProgram) destroy = nullptr;
    decltype(&nvrtcAddNameExpression) add_name = nullptr;
    decltype(&nvrtcGetLoweredName) lowered_name = nullptr;
    decltype(&nvrtcCompileProgram) compile = nullptr;
    decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
    decltype(&nvrtcGetProgramLog) log = nullptr;
    decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
    decltype(&nvrtcGetCUBIN) cubin = nullptr;
    std::string path;
};

/// Where the environment says that a CUDA toolkit is.
std::vector<std::string> cuda_roots() {
    std::vector<std::string> roots;
    for (const char *const variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char *const folder = std::getenv(variable); folder != nullptr && *folder != '\0') {
            roots.emplace_back(folder);
        }
    }
    return roots;
}

/// Of the version that this program was built with before others: a newer one makes code that a driver of that time refuses.
std::vector<std::string> places() {
    if (const char *const file = std::getenv("PERDURE_NVRTC"); file != nullptr && *file != '\0') {
        return {file};
    }
    return toolkit_places(fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000));
}

std::optional<Nvrtc> load_from(const std::string &path, std::string &why) {
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // for the rest of the process
    if (library == nullptr) {
        why = dlerror();
        return std::nullopt;
    }
    Nvrtc found;
    found.path = path;
    const bool whole = load_function(library, "nvrtcVersion", found.version) &&
                       load_function(library, "nvrtcGetErrorString", found.error_text) &&
                       load_function(library, "nvrtcCreateProgram", found.create) &&
                       load_function(library, "nvrtcDestroyProgram", found.destroy) &&
                       load_function(library, "nvrtcAddNameExpression", found.add_name) &&
                       load_function(library, "nvrtcGetLoweredName", found.lowered_name) &&
                       load_function(library, "nvrtcCompileProgram", found.compile) &&
                       load_function(library, "nvrtcGetProgramLogSize", found.log_size) &&
                       load_function(library, "nvrtcGetProgramLog", found.log) &&
                       load_function(library, "nvrtcGetCUBINSize", found.cubin_size) &&
                       load_function(library, "nvrtcGetCUBIN", found.cubin);
    why = whole ? "" : path + " is not the NVRTC of CUDA 12 or later";
    return whole ? std::optional(found) : std::nullopt;
}

Nvrtc load() {
    std::vector<std::string> reasons;
    for (const std::string &path : places()) {
        std::string why;
        if (std::optional<Nvrtc> found = load_from(path, why)) {
            return *found;
        }
        reasons.push_back(why);
    }
    throw Failure(ExitCode::device,
                  fmt::format("this run needs a kernel to be compiled, but no compiler (NVRTC) was found:\n  "
                              "{}\n  install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc` and set "
                              "PERDURE_NVRTC to its libnvrtc.so.{}, or run on another back end",
                              fmt::join(reasons, "\n  "), CUDART_VERSION / 1000));
}

const Nvrtc &nvrtc() {
    static const Nvrtc loaded = load();
    return loaded;
}

void check_nvrtc(nvrtcResult result, const char *call) {
    if (result != NVRTC_SUCCESS) {
        throw Failure(ExitCode::device,
                      fmt::format("{}: {}: {}", nvrtc_version().name, call, nvrtc().error_text(result)));
    }
}

struct DestroyProgram {
    void operator()(_nvrtcProgram *program) const { (void)nvrtc().destroy(&program); }
};
using Program = std::unique_ptr<_nvrtcProgram, DestroyProgram>;

Program make_program(const std::string &text) {
    std::vector<std::string> texts;
    std::vector<std::string> names;
    for (const KernelSource &source : kernel_sources()) {
        names.emplace_back(source.path);
        texts.emplace_back(source.text);
    }
    std::vector<const char *> text_pointers;
    std::vector<const char *> name_pointers;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text_pointers.push_back(texts[i].c_str());
        name_pointers.push_back(names[i].c_str());
    }
    nvrtcProgram program = nullptr;
    check_nvrtc(nvrtc().create(&program, text.c_str(), "kernel", static_cast<int>(names.size()),
                               text_pointers.data(), name_pointers.data()),
                "nvrtcCreateProgram");
    return Program(program);
}

std::string messages(const Program &program) {
    std::size_t size = 0;
    check_nvrtc(nvrtc().log_size(program.get(), &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    check_nvrtc(nvrtc().log(program.get(), text.data()), "nvrtcGetProgramLog");
    text.resize(text.find('\0'));
    return text;
}

}  // namespace

std::vector<std::string> toolkit_places(const std::string &library) {
    std::vector<std::string> found;
    for (const std::string &root : cuda_roots()) {
        found.push_back(fmt::format("{}/lib64/{}", root, library));
    }
    found.push_back(library);
    found.push_back("/usr/local/cuda/lib64/" + library);
    found.push_back(fmt::format("/usr/local/cuda-{}/lib64/{}", CUDART_VERSION / 1000, library));
    return found;
}

CompilerVersion nvrtc_version() {
    int major = 0;
    int minor = 0;
    (void)nvrtc().version(&major, &minor);
    return {fmt::format("NVRTC {}.{}", major, minor), nvrtc().path};
}

const std::string &cuda_headers() {
    static const std::string found = [] {
        std::vector<std::string> folders;
        for (const std::string &root : cuda_roots()) {
            folders.push_back(root + "/include");
        }
        folders.emplace_back("/usr/local/cuda/include");
        folders.emplace_back(PERDURE_CUDA_HEADERS);
        for (const std::string &folder : folders) {
            std::error_code error;
            if (fs::exists(folder + "/cooperative_groups.h", error)) {
                return folder;
            }
        }
        return std::string();
    }();
    return found;
}

CompiledKernels compile(const std::string &text, const std::vector<std::string> &instances,
                        const std::vector<std::string> &options) {
    const Program program = make_program(text);
    for (const std::string &instance : instances) {
        check_nvrtc(nvrtc().add_name(program.get(), instance.c_str()), "nvrtcAddNameExpression");
    }
    std::vector<const char *> option_pointers;
    option_pointers.reserve(options.size());
    for (const std::string &option : options) {
        option_pointers.push_back(option.c_str());
    }
    const nvrtcResult result =
        nvrtc().compile(program.get(), static_cast<int>(options.size()), option_pointers.data());
    if (result == NVRTC_ERROR_INVALID_OPTION || result == NVRTC_ERROR_COMPILATION) {
        throw Failure(ExitCode::device,
                      fmt::format("{} ({}) cannot compile the kernel {} with the options {}:\n{}",
                                  nvrtc_version().name, nvrtc().path, fmt::join(instances, ", "),
                                  fmt::join(options, " "), messages(program)));
    }
    check_nvrtc(result, "nvrtcCompileProgram");
    CompiledKernels compiled;
    for (const std::string &instance : instances) {
        const char *symbol = nullptr;
        check_nvrtc(nvrtc().lowered_name(program.get(), instance.c_str(), &symbol), "nvrtcGetLoweredName");
        compiled.symbols[instance] = symbol;
    }
    std::size_t size = 0;
    check_nvrtc(nvrtc().cubin_size(program.get(), &size), "nvrtcGetCUBINSize");
    compiled.code.resize(size);
    check_nvrtc(nvrtc().cubin(program.get(), compiled.code.data()), "nvrtcGetCUBIN");
    return compiled;
}

}  // namespace perdure::cuda
