#include "solver/backends/cuda/cuda_shared_memory.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/mapped_range.hpp"

namespace perdure::cuda {
namespace {

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

}  // namespace

DeviceMemory allocate_over(const DeviceParts &parts, std::size_t bytes, std::span<const std::size_t> arrays) {
    const std::vector<std::size_t> owners = owners_of_pages(parts.cuts, bytes, arrays);
    auto range = std::make_shared<MappedRange>(owners.size() * page);
    for (std::size_t first = 0; first < owners.size();) {
        const auto other = std::find_if(owners.begin() + static_cast<std::ptrdiff_t>(first), owners.end(),
                                        [&](std::size_t owner) { return owner != owners[first]; });
        const auto end = static_cast<std::size_t>(other - owners.begin());
        range->map_new(parts.devices[owners[first]], {first * page, (end - first) * page});
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
