#include "solver/backends/cuda/cuda_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <utility>

#include "kernels/device_ranks.h"
#include "kernels/run.h"
#include "kernels/watch_setup.h"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/failure.hpp"

namespace perdure::cuda {
namespace {

/// Groups send pieces side by side.
constexpr std::size_t largest_piece = std::size_t{64} << 10U;
/// The word of cells, and behind it those of sums.
enum : std::size_t { line = RANK_SIGNAL_BYTES, cells_word = 0, sums_words = line };

/// Whose launch told the kernels their places last: another run may have the same kernel.
std::atomic<const CudaRanks *> told_ranks_last = nullptr;

std::uint64_t number(const void *address) {
    return reinterpret_cast<std::uint64_t>(address);
}

std::size_t pieces_of(std::size_t bytes) {
    return (bytes + largest_piece - 1) / largest_piece;
}

/// How many elements a buffer has, if the kernel has it.
std::uint32_t count_in(const KernelCall &call, std::string_view buffer, std::size_t element_bytes) {
    const auto found = std::ranges::find(call.buffers, buffer, &KernelBuffer::name);
    return found == call.buffers.end() ? 0 : static_cast<std::uint32_t>(found->bytes / element_bytes);
}

/// Once all ranks are here: none has failed before.
RankMemory &memory_of_all(RanksOfKernel way) {
    in_all_ranks([] {});
    return rank_memory(*perdure::ranks(), way);
}

}  // namespace

CudaRanks::CudaRanks(int device, const KernelVariant &variant, const KernelCall &call,
                     const LaunchShape &shape)
    : ranks_(*perdure::ranks()),
      memory_(memory_of_all(variant.ranks)),
      buffers_(call.buffers),
      cell_bytes_(call.precision == Precision::float32 ? sizeof(float) : sizeof(double)),
      rows_(std::max(MAX_SUMS, count_in(call, "reductions", sizeof(std::uint32_t)))),
      singles_(count_in(call, "probes", sizeof(watch_probe_t))),
      reach_(call.reach),
      cuts_(shape.cuts),
      place_of_kernel_(find_device_place(device, variant)) {
    if (variant.ranks == RanksOfKernel::nvshmem) {
        prepare_nvshmem(device, variant);
    }
}

CudaRanks::~CudaRanks() {
    const CudaRanks *self = this;
    told_ranks_last.compare_exchange_strong(self, nullptr);  // the next one may have this address
}

DeviceMemory CudaRanks::allocate(std::size_t buffer, std::size_t bytes) {
    return buffers_.at(buffer).among_ranks == AmongRanks::cells ? memory_.allocate(bytes)
                                                                : allocate_device(bytes);
}

void CudaRanks::set_planes(const run_parameters_t &parameters) {
    const std::uint32_t planes = parameters.dimensions == 3 ? parameters.nz : parameters.ny;
    std::vector<std::int64_t> ends;
    for (const double cut : cuts_) {
        ends.push_back(cut_of(planes, cut));
    }
    ends.push_back(planes);
    const bool periodic = (parameters.dimensions == 3 ? parameters.periodic_z : parameters.periodic_y) != 0;
    planes_.emplace(std::move(ends), periodic);
    array_bytes_ = std::size_t{parameters.cells} * cell_bytes_;
}

/// Of one array: the planes that others look at.
void CudaRanks::list_cells(std::byte *own, std::byte *signal, std::size_t plane_bytes,
                           std::vector<rank_message_t> &list) {
    const host::PlaneTransfers transfers = planes_->transfers(ranks_.index(), reach_);
    for (const host::PlanesOfRank &planes : transfers.sent) {
        std::byte *const begin = own + static_cast<std::size_t>(planes.first) * plane_bytes;
        const std::size_t bytes = static_cast<std::size_t>(planes.count) * plane_bytes;
        for (std::size_t done = 0; done < bytes; done += largest_piece) {
            list.push_back({memory_.address_at(planes.rank, begin + done), number(begin + done),
                            std::min(largest_piece, bytes - done), memory_.address_at(planes.rank, signal),
                            static_cast<std::uint32_t>(planes.rank), 0});
        }
    }
    for (const host::PlanesOfRank &planes : transfers.received) {
        place_.arrivals +=
            static_cast<std::uint32_t>(pieces_of(static_cast<std::size_t>(planes.count) * plane_bytes));
    }
}

/// `own`: the memory of signals.
void CudaRanks::list_sums(std::byte *own, std::vector<rank_message_t> &list) const {
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
        for (int rank = 0; rank < ranks_.count(); ++rank) {
            if (rank != ranks_.index()) {
                auto *const inbox = reinterpret_cast<std::byte *>(place_.inbox);
                const std::size_t slot = (parity * place_.count + place_.index) * place_.slot;
                list.push_back({memory_.address_at(rank, inbox + slot * sizeof(double)), place_.outbox, 0,
                                memory_.address_at(rank, own + sums_words + place_.index * line),
                                static_cast<std::uint32_t>(rank), 0});
            }
        }
    }
}

