#include "solver/backends/cuda/mapped_range.hpp"

#include <cuda.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_handles.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

/// A function of the driver, which the program is not linked with: it starts where there is none.
template <typename Function>
Function driver_function(const char *name) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found), name);
    if (found != cudaDriverEntryPointSuccess) {
        throw Failure(ExitCode::device, fmt::format("the NVIDIA driver has no {}; it is too old", name));
    }
    return reinterpret_cast<Function>(function);
}

#define DRIVER_FUNCTION(name) driver_function<decltype(&(name))>(#name)

void check_driver(CUresult result, const std::string &call) {
    if (result == CUDA_SUCCESS) {
        return;
    }
    const char *text = nullptr;
    (void)DRIVER_FUNCTION(cuGetErrorString)(result, &text);
    throw Failure(ExitCode::device,
                  fmt::format("CUDA: {}: {}", call, text == nullptr ? "unknown error" : text));
}

CUmemLocation location(int device) {
    CUmemLocation found{};
    found.type = CU_MEM_LOCATION_TYPE_DEVICE;
    found.id = device;
    return found;
}

/// Whoever has mapped memory keeps it; the handle is of no further use then.
class Memory {
  public:
    explicit Memory(CUmemGenericAllocationHandle handle) : handle_(handle) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() { (void)release_(handle_); }
    [[nodiscard]] CUmemGenericAllocationHandle handle() const { return handle_; }

  private:
    decltype(&cuMemRelease) release_ = DRIVER_FUNCTION(cuMemRelease);  // found beforehand: a look may throw
    CUmemGenericAllocationHandle handle_;
};

CUmemGenericAllocationHandle create(int device, std::size_t bytes, CUmemAllocationHandleType shared_by) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location(device);
    properties.requestedHandleTypes = shared_by;
    CUmemGenericAllocationHandle handle = 0;
    check_driver(DRIVER_FUNCTION(cuMemCreate)(&handle, bytes, &properties, 0),
                 fmt::format("cuMemCreate of {} bytes on CUDA device {}", bytes, device));
    return handle;
}

/// What memory that processes share takes.
void expect_shareable(int device) {
    CUdevice number = 0;
    check_driver(DRIVER_FUNCTION(cuDeviceGet)(&number, device), "cuDeviceGet");
    constexpr std::array<std::pair<CUdevice_attribute, const char *>, 2> needed{
        {{CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, "virtual memory management"},
         {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
          "memory that processes share by file descriptors"}}};
    for (const auto &[attribute, what] : needed) {
        int has_it = 0;
        check_driver(DRIVER_FUNCTION(cuDeviceGetAttribute)(&has_it, attribute, number),
                     "cuDeviceGetAttribute");
        if (has_it == 0) {
            throw Failure(
                ExitCode::device,
                fmt::format("CUDA device {} has no {}, by which processes hold a part of each array "
                            "on their GPUs; use execution.transport: nvshmem, or one process",
                            device, what));
        }
    }
}

}  // namespace

MappedRange::MappedRange(std::size_t bytes) : bytes_((bytes + page - 1) / page * page) {
    CUdeviceptr begin = 0;
    check_driver(DRIVER_FUNCTION(cuMemAddressReserve)(&begin, bytes_, page, 0, 0),
                 fmt::format("cuMemAddressReserve of {} bytes", bytes_));
    begin_ = begin;
}

MappedRange::~MappedRange() {
    try {
        const auto unmap = DRIVER_FUNCTION(cuMemUnmap);
        for (const ByteRange &range : mapped_) {
            (void)unmap(begin_ + range.begin, range.bytes);
        }
        (void)DRIVER_FUNCTION(cuMemAddressFree)(begin_, bytes_);
    } catch (const Failure &) {  // the driver has gone, and the memory with it
    }
}

void MappedRange::map(unsigned long long memory, ByteRange where) {
    mapped_.reserve(mapped_.size() + 1);  // what is mapped is noted
    check_driver(DRIVER_FUNCTION(cuMemMap)(begin_ + where.begin, where.bytes, 0, memory, 0), "cuMemMap");
    mapped_.push_back(where);
}

void MappedRange::map_new(int device, ByteRange where) {
    const Memory memory(create(device, where.bytes, CU_MEM_HANDLE_TYPE_NONE));
    map(memory.handle(), where);
}

FileDescriptor MappedRange::map_to_share(int device, ByteRange where) {
    expect_shareable(device);
    const Memory memory(create(device, where.bytes, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    int number = -1;
    check_driver(DRIVER_FUNCTION(cuMemExportToShareableHandle)(&number, memory.handle(),
                                                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                 "cuMemExportToShareableHandle");
    FileDescriptor descriptor(number);
    map(memory.handle(), where);
    return descriptor;
}

void MappedRange::map_shared(const FileDescriptor &memory, ByteRange where) {
    CUmemGenericAllocationHandle handle = 0;
    void *const number = reinterpret_cast<void *>(static_cast<std::uintptr_t>(memory.number()));
    check_driver(DRIVER_FUNCTION(cuMemImportFromShareableHandle)(&handle, number,
                                                                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
                 "cuMemImportFromShareableHandle");
    const Memory imported(handle);
    map(imported.handle(), where);
}

void MappedRange::open_to(std::span<const int> devices) {
    std::vector<CUmemAccessDesc> access;
    for (const int device : devices) {
        access.push_back({location(device), CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    }
    for (const ByteRange &range : mapped_) {
        check_driver(
            DRIVER_FUNCTION(cuMemSetAccess)(begin_ + range.begin, range.bytes, access.data(), access.size()),
            "cuMemSetAccess");
    }
}

DeviceMemory allocate_in_part(std::size_t bytes, std::span<const ByteRange> held) {
    const std::array devices{current_device()};
    auto range = std::make_shared<MappedRange>(bytes);
    for (const ByteRange &where : in_pages(held, page)) {
        range->map_new(devices.front(), where);
    }
    range->open_to(devices);
    void *const begin = range->begin();
    return {std::move(range), begin};
}

}  // namespace perdure::cuda
