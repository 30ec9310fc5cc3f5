#include "solver/backends/cuda/cuda_shared_memory.hpp"

#include <cuda.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

constexpr std::size_t page = std::size_t{2} << 20U;  // pinned memory is mapped in multiples of it

std::size_t pages_of(std::size_t bytes) {
    return (bytes + page - 1) / page;
}

/// Which device each page of a buffer lies on, by where in its array the middle of the page lies. What is less than a page lies on the first.
std::vector<std::size_t> owners_of_pages(const std::vector<double> &cuts, std::size_t bytes,
                                         std::span<const std::size_t> arrays) {
    std::vector<std::size_t> owners;
    for (std::size_t number = 0; number < pages_of(bytes); ++number) {
        const std::size_t middle = std::min(number * page + page / 2, bytes);
        const auto behind = std::ranges::upper_bound(arrays, middle);
        const std::size_t begin = behind == arrays.begin() ? 0 : *std::prev(behind);
        const std::size_t end = behind == arrays.end() ? bytes : *behind;
        const double place = static_cast<double>(middle - begin) / static_cast<double>(end - begin);
        const auto before = std::ranges::count_if(cuts, [&](double cut) { return cut <= place; });
        owners.push_back(end - begin < page ? 0 : static_cast<std::size_t>(before));
    }
    return owners;
}

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

/// A range of addresses with what is mapped there.
class Range {
  public:
    explicit Range(std::size_t bytes) : bytes_(bytes) {
        check_driver(DRIVER_FUNCTION(cuMemAddressReserve)(&begin_, bytes, page, 0, 0),
                     fmt::format("cuMemAddressReserve of {} bytes", bytes));
    }
    Range(const Range &) = delete;
    Range &operator=(const Range &) = delete;
    ~Range() {
        if (mapped_ > 0) {
            (void)unmap_(begin_, mapped_);
        }
        (void)free_(begin_, bytes_);
    }

    /// Behind what is mapped already.
    void map(int device, std::size_t bytes) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location = location(device);
        CUmemGenericAllocationHandle memory = 0;
        check_driver(DRIVER_FUNCTION(cuMemCreate)(&memory, bytes, &properties, 0),
                     fmt::format("cuMemCreate of {} bytes on CUDA device {}", bytes, device));
        const CUresult result = DRIVER_FUNCTION(cuMemMap)(begin_ + mapped_, bytes, 0, memory, 0);
        (void)DRIVER_FUNCTION(cuMemRelease)(memory);  // the mapping keeps it
        check_driver(result, "cuMemMap");
        mapped_ += bytes;
    }
    void open_to(std::span<const int> devices) {
        std::vector<CUmemAccessDesc> access;
        for (const int device : devices) {
            access.push_back({location(device), CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
        }
        check_driver(DRIVER_FUNCTION(cuMemSetAccess)(begin_, mapped_, access.data(), access.size()),
                     "cuMemSetAccess");
    }
    [[nodiscard]] void *begin() const { return reinterpret_cast<void *>(begin_); }

  private:
    // Found beforehand: a look for them may throw.
    decltype(&cuMemUnmap) unmap_ = DRIVER_FUNCTION(cuMemUnmap);
    decltype(&cuMemAddressFree) free_ = DRIVER_FUNCTION(cuMemAddressFree);
    CUdeviceptr begin_ = 0;
    std::size_t bytes_;
    std::size_t mapped_ = 0;
};

}  // namespace

DeviceMemory allocate_over(const DeviceParts &parts, std::size_t bytes, std::span<const std::size_t> arrays) {
    const std::vector<std::size_t> owners = owners_of_pages(parts.cuts, bytes, arrays);
    auto range = std::make_shared<Range>(owners.size() * page);
    for (std::size_t first = 0; first < owners.size();) {
        const auto other = std::find_if(owners.begin() + static_cast<std::ptrdiff_t>(first), owners.end(),
                                        [&](std::size_t owner) { return owner != owners[first]; });
        const auto end = static_cast<std::size_t>(other - owners.begin());
        range->map(parts.devices[owners[first]], (end - first) * page);
        first = end;
    }
    range->open_to(parts.devices);
    void *const begin = range->begin();
    return {std::move(range), begin};
}

std::size_t most_on_a_device(const DeviceParts &parts, std::size_t bytes) {
    const auto pages = static_cast<double>(pages_of(bytes));
    return static_cast<std::size_t>(std::ceil(largest_part(parts.cuts) * pages)) * page;
}

std::string why_not_together(std::span<const int> devices) {
    for (const int device : devices) {
        for (const int other : devices) {
            int reaches = 1;
            int atomics = 1;
            if (device != other) {
                check(cudaDeviceCanAccessPeer(&reaches, device, other), "cudaDeviceCanAccessPeer");
                check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, other),
                      "cudaDeviceGetP2PAttribute");
            }
            if (reaches == 0) {
                return fmt::format("CUDA device {} cannot address the memory of device {}", device, other);
            }
            if (atomics == 0) {
                return fmt::format(
                    "CUDA device {} has no atomics in the memory of device {}: they are not linked by NVLink",
                    device, other);
            }
        }
    }
    return {};
}

}  // namespace perdure::cuda