void CudaRanks::make_tables(const run_parameters_t &parameters, const std::vector<void *> &addresses) {
    set_planes(parameters);
    place_.index = static_cast<std::uint32_t>(ranks_.index());
    place_.count = static_cast<std::uint32_t>(ranks_.count());
    const auto planes = static_cast<double>(planes_->count());
    place_.begin = static_cast<double>(planes_->begin_of(ranks_.index())) / planes;
    place_.end = static_cast<double>(planes_->end_of(ranks_.index())) / planes;
    place_.slot = doubles_of_message(&parameters, place_.count, rows_, singles_);
    const std::size_t slot_bytes = place_.slot * sizeof(double);
    const std::size_t outbox_begin = sums_words + place_.count * line;
    const std::size_t inbox_begin = outbox_begin + (slot_bytes + line - 1) / line * line;
    const std::size_t bytes = inbox_begin + 2 * place_.count * slot_bytes;
    words_ = memory_.allocate(bytes);
    auto *const words = static_cast<std::byte *>(words_.get());
    check(cudaMemset(words, 0, bytes), "cudaMemset");
    place_.cells_signal = number(words + cells_word);
    place_.sums_signals = number(words + sums_words);
    place_.outbox = number(words + outbox_begin);
    place_.inbox = number(words + inbox_begin);
    std::vector<rank_message_t> list;
    list_sums(words, list);
    const std::size_t sum_messages = list.size();
    const auto plane_bytes = array_bytes_ / static_cast<std::size_t>(planes_->count());
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        for (std::size_t begin = 0;
             buffers_[i].among_ranks == AmongRanks::cells && begin + array_bytes_ <= buffers_[i].bytes;
             begin += array_bytes_) {
            list_cells(static_cast<std::byte *>(addresses.at(i)) + begin, words + cells_word, plane_bytes,
                       list);
        }
    }
    place_.messages = static_cast<std::uint32_t>(list.size() - sum_messages);
    const std::size_t list_bytes = list.size() * sizeof list[0];
    tables_ = allocate_device(list_bytes + sizeof(rank_counts_t));
    auto *const tables = static_cast<std::byte *>(tables_.get());
    check(cudaMemset(tables + list_bytes, 0, sizeof(rank_counts_t)), "cudaMemset");
    check(cudaMemcpy(tables, list.data(), list_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    place_.sum_messages = number(tables);
    place_.message_list = number(tables + sum_messages * sizeof list[0]);
    place_.counts = number(tables + list_bytes);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void CudaRanks::begin(const run_parameters_t &parameters, const std::vector<void *> &addresses, bool meets,
                      cudaStream_t stream) {
    const bool is_first = !planes_;
    if (is_first) {
        make_tables(parameters, addresses);
    }
    if (std::exchange(has_changed_, false) || meets) {
        in_all_ranks([] {});
    }
    if (told_ranks_last.exchange(this) != this || is_first) {
        check(cudaMemcpyAsync(place_of_kernel_, &place_, sizeof place_, cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync (place of a rank)");
    }
}

void CudaRanks::complete(std::size_t buffer, std::byte *read, std::size_t offset, std::size_t bytes) {
    if (buffers_.at(buffer).among_ranks == AmongRanks::single) {
        ranks_.unite({reinterpret_cast<std::uint64_t *>(read), bytes / sizeof(std::uint64_t)});
    }
    if (!planes_ || buffers_.at(buffer).among_ranks != AmongRanks::cells) {
        return;
    }
    std::vector<std::size_t> ends;
    for (const std::int64_t end : planes_->ends()) {
        ends.push_back(static_cast<std::size_t>(end) *
                       (array_bytes_ / static_cast<std::size_t>(planes_->count())));
    }
    for (std::size_t begin = 0; begin + array_bytes_ <= buffers_[buffer].bytes; begin += array_bytes_) {
        if (begin >= offset && begin + array_bytes_ <= offset + bytes) {
            ranks_.gather(read + (begin - offset), ends);
        }
    }
}

}  // namespace perdure::cuda
