#include "solver/backends/cuda/cuda_partners.hpp"

#include <algorithm>
#include <atomic>

#include "kernels/shares.h"
#include "solver/backends/cuda/cuda_error.hpp"
#include "sync/grid_sync.h"

namespace perdure::cuda {
namespace {

void await(cudaStream_t stream, cudaEvent_t event) {
    check(cudaStreamWaitEvent(stream, event, 0), "cudaStreamWaitEvent");
}

/// As device_place_t of sync/dialect_cuda.h.
struct DevicePlace {
    std::uint32_t index, count, groups;
    std::uint32_t own_first, own_end, pad;
    double begin, end;
};

/// Whose launch told devices their places last: another one may have the same kernel, and other places.
std::atomic<const Partners *> told_last = nullptr;

/// Cells next to another device's, which may lie in a page with these.
constexpr std::uint32_t cells_of_a_page = DEVICE_SYNC_BYTES / sizeof(float);

std::vector<double> equal_parts(std::size_t devices) {
    std::vector<double> cuts;
    for (std::size_t i = 1; i < devices; ++i) {
        cuts.push_back(static_cast<double>(i) / static_cast<double>(devices));
    }
    return cuts;
}

}  // namespace

void start_kernel(const void *kernel, const LaunchShape &shape, void **arguments, bool synchronised,
                  cudaStream_t stream) {
    const dim3 groups(static_cast<unsigned>(shape.groups));
    const dim3 items(static_cast<unsigned>(shape.group_size));
    if (synchronised) {
        check(cudaLaunchCooperativeKernel(kernel, groups, items, arguments, shape.shared_bytes, stream),
              "cudaLaunchCooperativeKernel");
    } else {
        check(cudaLaunchKernel(kernel, groups, items, arguments, shape.shared_bytes, stream),
              "cudaLaunchKernel");
    }
}

Partners::Partners(std::span<const int> devices, const KernelVariant &variant, const LaunchShape &shape)
    : shape_(shape),
      parts_{devices, shape.cuts.empty() ? equal_parts(devices.size()) : shape.cuts},
      first_place_(find_device_place(devices.front(), variant)) {
    for (const int device : devices.subspan(1)) {
        const void *const kernel = find_kernel(device, variant);
        check(cudaSetDevice(device), "cudaSetDevice");
        allow_shared_memory(kernel, shape.shared_bytes);
        partners_.push_back(
            {device, kernel, find_device_place(device, variant), make_stream(), make_event()});
    }
}

Partners::~Partners() {
    const Partners *self = this;
    told_last.compare_exchange_strong(self, nullptr);  // the next one may have this address
}

LaunchShape Partners::part(std::size_t index) const {
    const auto devices = static_cast<uint32>(parts_.devices.size());
    const auto groups = static_cast<uint32>(shape_.groups);
    const auto device = static_cast<uint32>(index);
    LaunchShape shape = shape_;
    shape.groups = static_cast<int>(first_group_of_device(device + 1, devices, groups) -
                                    first_group_of_device(device, devices, groups));
    return shape;
}

void Partners::tell_place(std::size_t index, std::uint32_t cells, void *where, cudaStream_t stream) const {
    const std::vector<double> &cuts = parts_.cuts;
    const double begin = index == 0 ? 0.0 : cuts[index - 1];
    const double end = index < cuts.size() ? cuts[index] : 1.0;
    const std::uint32_t first = index == 0 ? 0 : cut_of(cells, begin) + cells_of_a_page;
    const std::uint32_t last = index < cuts.size() ? cut_of(cells, end) : cells + cells_of_a_page;
    const DevicePlace place{static_cast<std::uint32_t>(index),
                            static_cast<std::uint32_t>(parts_.devices.size()),
                            static_cast<std::uint32_t>(shape_.groups),
                            first,
                            std::max(last, cells_of_a_page) - cells_of_a_page,
                            0,
                            begin,
                            end};
    check(cudaMemcpyAsync(where, &place, sizeof place, cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync (place of a device)");
}

void Partners::begin(std::uint32_t cells, cudaStream_t stream, cudaEvent_t end) {
    const bool know_places = told_last.exchange(this) == this && told_cells_ == cells;
    told_cells_ = cells;
    for (std::size_t i = 0; i < partners_.size(); ++i) {
        const Partner &partner = partners_[i];
        await(stream, partner.end.get());
        await(partner.stream.get(), end);
        for (const Partner &other : partners_) {
            await(partner.stream.get(), other.end.get());
        }
        if (!know_places) {
            check(cudaSetDevice(partner.device), "cudaSetDevice");
            tell_place(i + 1, cells, partner.place, partner.stream.get());
        }
    }
    check(cudaSetDevice(parts_.devices.front()), "cudaSetDevice");
    if (!know_places) {
        tell_place(0, cells, first_place_, stream);
    }
}

void Partners::start(void **arguments, bool synchronised) {
    for (std::size_t i = 0; i < partners_.size(); ++i) {
        const Partner &partner = partners_[i];
        check(cudaSetDevice(partner.device), "cudaSetDevice");
        start_kernel(partner.kernel, part(i + 1), arguments, synchronised, partner.stream.get());
        check(cudaEventRecord(partner.end.get(), partner.stream.get()), "cudaEventRecord");
    }
}

bool Partners::finished(std::chrono::milliseconds timeout) const {
    return std::ranges::all_of(partners_, [&](const Partner &partner) {
        check(cudaSetDevice(partner.device), "cudaSetDevice");
        return becomes_idle(partner.stream.get(), timeout);
    });
}

void Partners::wait() const {
    for (const Partner &partner : partners_) {
        (void)cudaSetDevice(partner.device);
        (void)cudaStreamSynchronize(partner.stream.get());
    }
}

}  // namespace perdure::cuda
