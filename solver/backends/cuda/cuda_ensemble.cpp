#include "solver/backends/cuda/cuda_ensemble.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/ensemble.h"
#include "solver/backends/cuda/cuda_error.hpp"

namespace perdure::cuda {
namespace {

/// So many bytes as keep what follows aligned as barriers ask for.
std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t alignment = 128;
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Parts of one allocation, each aligned.
class Parts {
  public:
    std::size_t add(std::size_t bytes) {
        const std::size_t begin = bytes_;
        bytes_ += aligned(bytes);
        return begin;
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

template <typename Value>
void put(std::vector<std::byte> &into, std::size_t at, const Value &value) {
    std::memcpy(into.data() + at, &value, sizeof value);
}

CudaRun &run_of(const MemberLaunch &member) {
    return dynamic_cast<CudaRun &>(*member.run);
}

}  // namespace

CudaEnsemble::CudaEnsemble(int device, std::span<const MemberLaunch> members, int resident_groups)
    : device_(device), members_(members.size()) {
    check(cudaSetDevice(device_), "cudaSetDevice");
    const CudaRun &first = run_of(members.front());
    const LaunchShape shape = first.shape();
    const std::size_t arguments = first.addresses().size();
    const std::size_t rows =
        std::clamp<std::size_t>(static_cast<std::size_t>(resident_groups / shape.groups), 1, members_);
    const std::size_t turn_bytes = aligned(grid_sync_bytes(static_cast<std::uint32_t>(shape.groups)));

    Parts parts;
    const std::size_t parameters = parts.add(members_ * sizeof(run_parameters_t));
    const std::size_t buffers = parts.add(members_ * arguments * sizeof(void *));
    const std::size_t given = parts.bytes();
    const std::size_t times = parts.add(members_ * 2 * sizeof(std::uint64_t));
    const std::size_t next = parts.add(sizeof(std::uint32_t));
    const std::size_t taken = parts.add(rows * sizeof(std::uint32_t));
    const std::size_t turns = parts.add(rows * turn_bytes);

    std::vector<std::byte> values(given);
    for (std::size_t member = 0; member < members_; ++member) {
        put(values, parameters + member * sizeof(run_parameters_t), members[member].parameters);
        const std::vector<void *> addresses = run_of(members[member]).addresses();
        std::memcpy(values.data() + buffers + member * arguments * sizeof(void *), addresses.data(),
                    arguments * sizeof(void *));
    }
    stream_ = make_stream();
    times_ = allocate_pinned_for_member(members_ * 2 * sizeof(std::uint64_t));
    memory_ = allocate_device(parts.bytes());
    auto *const begin = static_cast<std::byte *>(memory_.get());
    check(cudaMemcpyAsync(begin, values.data(), given, cudaMemcpyHostToDevice, stream_.get()),
          "cudaMemcpyAsync (host to device)");
    check(cudaMemsetAsync(begin + given, 0, parts.bytes() - given, stream_.get()), "cudaMemsetAsync");

    ensemble_t ensemble{};
    ensemble.parameters = reinterpret_cast<const run_parameters_t *>(begin + parameters);
    ensemble.buffers = reinterpret_cast<void *const *>(begin + buffers);
    ensemble.times = reinterpret_cast<uint64 *>(begin + times);
    ensemble.next = reinterpret_cast<uint32 *>(begin + next);
    ensemble.taken = reinterpret_cast<uint32 *>(begin + taken);
    ensemble.turns = reinterpret_cast<unsigned char *>(begin + turns);
    ensemble.turn_bytes = turn_bytes;
    ensemble.wait_limit = members.front().parameters.wait_limit;
    ensemble.members = static_cast<uint32>(members_);
    ensemble.arguments = static_cast<uint32>(arguments);
    allow_shared_memory(first.kernel(), shape.shared_bytes);
    void *launch_arguments[] = {&ensemble};
    const cudaError_t started = cudaLaunchCooperativeKernel(
        first.kernel(), dim3(static_cast<unsigned>(shape.groups), static_cast<unsigned>(rows)),
        dim3(static_cast<unsigned>(shape.group_size)), launch_arguments, shape.shared_bytes, stream_.get());
    if (started != cudaSuccess) {
        (void)cudaStreamSynchronize(stream_.get());  // before its memory is another one's
    }
    check(started, "cudaLaunchCooperativeKernel (ensemble)");
    try {
        begin_reading(members, begin + times);
    } catch (const Failure &) {
        (void)cudaStreamSynchronize(stream_.get());
        throw;
    }
}

void CudaEnsemble::begin_reading(std::span<const MemberLaunch> members, const std::byte *times) {
    check(cudaMemcpyAsync(times_.get(), times, members_ * 2 * sizeof(std::uint64_t), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "cudaMemcpyAsync (device to host)");
    for (const MemberLaunch &member : members) {
        run_of(member).begin_reading(stream_.get());
    }
}

CudaEnsemble::~CudaEnsemble() {
    (void)cudaSetDevice(device_);
    (void)cudaStreamSynchronize(stream_.get());
}

bool CudaEnsemble::finished(std::chrono::milliseconds timeout) {
    check(cudaSetDevice(device_), "cudaSetDevice");
    // With pauses from the beginning: threads of members wait for the driver while it is asked.
    return becomes_idle(stream_.get(), timeout, std::chrono::microseconds(0));
}

double CudaEnsemble::seconds(std::size_t member) {
    const auto *const times = static_cast<const std::uint64_t *>(times_.get());
    const std::uint64_t begin = times[2 * member];
    const std::uint64_t end = times[2 * member + 1];
    return begin == 0 || end < begin ? -1.0 : 1.0e-9 * static_cast<double>(end - begin);
}

}  // namespace perdure::cuda
