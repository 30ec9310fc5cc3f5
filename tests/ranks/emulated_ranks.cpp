#include "tests/ranks/emulated_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/kernel_forms.h"
#include "kernels/multigrid/hierarchy.h"
#include "kernels/parameters.h"
#include "solver/backends/host/chunks_near_cuts.hpp"
#include "solver/backends/host/rank_messages.hpp"
#include "tests/ranks/emulated_rank_kernels.hpp"
#include "tests/resident/emulated_device.hpp"
#include "tests/resident/emulated_items.hpp"

namespace perdure::tests {
namespace {

RankKernel kernel_of(const KernelCall &call) {
    const RankKernel found = find_gradient_kernel(call.kernel, call.precision);
    return found.run != nullptr ? found : find_stepping_kernel(call.kernel, call.precision);
}

std::uint64_t number(const void *address) {
    return reinterpret_cast<std::uint64_t>(address);
}

/// What the kernels of one rank know and work on.
struct Rank {
    explicit Rank(const KernelCall &call) : memory(call) {}

    EmulatedMemory memory;
    rank_place_t place{};
    std::optional<host::RankArrays> arrays;
    std::vector<std::uint64_t> signals;  // of cells, then of sums
    std::vector<double> outbox, inbox;
    std::vector<rank_list_t> lists;
    std::vector<rank_message_t> messages;
    std::vector<std::uint32_t> arrivals;
    std::vector<std::uint64_t> arrived;
    rank_counts_t counts{};
};

class EmulatedRun final : public DeviceRun {
  public:
    EmulatedRun(const KernelCall &call, LaunchShape shape, const RankFault &fault)
        : call_(call), shape_(std::move(shape)), fault_(fault) {
        for (std::size_t i = 0; i < shape_.cuts.size() + 1; ++i) {
            ranks_.push_back(std::make_unique<Rank>(call));
        }
        for (const std::unique_ptr<Rank> &rank : ranks_) {
            hierarchy_t *const hierarchy = hierarchy_of(*rank);
            for (std::uint32_t level = 0; hierarchy != nullptr && level < hierarchy->levels; ++level) {
                hierarchy->level[level].apart = 1;  // as ranks have it, each of which has whole arrays
            }
        }
    }

