#include "solver/backends/cuda/cuda_ranks.hpp"

#include <atomic>
#include <utility>

#include "kernels/multigrid/hierarchy.h"
#include "solver/backends/cuda/cuda_error.hpp"
#include "solver/backends/cuda/cuda_kernels.hpp"
#include "solver/backends/host/chunks_near_cuts.hpp"
#include "solver/backends/host/rank_messages.hpp"
#include "solver/failure.hpp"
#include "solver/problem/large_vector.hpp"

namespace perdure::cuda {
namespace {

/// Whose launch told the kernels their places last: another run may have the same kernel.
std::atomic<const CudaRanks *> told_ranks_last = nullptr;

std::uint64_t number(const void *address) {
    return reinterpret_cast<std::uint64_t>(address);
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
      way_(variant.ranks),
      memory_(memory_of_all(variant.ranks)),
      call_(call),
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
    const KernelBuffer &of = call_.buffers.at(buffer);
    if (of.among_ranks == AmongRanks::cells || of.name == "arena") {
        return memory_.allocate(bytes, of.held);
    }
    DeviceMemory own;
    in_all_ranks([&] { own = of.held.empty() ? allocate_device(bytes) : allocate_in_part(bytes, of.held); });
    return own;
}

/// A table of its own for this rank's kernel.
std::uint64_t CudaRanks::add_table(const void *values, std::size_t bytes) {
    tables_.push_back(allocate_device(bytes));
    check(cudaMemcpy(tables_.back().get(), values, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    return number(tables_.back().get());
}

/// Signals, outbox and inbox.
void CudaRanks::make_words(const run_parameters_t &parameters) {
    place_.slot = host::doubles_of_reduction(call_, parameters, place_.count);
    const std::size_t slot_bytes = place_.slot * sizeof(double), signals = place_.count * RANK_SIGNAL_BYTES;
    const std::size_t outbox = 2 * signals;
    const std::size_t inbox =
        outbox + (slot_bytes + RANK_SIGNAL_BYTES - 1) / RANK_SIGNAL_BYTES * RANK_SIGNAL_BYTES;
    const std::size_t bytes = inbox + 2 * place_.count * slot_bytes;
    words_ = memory_.allocate(bytes);
    check(cudaMemset(words_.get(), 0, bytes), "cudaMemset");
    place_.cells_signals = number(words_.get());
    place_.sums_signals = place_.cells_signals + signals;
    place_.outbox = place_.cells_signals + outbox;
    place_.inbox = place_.cells_signals + inbox;
}

/// Pieces of planes that other ranks look at.
void CudaRanks::list_cells(const run_parameters_t &parameters, const std::vector<void *> &addresses,
                           std::vector<rank_message_t> &list) {
    const host::RankMessages messages =
        host::messages_of(*arrays_, ranks_.index(), ranks_.count(), place_.stores);
    host::set_chunks_near_cuts(place_, *arrays_, messages, parameters);
    std::vector<rank_list_t> lists;
    std::vector<std::uint32_t> arrivals;
    auto *const signal =
        reinterpret_cast<std::byte *>(place_.cells_signals) + std::size_t{place_.index} * RANK_SIGNAL_BYTES;
    for (std::uint32_t array = 0; array < RANK_ARRAYS; ++array) {
        lists.push_back({static_cast<std::uint32_t>(list.size()),
                         static_cast<std::uint32_t>(messages.sent[array].size())});
        for (const host::RankMessage &message : messages.sent[array]) {
            // One without bytes has addresses as well, which NVSHMEM may look at.
            const void *const from =
                message.bytes > 0
                    ? static_cast<const std::byte *>(addresses.at(message.buffer)) + message.offset
                    : words_.get();
            list.push_back({memory_.address_at(message.rank, from), number(from), message.bytes,
                            memory_.address_at(message.rank, signal),
                            static_cast<std::uint32_t>(message.rank), 0});
        }
        arrivals.insert(arrivals.end(), messages.arrivals[array].begin(), messages.arrivals[array].end());
    }
    const std::vector<std::uint64_t> arrived(place_.count);
    place_.exchanged = messages.exchanged();
    place_.lists = add_table(lists.data(), lists.size() * sizeof lists[0]);
    place_.arrivals = add_table(arrivals.data(), arrivals.size() * sizeof arrivals[0]);
    place_.arrived = add_table(arrived.data(), arrived.size() * sizeof arrived[0]);
}

void CudaRanks::list_sums(std::vector<rank_message_t> &list) const {
    auto *const signal =
        reinterpret_cast<std::byte *>(place_.sums_signals) + std::size_t{place_.index} * RANK_SIGNAL_BYTES;
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
        for (int rank = 0; rank < ranks_.count(); ++rank) {
            if (rank != ranks_.index()) {
                auto *const inbox = reinterpret_cast<std::byte *>(place_.inbox);
                const std::size_t slot = (parity * place_.count + place_.index) * place_.slot;
                list.push_back({memory_.address_at(rank, inbox + slot * sizeof(double)), place_.outbox, 0,
                                memory_.address_at(rank, signal), static_cast<std::uint32_t>(rank), 0});
            }
        }
    }
}

/// By which address of an arena kernels store to that of another rank. NVSHMEM has no such address.
void CudaRanks::set_owners(const std::vector<void *> &addresses) {
    place_.stores = way_ == RanksOfKernel::nvshmem ? 0 : arrays_->storable();
    for (std::size_t rank = 0; place_.stores != 0 && rank < arrays_->owners().size(); ++rank) {
        const void *const arena = addresses.at(call_.place_of("arena"));
        rank_owner_t &owner = place_.owners[rank] = arrays_->owners()[rank];
        owner.away = static_cast<int>(rank) == ranks_.index()
                         ? 0
                         : memory_.address_at(static_cast<int>(rank), arena) - number(arena);
    }
}

void CudaRanks::make_tables(const run_parameters_t &parameters, const std::vector<void *> &addresses) {
    std::optional<hierarchy_t> hierarchy;
    if (const std::optional<std::size_t> place = call_.find("hierarchy")) {
        check(cudaMemcpy(&hierarchy.emplace(), addresses.at(*place), sizeof(hierarchy_t),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    }
    arrays_.emplace(call_, cuts_, ranks_.index(), parameters, hierarchy ? &*hierarchy : nullptr);
    const host::PlanesOfRanks &planes = arrays_->planes();
    const auto count = static_cast<double>(planes.count());
    place_.index = static_cast<std::uint32_t>(ranks_.index());
    place_.count = static_cast<std::uint32_t>(ranks_.count());
    place_.shared_levels = arrays_->shared_levels();
    place_.begin = static_cast<double>(planes.begin_of(ranks_.index())) / count;
    place_.end = static_cast<double>(planes.end_of(ranks_.index())) / count;
    set_owners(addresses);
    make_words(parameters);
    std::vector<rank_message_t> list;
    list_sums(list);
    list_cells(parameters, addresses, list);
    const rank_counts_t counts{};
    place_.sum_messages = place_.message_list = add_table(list.data(), list.size() * sizeof list[0]);
    place_.counts = add_table(&counts, sizeof counts);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void CudaRanks::begin(const run_parameters_t &parameters, const std::vector<void *> &addresses, bool meets,
                      cudaStream_t stream) {
    const bool is_first = !arrays_;
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

/// Each rank reads its own part, and the host passes it on.
bool CudaRanks::read_parts(std::size_t buffer, std::byte *to, std::size_t bytes, std::size_t offset,
                           bool for_first, const CopyToHost &copy) {
    const std::vector<const host::RankArray *> found =
        arrays_ ? arrays_->within(buffer, offset, bytes) : std::vector<const host::RankArray *>();
    for (const host::RankArray *const array : found) {
        const std::vector<std::size_t> ends = arrays_->ends_in_bytes(*array);
        const auto [begin, own_bytes] = arrays_->own_bytes(*array);
        std::byte *const all = for_first && ranks_.index() > 0 ? nullptr : to + (array->offset - offset);
        LargeVector<std::byte> part(all == nullptr ? own_bytes : 0);
        std::byte *const own = all == nullptr ? part.data() : all + begin;
        in_all_ranks(
            [&, begin = begin, own_bytes = own_bytes] { copy(own, array->offset + begin, own_bytes); });
        if (for_first) {
            gather_at_first(ranks_, own, all, ends);
        } else {
            ranks_.gather(all, ends);
        }
    }
    return !found.empty();
}

void CudaRanks::complete_singles(std::size_t buffer, std::byte *read, std::size_t bytes) {
    if (call_.buffers.at(buffer).among_ranks == AmongRanks::single) {
        ranks_.unite({reinterpret_cast<std::uint64_t *>(read), bytes / sizeof(std::uint64_t)});
    }
}

std::string CudaRanks::missing_messages() const {
    if (!arrays_) {
        return {};
    }
    std::vector<std::uint64_t> arrived(place_.count);
    std::vector<std::uint64_t> signals(2 * place_.count * RANK_SIGNAL_BYTES / sizeof(std::uint64_t));
    rank_counts_t counts{};
    const auto read = [](void *to, std::uint64_t from, std::size_t bytes) {
        check(cudaMemcpy(to, reinterpret_cast<const void *>(from), bytes, cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    };
    read(arrived.data(), place_.arrived, arrived.size() * sizeof arrived[0]);
    read(signals.data(), place_.cells_signals, signals.size() * sizeof signals[0]);
    read(&counts, place_.counts, sizeof counts);
    return host::describe_missing_messages(place_.index, arrived, counts, signals);
}

/// What other ranks have computed, from their memory.
void CudaRanks::complete_from_peers(const host::RankArray &array, std::byte *values,
                                    cudaStream_t stream) const {
    const host::PlanesOfRanks &planes = arrays_->planes();
    for (int rank = 0; rank < ranks_.count(); ++rank) {
        const std::size_t begin = static_cast<std::size_t>(planes.begin_of(rank)) * array.plane_bytes,
                          end = static_cast<std::size_t>(planes.end_of(rank)) * array.plane_bytes;
        if (rank != ranks_.index() && end > begin) {
            check(cudaMemcpyAsync(values + begin,
                                  reinterpret_cast<const void *>(memory_.address_at(rank, values + begin)),
                                  end - begin, cudaMemcpyDefault, stream),
                  "cudaMemcpyAsync (from another process)");
        }
    }
}

/// The same by MPI.
void CudaRanks::complete_by_host(const host::RankArray &array, std::byte *values, cudaStream_t stream) {
    const std::vector<std::size_t> ends = arrays_->ends_in_bytes(array);
    std::vector<std::byte> all(ends.back());
    check(cudaMemcpyAsync(all.data(), values, all.size(), cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync (device to host)");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    ranks_.gather(all.data(), ends);
    check(cudaMemcpyAsync(values, all.data(), all.size(), cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync (host to device)");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

void CudaRanks::complete(std::size_t buffer, void *address, cudaStream_t stream) {
    const std::vector<const host::RankArray *> found =
        arrays_ ? arrays_->within(buffer, 0, call_.buffers.at(buffer).bytes)
                : std::vector<const host::RankArray *>();
    if (found.empty()) {
        return;
    }
    const auto values = [&](const host::RankArray &array) {
        return static_cast<std::byte *>(address) + array.offset;
    };
    if (way_ == RanksOfKernel::nvshmem) {
        for (const host::RankArray *const array : found) {
            complete_by_host(*array, values(*array), stream);
        }
        return;
    }
    const auto wait = [&] { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); };
    in_all_ranks(wait);  // all have what others take
    in_all_ranks([&] {   // and keep it until they have it
        for (const host::RankArray *const array : found) {
            complete_from_peers(*array, values(*array), stream);
        }
        wait();
    });
}

}  // namespace perdure::cuda
