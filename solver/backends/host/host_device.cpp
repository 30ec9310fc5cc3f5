#include "solver/backends/host/host_device.hpp"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/kernel_forms.h"
#include "solver/backends/host/group_threads.hpp"
#include "solver/backends/host/host_ensemble.hpp"
#include "solver/backends/host/host_kernels.hpp"
#include "solver/backends/host/host_memory.hpp"
#include "solver/backends/host/rank_exchange.hpp"
#include "solver/ranks/ranks.hpp"
#include "sync/group_context.h"

namespace perdure {
namespace host {
namespace {

constexpr int most_threads = 1024;
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// Which share its memory.
std::size_t ranks_on_host() {
    return ranks() != nullptr ? static_cast<std::size_t>(ranks()->on_same_host()) : 1;
}

/// PERDURE_SPOIL_UNHELD, in the environment, is for tests: a kernel that reads what its rank does not hold then computes with NaN.
bool spoils_unheld() {
    static const bool spoils = std::getenv("PERDURE_SPOIL_UNHELD") != nullptr;
    return spoils;
}

/// Whether ranks have a part of it each; others, such as tests of barriers, each runs by itself.
bool has_cells(const KernelCall &call) {
    return std::ranges::any_of(
        call.buffers, [](const KernelBuffer &buffer) { return buffer.among_ranks == AmongRanks::cells; });
}

class HostRun : public DeviceRun {
  public:
    HostRun(const KernelCall &call, const LaunchShape &shape, std::optional<std::uint64_t> shuffle)
        : kernel_(find_kernel(call.kernel, call.precision, call.form)),
          times_parts_(times_parts(call.kernel, call.precision, call.form)),
          groups_(shape.groups),
          shuffle_(shuffle),
          buffers_(call.buffers) {
        if (kernel_ == nullptr) {
            throw Failure(ExitCode::differs_or_internal,
                          fmt::format("internal error: host: there is no kernel '{}'", call.kernel));
        }
        for (const KernelBuffer &buffer : call.buffers) {
            memory_.push_back(buffer.taken ? std::static_pointer_cast<HostMemory>(buffer.taken)
                                           : std::make_shared<HostMemory>(buffer));
            if (!buffer.as_it_stands) {
                memory_.back()->fill(buffer, buffer.taken == nullptr);
            }
            if (spoils_unheld()) {
                memory_.back()->spoil_rest(buffer);
            }
            pointers_.push_back(memory_.back()->data());
        }
        if (!shuffle_ && !call.ensemble) {
            threads_ = std::make_unique<GroupThreads>(groups_, [this] {
                perdure_rank = rank_;
                kernel_(parameters_, pointers_.data());
            });
        }
        if (ranks() != nullptr && has_cells(call) && !shape.cuts.empty()) {
            exchange_.emplace(*ranks(), call, memory_pointers(), shape);
        }
    }

    void launch(const run_parameters_t &parameters, bool synchronised) override {
        if (threads_) {
            threads_->wait_until_idle();
        }
        parameters_ = parameters;
        if (exchange_) {
            exchange_->share_cells_behind_launch();
            rank_ = exchange_->context(parameters);
            parameters_.wait_limit =
                no_limit;  // another rank may wait for its disk; whether it lives, ranks tell
        }
        parameters_.time_parts = instrumented_ ? 1 : 0;
        if (threads_) {
            threads_->start();
            return;
        }
        if (synchronised) {
            throw Failure(ExitCode::device,
                          "internal error: host: groups in shuffled order cannot wait for each other");
        }
        run_shuffled();
    }
    /// By the calling thread, as the only group: of a member of an ensemble.
    void run_as_member(const run_parameters_t &parameters) { kernel_(parameters, pointers_.data()); }
    bool finished(std::chrono::milliseconds timeout) override {
        const bool is_over = !threads_ || threads_->wait(timeout);
        if (is_over && exchange_) {
            exchange_->share_cells_behind_launch();
        }
        return is_over;
    }
    bool instrument(bool on) override {
        instrumented_ = on && times_parts_;
        return times_parts_;
    }
    double launch_seconds() override { return threads_ ? threads_->seconds() : 0.0; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        if (exchange_) {
            exchange_->read(buffer, static_cast<std::byte *>(to), bytes, offset);
            return;
        }
        copy(to, memory_.at(buffer)->data() + offset, bytes);
    }
    void read_for_first(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        if (exchange_) {
            exchange_->read_for_first(buffer, static_cast<std::byte *>(to), bytes, offset);
            return;
        }
        read(buffer, to, bytes, offset);
    }
    /// By one thread: the others have the kernel to run.
    void read_while_running(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, memory_.at(buffer)->data() + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        if (exchange_) {
            exchange_->forget_copies(buffer);
        }
        for (const ByteRange &range : held_between(buffers_.at(buffer), offset, bytes)) {
            copy(memory_.at(buffer)->data() + range.begin,
                 static_cast<const std::byte *>(from) + (range.begin - offset), range.bytes);
        }
    }
    SharedMemory memory(std::size_t buffer) override {
        if (exchange_) {
            exchange_->complete_cells(buffer);
        }
        return buffer == 0 ? nullptr : memory_.at(buffer);
    }
    control_t *control() override { return reinterpret_cast<control_t *>(memory_.at(0)->data()); }

