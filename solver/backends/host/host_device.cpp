#include "solver/backends/host/host_device.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "solver/backends/host/host_kernels.hpp"
#include "sync/group_context.h"

namespace perdure {
namespace host {
namespace {

constexpr int most_threads = 1024;

/// Memory that can be had without swapping: MemAvailable of the kernel, which counts caches as free.
std::size_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") {
            return kibibytes * 1024;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Processors that this process may run on.
std::vector<int> allowed_processors() {
    cpu_set_t set;
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
            if (CPU_ISSET(static_cast<std::size_t>(processor), &set)) {
                processors.push_back(processor);
            }
        }
    }
    return processors;
}

/// Keeps a thread on one processor; where that is refused it runs wherever it is put.
void keep_on(std::thread &thread, int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(processor), &set);
    (void)pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}

/// Threads that wait for a launch and run one group each. As many as there are processors have one each: two that
/// share one would wait for each other by the time slice. Fewer leave the choice to the system, for another
/// process may have some.
class GroupThreads {
  public:
    GroupThreads(int groups, std::function<void()> run_group) : run_group_(std::move(run_group)) {
        for (int group = 0; group < groups; ++group) {
            threads_.emplace_back([this, group, groups] { serve(group, groups); });
        }
        const std::vector<int> processors = allowed_processors();
        for (std::size_t i = 0; i < threads_.size() && threads_.size() == processors.size(); ++i) {
            keep_on(threads_[i], processors[i]);
        }
    }
    GroupThreads(const GroupThreads &) = delete;
    GroupThreads &operator=(const GroupThreads &) = delete;
    ~GroupThreads() {
        wait_until_idle();
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        begin_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }

    void start() {
        {
            const std::lock_guard lock(mutex_);
            ++launch_;
            busy_ = static_cast<int>(threads_.size());
            started_ = std::chrono::steady_clock::now();
        }
        begin_.notify_all();
    }
    void wait_until_idle() {
        std::unique_lock lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
    }
    bool wait(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        return end_.wait_for(lock, patience, [this] { return busy_ == 0; });
    }
    double seconds() {
        const std::lock_guard lock(mutex_);
        return std::chrono::duration<double>(ended_ - started_).count();
    }

  private:
    void serve(int group, int groups) {
        perdure_group = {static_cast<uint32_t>(group), static_cast<uint32_t>(groups)};
        std::uint64_t served = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                begin_.wait(lock, [&] { return ending_ || launch_ != served; });
                if (ending_) {
                    return;
                }
                served = launch_;
            }
            run_group_();
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) {
                ended_ = std::chrono::steady_clock::now();
                end_.notify_all();
            }
        }
    }

    std::function<void()> run_group_;
    std::mutex mutex_;
    std::condition_variable begin_, end_;
    std::uint64_t launch_ = 0;
    int busy_ = 0;
    bool ending_ = false;
    std::chrono::steady_clock::time_point started_, ended_;
    std::vector<std::thread> threads_;
};

/// Device memory on the host: page-aligned, zero where no initial values are given.
class HostMemory {
  public:
    explicit HostMemory(const KernelBuffer &buffer) : bytes_(std::max<std::size_t>(buffer.bytes, 64)) {
        data_.reset(static_cast<std::byte *>(::operator new(bytes_, alignment, std::nothrow)));
        if (!data_) {
            throw Failure(ExitCode::device,
                          fmt::format("host: no memory for '{}' ({} bytes)", buffer.name, buffer.bytes));
        }
        if (buffer.initial != nullptr) {
            std::memcpy(data_.get(), buffer.initial, buffer.bytes);
        } else {
            std::memset(data_.get(), 0, bytes_);
        }
    }
    [[nodiscard]] std::byte *data() const { return data_.get(); }

  private:
    static constexpr std::align_val_t alignment{4096};
    struct Deleter {
        void operator()(std::byte *data) const { ::operator delete(data, alignment); }
    };
    std::size_t bytes_;
    std::unique_ptr<std::byte, Deleter> data_;
};

class HostRun : public DeviceRun {
  public:
    HostRun(HostKernel kernel, const KernelCall &call, int groups, std::optional<std::uint64_t> shuffle)
        : kernel_(kernel), groups_(groups), shuffle_(shuffle) {
        for (const KernelBuffer &buffer : call.buffers) {
            memory_.emplace_back(buffer);
            pointers_.push_back(memory_.back().data());
        }
        if (!shuffle_) {
            threads_ =
                std::make_unique<GroupThreads>(groups, [this] { kernel_(parameters_, pointers_.data()); });
        }
    }

    void launch(const run_parameters_t &parameters, bool synchronised) override {
        if (threads_) {
            threads_->wait_until_idle();
        }
        parameters_ = parameters;
        if (threads_) {
            threads_->start();
            return;
        }
        if (synchronised) {
            throw Failure(ExitCode::device, "host: groups in shuffled order cannot wait for each other");
        }
        run_shuffled();
    }
    bool finished(std::chrono::milliseconds patience) override {
        return !threads_ || threads_->wait(patience);
    }
    double launch_seconds() override { return threads_ ? threads_->seconds() : 0.0; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, memory_.at(buffer).data() + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        std::memcpy(memory_.at(buffer).data() + offset, from, bytes);
    }
    control_t *control() override { return reinterpret_cast<control_t *>(memory_.at(0).data()); }

  private:
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
    int groups_;
    std::optional<std::uint64_t> shuffle_;
    std::vector<HostMemory> memory_;
    std::vector<void *> pointers_;
    run_parameters_t parameters_{};
    std::unique_ptr<GroupThreads> threads_;
};

class HostDevice : public Device {
  public:
    explicit HostDevice(std::optional<std::uint64_t> shuffle) : shuffle_(shuffle) {
        struct sysinfo memory {};
        sysinfo(&memory);
        description_.backend = BackendChoice::host;
        description_.name = fmt::format("host threads ({} processors)", processors());
        description_.driver = fmt::format("C++ threads, gcc {}", __VERSION__);
        description_.memory_bytes = static_cast<std::size_t>(memory.totalram) * memory.mem_unit;
        description_.free_bytes = available_memory();
        description_.largest_allocation = description_.memory_bytes;
        description_.compute_units = processors();
        description_.shared_control = true;
        description_.clock = true;
        description_.items_progress = true;
    }

    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 1; }
    [[nodiscard]] int largest_group_size(const std::string &, Precision) override { return 1; }
    [[nodiscard]] int resident_groups(const std::string &, Precision, int) override { return processors(); }
    [[nodiscard]] int most_groups(const std::string &, Precision, int) override { return most_threads; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }

    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        const HostKernel kernel = find_kernel(call.kernel, call.precision);
        if (kernel == nullptr) {
            throw Failure(ExitCode::differs_or_internal, fmt::format("host: no kernel '{}'", call.kernel));
        }
        return std::make_unique<HostRun>(kernel, call, shape.groups, shuffle_);
    }

  private:
    static int processors() {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
            return std::clamp(CPU_COUNT(&allowed), 1, most_threads);
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