    void launch(const run_parameters_t &parameters, bool) override {
        if (!ranks_.front()->arrays) {
            connect(parameters);
        }
        const RankKernel of_call = kernel_of(call_);
        const int groups = shape_.groups / static_cast<int>(ranks_.size());
        std::vector<std::thread> threads;
        for (const std::unique_ptr<Rank> &of : ranks_) {
            if (static_cast<int>(of->place.index) == fault_.silent) {
                continue;
            }
            const std::function<void()> kernel = item_of(of_call.run, call_, parameters, of->memory);
            for (int index = 0; index < groups; ++index) {
                threads.emplace_back([&, index, kernel, rank = of.get()] {
                    of_call.set_place(rank->place);
                    emulated::run_group(static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(groups),
                                        static_cast<std::size_t>(shape_.group_size), 0, kernel);
                });
            }
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
    }
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return std::numeric_limits<double>::quiet_NaN(); }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, ranks_.front()->memory.at<char>(buffer) + offset, bytes);
        if (call_.buffers.at(buffer).among_ranks == AmongRanks::single) {
            for (const std::unique_ptr<Rank> &rank : ranks_) {
                const char *const values = rank->memory.at<char>(buffer) + offset;
                std::transform(values, values + bytes, static_cast<char *>(to), static_cast<char *>(to),
                               std::bit_or<>());
            }
        }
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            for (const host::RankArray &array : ranks_[i]->arrays->list()) {
                const host::PlanesOfRanks &planes = ranks_[i]->arrays->planes();
                const auto begin =
                    array.offset +
                    static_cast<std::size_t>(planes.begin_of(static_cast<int>(i))) * array.plane_bytes;
                const auto end = array.offset + static_cast<std::size_t>(planes.end_of(static_cast<int>(i))) *
                                                    array.plane_bytes;
                if (array.is_of_run() && array.buffer == buffer && begin >= offset && end <= offset + bytes) {
                    std::memcpy(static_cast<char *>(to) + (begin - offset),
                                ranks_[i]->memory.at<char>(buffer) + begin, end - begin);
                }
            }
        }
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        for (const std::unique_ptr<Rank> &rank : ranks_) {
            std::memcpy(rank->memory.at<char>(buffer) + offset, from, bytes);
        }
    }
    std::string missing_messages() override {
        const Rank &first = *ranks_.front();
        return host::describe_missing_messages(0, first.arrived, first.counts, first.signals);
    }
    control_t *control() override { return ranks_.front()->memory.at<control_t>(0); }

  private:
    static constexpr std::size_t signal_words = RANK_SIGNAL_BYTES / sizeof(std::uint64_t);

    /// Null where a kernel has no levels.
    [[nodiscard]] hierarchy_t *hierarchy_of(Rank &rank) const {
        const std::optional<std::size_t> place = call_.find("hierarchy");
        return place ? rank.memory.at<hierarchy_t>(*place) : nullptr;
    }

    void connect(const run_parameters_t &parameters) {
        const auto count = static_cast<std::uint32_t>(ranks_.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            Rank &self = *ranks_[i];
            self.arrays.emplace(call_, shape_.cuts, static_cast<int>(i), parameters, hierarchy_of(self));
            const host::PlanesOfRanks &planes = self.arrays->planes();
            const auto all = static_cast<double>(planes.count());
            self.signals.resize(2 * count * signal_words);
            self.place.index = i;
            self.place.count = count;
            self.place.shared_levels = self.arrays->shared_levels();
            self.place.begin = static_cast<double>(planes.begin_of(static_cast<int>(i))) / all;
            self.place.end = static_cast<double>(planes.end_of(static_cast<int>(i))) / all;
            self.place.slot = host::doubles_of_reduction(call_, parameters, count);
            self.outbox.resize(self.place.slot);
            self.inbox.resize(2 * count * self.place.slot);
            self.arrived.resize(count);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            list_messages(i, parameters);
        }
    }

    void set_owners(Rank &self) {
        self.place.stores = fault_.reaches_none ? 0 : self.arrays->storable();
        for (std::size_t rank = 0; self.place.stores != 0 && rank < ranks_.size(); ++rank) {
            const std::size_t arena = call_.place_of("arena");
            self.place.owners[rank] = self.arrays->owners()[rank];
            self.place.owners[rank].away =
                number(ranks_[rank]->memory.at<char>(arena)) - number(self.memory.at<char>(arena));
        }
    }

    void list_messages(std::uint32_t index, const run_parameters_t &parameters) {
        Rank &self = *ranks_[index];
        set_owners(self);
        const auto count = static_cast<std::uint32_t>(ranks_.size());
        for (std::uint32_t parity = 0; parity < 2; ++parity) {
            for (std::uint32_t other = 0; other < count; ++other) {
                if (other != index) {
                    double *const slot =
                        ranks_[other]->inbox.data() + (parity * count + index) * self.place.slot;
                    self.messages.push_back({number(slot), number(self.outbox.data()), 0,
                                             signal_of(other, count + index), other, 0});
                }
            }
        }
        const host::RankMessages found = host::messages_of(*self.arrays, static_cast<int>(index),
                                                           static_cast<int>(count), self.place.stores);
        for (std::uint32_t array = 0; array < RANK_ARRAYS; ++array) {
            self.lists.push_back({static_cast<std::uint32_t>(self.messages.size()),
                                  static_cast<std::uint32_t>(found.sent[array].size())});
            for (const host::RankMessage &message : found.sent[array]) {
                const auto to = static_cast<std::uint32_t>(message.rank);
                self.messages.push_back({number(ranks_[to]->memory.at<char>(message.buffer) + message.offset),
                                         number(self.memory.at<char>(message.buffer) + message.offset),
                                         message.bytes, signal_of(to, index), to, 0});
            }
            self.arrivals.insert(self.arrivals.end(), found.arrivals[array].begin(),
                                 found.arrivals[array].end());
        }
        rank_place_t &place = self.place;
        host::set_chunks_near_cuts(place, *self.arrays, found, parameters);
        if (fault_.too_few_near_cuts) {
            place.first_near_cut = std::min(place.first_near_cut, 1U);
            place.last_near_cut = std::min(place.last_near_cut, 1U);
        }
        place.exchanged = found.exchanged() & ~fault_.dropped;
        place.lists = number(self.lists.data());
        place.message_list = place.sum_messages = number(self.messages.data());
        place.arrivals = number(self.arrivals.data());
        place.arrived = number(self.arrived.data());
        place.cells_signals = number(self.signals.data());
        place.sums_signals = number(self.signals.data() + count * signal_words);
        place.counts = number(&self.counts);
        place.outbox = number(self.outbox.data());
        place.inbox = number(self.inbox.data());
    }

    [[nodiscard]] std::uint64_t signal_of(std::uint32_t rank, std::uint32_t place) const {
        return number(ranks_[rank]->signals.data() + place * signal_words);
    }

    KernelCall call_;
    LaunchShape shape_;
    RankFault fault_;
    std::vector<std::unique_ptr<Rank>> ranks_;
};

class EmulatedRanks final : public Device {
  public:
    EmulatedRanks(int ranks, int groups_of_each, const RankFault &fault) : fault_(fault) {
        description_.name = "emulated ranks";
        description_.memory_bytes = description_.free_bytes = description_.largest_allocation = std::size_t{1}
                                                                                                << 32;
        description_.compute_units = ranks * groups_of_each;
        description_.devices = ranks;
        description_.shared_control = true;
        description_.gpu = true;
        description_.line_values = LINE_VALUES_OF_HOST;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 64; }
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override {
        return is_interpreted(variant.kernel) ? 1 : LANES;
    }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override {
        return description_.compute_units;
    }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return description_.compute_units; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        return std::make_unique<EmulatedRun>(call, std::move(shape), fault_);
    }

  private:
    DeviceDescription description_;
    RankFault fault_;
};

}  // namespace

std::unique_ptr<Device> emulated_ranks(int ranks, int groups_of_each, const RankFault &fault) {
    return std::make_unique<EmulatedRanks>(ranks, groups_of_each, fault);
}

}  // namespace perdure::tests