  private:
    [[nodiscard]] std::vector<std::byte *> memory_pointers() const {
        std::vector<std::byte *> pointers;
        for (const std::shared_ptr<HostMemory> &memory : memory_) {
            pointers.push_back(memory->data());
        }
        return pointers;
    }
    void run_shuffled() {
        std::vector<uint32_t> order(static_cast<std::size_t>(groups_));
        std::iota(order.begin(), order.end(), 0U);
        std::shuffle(order.begin(), order.end(), std::mt19937_64(*shuffle_));
        ++*shuffle_;
        for (const uint32_t group : order) {
            perdure_group = {group, static_cast<uint32_t>(groups_)};
            kernel_(parameters_, pointers_.data());
        }
    }

    HostKernel kernel_;
    bool times_parts_;
    bool instrumented_ = false;
    int groups_;
    std::optional<std::uint64_t> shuffle_;
    std::vector<KernelBuffer> buffers_;  // as they were asked for
    std::vector<std::shared_ptr<HostMemory>> memory_;
    std::vector<void *> pointers_;
    run_parameters_t parameters_{};
    std::optional<RankExchange> exchange_;  // of a process that shares the case with others
    rank_context_t *rank_ = nullptr;
    std::unique_ptr<GroupThreads> threads_;
};

class HostDevice : public Device {
  public:
    explicit HostDevice(std::optional<std::uint64_t> shuffle) : shuffle_(shuffle) {
        struct sysinfo memory {};
        sysinfo(&memory);
        description_.backend = BackendChoice::host;
        description_.name =
            fmt::format("host threads ({} processor{})", processors(), processors() == 1 ? "" : "s");
        if (ranks() != nullptr) {
            description_.name += fmt::format(" in each of {} processes", ranks()->count());
        }
        description_.driver = fmt::format("C++ threads, gcc {}", __VERSION__);
        description_.memory_bytes = static_cast<std::size_t>(memory.totalram) * memory.mem_unit;
        description_.free_bytes = available_memory() / ranks_on_host();
        description_.largest_allocation = description_.memory_bytes;
        description_.compute_units = processors();
        description_.least_cells_of_group = 2048;
        description_.shared_control = true;
        description_.copies_while_running = !shuffle_ && ranks() == nullptr;
        description_.clock = true;
        description_.items_progress = true;
        description_.line_values = LINE_VALUES_OF_HOST;
    }

    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    void update_free_bytes() override { description_.free_bytes = available_memory() / ranks_on_host(); }
    [[nodiscard]] int default_group_size() const override { return 1; }
    [[nodiscard]] int largest_group_size(const KernelVariant &) override { return 1; }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override { return processors(); }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return most_threads; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }

    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        return std::make_unique<HostRun>(call, shape, shuffle_);
    }
    [[nodiscard]] bool has_ensembles() const override { return !shuffle_ && ranks() == nullptr; }
    std::unique_ptr<EnsembleLaunch> launch_members(std::span<const MemberLaunch> members) override {
        std::vector<std::function<void()>> runs;
        runs.reserve(members.size());
        for (const MemberLaunch &member : members) {
            runs.emplace_back([run = dynamic_cast<HostRun *>(member.run), parameters = member.parameters] {
                run->run_as_member(parameters);
            });
        }
        return std::make_unique<HostEnsemble>(std::move(runs), processors());
    }

  private:
    static int processors() {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
            const int ranks_there = ranks() != nullptr ? ranks()->on_same_processors() : 1;
            return std::clamp(CPU_COUNT(&allowed) / ranks_there, 1, most_threads);
        }
        return 1;
    }

    std::optional<std::uint64_t> shuffle_;
    DeviceDescription description_;
};

}  // namespace

std::unique_ptr<Device> shuffled_device(std::uint64_t seed) {
    return std::make_unique<HostDevice>(seed);
}

}  // namespace host

std::vector<std::unique_ptr<Device>> host_devices() {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<host::HostDevice>(std::nullopt));
    return devices;
}

}  // namespace perdure
