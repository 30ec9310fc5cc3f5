#include "solver/backends/cuda/nvshmem.hpp"

#include <cuda.h>
#include <dlfcn.h>
#include <host/nvshmem_api.h>
#include <host/nvshmemx_api.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/backends/cuda/load_function.hpp"
#include "solver/failure.hpp"

// The code of nvshmem_seam.cu for all architectures.
asm(".section .rodata\n"
    ".balign 64\n"
    "perdure_nvshmem_seam:\n"
    ".incbin \"" PERDURE_NVSHMEM_SEAM
    "\"\n"
    "perdure_nvshmem_seam_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const std::byte perdure_nvshmem_seam[];
extern "C" const std::byte perdure_nvshmem_seam_end[];

namespace perdure::cuda::nvshmem {
namespace {

namespace fs = std::filesystem;

struct Library {
    decltype(&nvshmemx_hostlib_init_attr) init = nullptr;
    decltype(&nvshmemx_get_uniqueid) get_id = nullptr;
    decltype(&nvshmemx_set_attr_uniqueid_args) set_id = nullptr;
    decltype(&nvshmemx_culibrary_init) init_library = nullptr;
    decltype(&nvshmem_malloc) allocate = nullptr;
    std::string path;
    std::string why_not;  // it could not be loaded
};

constexpr const char *file_name = "libnvshmem_host.so.3";
constexpr const char *way_out =
    "install it (`pip install nvidia-nvshmem-cu13`, or Debian packages of NVIDIA) and set NVSHMEM_HOME to "
    "the "
    "folder that contains lib, or use execution.transport: peer on one host";

std::vector<std::string> places() {
    std::vector<std::string> found;
    if (const char *const folder = std::getenv("NVSHMEM_HOME"); folder != nullptr && *folder != '\0') {
        found.push_back(fmt::format("{}/lib/{}", folder, file_name));
    }
    found.emplace_back(file_name);
    found.emplace_back(fmt::format("{}/{}", PERDURE_NVSHMEM_LIBRARIES, file_name));
    return found;
}

/// Where the loader found it: the same folder has what it loads itself and the library for devices.
std::string path_of(void *function) {
    Dl_info info{};
    return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

Library load() {
    std::vector<std::string> reasons;
    for (const std::string &path : places()) {
        Library found;
        void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);  // for the rest of the process
        if (library == nullptr) {
            reasons.emplace_back(dlerror());
            continue;
        }
        if (!load_function(library, "nvshmemx_hostlib_init_attr", found.init) ||
            !load_function(library, "nvshmemx_get_uniqueid", found.get_id) ||
            !load_function(library, "nvshmemx_set_attr_uniqueid_args", found.set_id) ||
            !load_function(library, "nvshmemx_culibrary_init", found.init_library) ||
            !load_function(library, "nvshmem_malloc", found.allocate)) {
            reasons.push_back(path + " is older than NVSHMEM 3.4");
            continue;
        }
        found.path = path_of(reinterpret_cast<void *>(found.allocate));
        return found;
    }
    Library none;
    none.why_not = fmt::format("NVSHMEM was not found:\n  {}\n  {}", fmt::join(reasons, "\n  "), way_out);
    return none;
}

const Library &library() {
    static const Library loaded = load();
    return loaded;
}

void check(int status, const char *call) {
    if (status != 0) {
        throw Failure(
            ExitCode::device,
            fmt::format("NVSHMEM ({}): {} failed with status {}; NVSHMEM_DEBUG=INFO in the environment "
                        "makes it say why, execution.transport: peer does without it on one host",
                        library().path, call, status));
    }
}

}  // namespace

std::string why_not() {
    return library().why_not;
}

std::string version() {
    return fmt::format("NVSHMEM {}.{}.{} ({})", NVSHMEM_VENDOR_MAJOR_VERSION, NVSHMEM_VENDOR_MINOR_VERSION,
                       NVSHMEM_VENDOR_PATCH_VERSION, library().path);
}

void start(Ranks &ranks) {
    static bool started = false;
    if (started) {
        return;
    }
    if (ranks.on_same_host() == ranks.count()) {
        (void)setenv("NVSHMEM_REMOTE_TRANSPORT", "none", 0);  // unless the user has
    }
    (void)setenv("NVSHMEM_DISABLE_NVLS", "1", 1);  // no multicast over NVLink, whose failures last
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (ranks.index() == 0) {
        check(library().get_id(&id), "nvshmemx_get_uniqueid");
    }
    std::string told(reinterpret_cast<const char *>(&id), sizeof id);
    ranks.broadcast(told);
    std::memcpy(&id, told.data(), sizeof id);
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    check(library().set_id(ranks.index(), ranks.count(), &id, &attributes),
          "nvshmemx_set_attr_uniqueid_args");
    check(library().init(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes), "nvshmemx_hostlib_init_attr");
    started = true;
}

void *allocate(std::size_t bytes) {
    void *const memory = library().allocate(bytes);
    if (memory == nullptr) {
        throw Failure(ExitCode::device,
                      fmt::format("NVSHMEM has no {} bytes of symmetric memory left; use a smaller grid or a "
                                  "larger NVSHMEM_SYMMETRIC_SIZE",
                                  bytes));
    }
    return memory;
}

void prepare(cudaLibrary_t code) {
    check(library().init_library(reinterpret_cast<CUlibrary>(code)), "nvshmemx_culibrary_init");
}

std::span<const std::byte> seam() {
    return {perdure_nvshmem_seam, perdure_nvshmem_seam_end};
}

std::string device_library() {
    return (fs::path(library().path).parent_path() / "libnvshmem_device.a").string();
}

}  // namespace perdure::cuda::nvshmem
