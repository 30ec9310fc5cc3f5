// Ranges of addresses of which parts have memory, on one device or several, of this process or of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/backends/byte_ranges.hpp"
#include "solver/backends/cuda/cuda_memory.hpp"
#include "solver/file_descriptor.hpp"

namespace perdure::cuda {

/// Memory is mapped in multiples of it.
inline constexpr std::size_t page = std::size_t{2} << 20U;

/// All functions throw Failure(device), which names the function of the driver that failed.
class MappedRange {
  public:
    /// Addresses alone.
    explicit MappedRange(std::size_t bytes);
    MappedRange(const MappedRange &) = delete;
    MappedRange &operator=(const MappedRange &) = delete;
    ~MappedRange();

    /// New memory of a device at `where`, which is whole pages.
    void map_new(int device, ByteRange where);
    /// The same, and what other processes map it by. Throws where the device has no such memory.
    FileDescriptor map_to_share(int device, ByteRange where);
    /// Memory that another process shares.
    void map_shared(const FileDescriptor &memory, ByteRange where);
    /// Behind these: the devices may load and store what is mapped.
    void open_to(std::span<const int> devices);

    [[nodiscard]] void *begin() const { return reinterpret_cast<void *>(begin_); }

  private:
    void map(unsigned long long memory, ByteRange where);

    std::uintptr_t begin_ = 0;
    std::size_t bytes_;
    std::vector<ByteRange> mapped_;
};

/// Of the current device: so many bytes of addresses, with memory where `held` says.
DeviceMemory allocate_in_part(std::size_t bytes, std::span<const ByteRange> held);

}  // namespace perdure::cuda
