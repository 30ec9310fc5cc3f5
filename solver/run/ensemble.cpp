#include "solver/run/ensemble.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/file_descriptor.hpp"
#include "solver/methods/method.hpp"
#include "solver/problem/in_parallel.hpp"
#include "solver/problem/kept_memory.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

/// A run whose launches wait for those of other members. All else it does at once.
class MemberRun final : public DeviceRun {
  public:
    MemberRun(std::unique_ptr<DeviceRun> run, KernelVariant variant, LaunchShape shape, Ensemble &ensemble)
        : run_(std::move(run)), variant_(std::move(variant)), shape_(shape), ensemble_(ensemble) {}
    ~MemberRun() override {
        if (launch_) {
            std::unique_lock lock(ensemble_.mutex_);
            launch_->done.wait(lock, [this] { return launch_->is_done; });
        }
    }

    void launch(const run_parameters_t &parameters, bool /*synchronised*/) override {
        launch_ = std::make_shared<Ensemble::Waiting>(MemberLaunch{run_.get(), parameters}, variant_, shape_);
        const std::scoped_lock lock(ensemble_.mutex_);
        ensemble_.waiting_.push_back(launch_);
        ensemble_.wake_where_one_can_start();
    }
    bool finished(std::chrono::milliseconds timeout) override {
        if (!launch_) {
            return true;
        }
        std::unique_lock lock(ensemble_.mutex_);
        if (!launch_->done.wait_for(lock, timeout, [this] { return launch_->is_done; })) {
            return false;
        }
        if (launch_->error) {
            std::rethrow_exception(launch_->error);
        }
        return true;
    }
    double launch_seconds() override { return launch_ ? launch_->seconds : 0.0; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        run_->read(buffer, to, bytes, offset);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        run_->write(buffer, from, bytes, offset);
    }
    void clear(std::size_t buffer, std::size_t bytes) override { run_->clear(buffer, bytes); }
    SharedMemory memory(std::size_t buffer) override { return run_->memory(buffer); }
    control_t *control() override { return run_->control(); }

  private:
    std::unique_ptr<DeviceRun> run_;
    KernelVariant variant_;
    LaunchShape shape_;
    Ensemble &ensemble_;
    std::shared_ptr<Ensemble::Waiting> launch_;  // the last one
};

namespace {

/// The device as one member sees it: so many groups, and nothing that needs the whole.
class PartOfDevice final : public Device {
  public:
    PartOfDevice(std::shared_ptr<Device> whole, int groups, Ensemble &ensemble)
        : whole_(std::move(whole)), groups_(groups), ensemble_(ensemble), description_(described()) {}

    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    void update_free_bytes() override {
        whole_->update_free_bytes();
        description_ = described();
    }
    [[nodiscard]] int default_group_size() const override { return whole_->default_group_size(); }
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override {
        return whole_->largest_group_size(of_ensemble(variant));
    }
    [[nodiscard]] int resident_groups(const KernelVariant &variant, int group_size) override {
        return std::min(groups_, whole_->resident_groups(of_ensemble(variant), group_size));
    }
    [[nodiscard]] int resident_groups_with(const KernelVariant &variant, LaunchShape shape) override {
        return std::min(groups_, whole_->resident_groups_with(of_ensemble(variant), shape));
    }
    [[nodiscard]] int most_groups(const KernelVariant &variant, int group_size) override {
        return resident_groups(variant, group_size);
    }
    [[nodiscard]] double wait_units_per_second() override { return whole_->wait_units_per_second(); }
    [[nodiscard]] double seconds_to_compile(const KernelVariant &variant) override {
        return whole_->seconds_to_compile(of_ensemble(variant));
    }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        KernelCall of_member = call;
        of_member.ensemble = true;
        return std::make_unique<MemberRun>(whole_->prepare(of_member, shape), of_member.variant(), shape,
                                           ensemble_);
    }

  private:
    static KernelVariant of_ensemble(KernelVariant variant) {
        variant.ensemble = true;
        return variant;
    }
    [[nodiscard]] DeviceDescription described() const {
        DeviceDescription found = whole_->description();
        found.copies_while_running = false;
        found.no_graph = found.no_graph_while = found.no_resident = "the case is a member of an ensemble";
        return found;
    }

    std::shared_ptr<Device> whole_;
    int groups_;
    Ensemble &ensemble_;
    DeviceDescription description_;
};

bool are_alike(const KernelVariant &a, const KernelVariant &b) {
    return a.kernel == b.kernel && a.precision == b.precision && a.form == b.form &&
           a.cooperative == b.cooperative && a.definitions == b.definitions;
}

bool are_alike(const LaunchShape &a, const LaunchShape &b) {
    return a.groups == b.groups && a.group_size == b.group_size && a.shared_bytes == b.shared_bytes;
}

}  // namespace

Ensemble::Ensemble(std::shared_ptr<Device> device, EnsemblePlan plan)
    : device_(std::move(device)),
      plan_(plan),
      part_(std::make_shared<PartOfDevice>(device_, plan.groups, *this)),
      conductor_([this] { conduct(); }) {
    keep_heap();
}

Ensemble::~Ensemble() {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
}

Ensemble::Membership::Membership(Ensemble &ensemble) : ensemble_(ensemble) {
    const std::scoped_lock lock(ensemble_.mutex_);
    ++ensemble_.members_;
}

Ensemble::Membership::~Membership() {
    const std::scoped_lock lock(ensemble_.mutex_);
    --ensemble_.members_;
    ensemble_.wake_where_one_can_start();
}

Ensemble::NoMoreMembers::NoMoreMembers(Ensemble &ensemble) : ensemble_(ensemble) {
    const std::scoped_lock lock(ensemble_.mutex_);
    ++ensemble_.nobody_adds_;
    ensemble_.wake_where_one_can_start();
}

Ensemble::NoMoreMembers::~NoMoreMembers() {
    const std::scoped_lock lock(ensemble_.mutex_);
    --ensemble_.nobody_adds_;
}

bool Ensemble::can_start() const {
    return !waiting_.empty() &&
           (waiting_.size() >= plan_.at_once || (nobody_adds_ > 0 && waiting_.size() == members_));
}

void Ensemble::wake_where_one_can_start() {
    if (can_start()) {
        changed_.notify_all();
    }
}

/// Those of the kernel and shape that has waited longest.
std::vector<std::shared_ptr<Ensemble::Waiting>> Ensemble::take_alike() {
    const std::shared_ptr<Waiting> first = waiting_.front();
    const auto others = std::stable_partition(waiting_.begin(), waiting_.end(), [&](const auto &launch) {
        return are_alike(launch->variant, first->variant) && are_alike(launch->shape, first->shape) &&
               launch->launch.parameters.wait_limit == first->launch.parameters.wait_limit;
    });
    std::vector<std::shared_ptr<Waiting>> together(waiting_.begin(), others);
    waiting_.erase(waiting_.begin(), others);
    return together;
}

void Ensemble::start(const std::vector<std::shared_ptr<Waiting>> &together) {
    constexpr std::chrono::milliseconds tick(50);
    std::vector<MemberLaunch> launches;
    launches.reserve(together.size());
    for (const auto &waiting : together) {
        launches.push_back(waiting->launch);
    }
    const std::unique_ptr<EnsembleLaunch> launch = device_->launch_members(launches);
    while (!launch->finished(tick)) {
    }
    for (std::size_t member = 0; member < together.size(); ++member) {
        together[member]->seconds = launch->seconds(member);
        if (together[member]->seconds < 0.0) {
            together[member]->error = std::make_exception_ptr(Failure(
                ExitCode::device,
                "watchdog: the ensemble ended before it came to this case, because the groups that were to "
                "run it waited for each other in vain; nothing was written. Try execution.ensemble: off"));
        }
    }
}

void Ensemble::conduct() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return is_over_ || can_start(); });
        if (is_over_) {
            return;
        }
        const std::vector<std::shared_ptr<Waiting>> together = take_alike();
        lock.unlock();
        std::exception_ptr error;
        try {
            start(together);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        for (const auto &launch : together) {
            launch->is_done = true;
            if (error) {
                launch->error = error;
            }
            launch->done.notify_all();
        }
    }
}

std::optional<EnsemblePlan> plan_ensemble(const Config &config, const Device &device, std::size_t cases) {
    constexpr std::int64_t cells_of_group = 8192, most_groups_of_unit = 4, fewest_cores = 4;
    constexpr int most_groups_of_member = 8;
    constexpr std::size_t fewest_files = 64;
    constexpr std::size_t fewest_short_cases = 32;  // of which threads make some ahead
    const ExecutionConfig &execution = config.execution;
    const DeviceDescription &description = device.description();
    const bool is_asked_for = execution.ensemble.has_value() && *execution.ensemble > 0;
    const bool can_be =
        device.has_ensembles() && !description.time_limited && description.shared_control &&
        (execution.model == ExecutionModel::persistent || execution.model == ExecutionModel::automatic) &&
        execution.barrier != BarrierChoice::cooperative;
    const bool leaves_checkpoints = execution.time_limit || config.output.checkpoint;
    const auto refuse = [&](const std::string &why) {
        fail_at(execution.ensemble_position, ExitCode::case_or_usage, config,
                fmt::format("execution.ensemble: {} cases cannot run together {}", *execution.ensemble, why));
    };
    const char *elsewhere = "CUDA devices and host threads run ensembles, with execution.model: persistent";
    if (is_asked_for && ranks() != nullptr) {
        refuse("in processes that share each of them; start one process, without the launcher");
    } else if (is_asked_for && !can_be) {
        refuse(fmt::format("on {} with execution.model: {}; {}", description.name, name(execution.model),
                           elsewhere));
    } else if (is_asked_for && leaves_checkpoints) {
        refuse("where they write checkpoints (output.checkpoint, execution.time_limit); remove one of these");
    }
    if (!can_be || cases < 2 || execution.ensemble == 0 || leaves_checkpoints ||
        most_open_files() < fewest_files) {
        return std::nullopt;
    }
    const std::int64_t cells = config.grid.cells[0] * config.grid.cells[1] * config.grid.cells[2];
    const std::int64_t units = description.compute_units;
    EnsemblePlan plan;
    if (is_asked_for) {
        const std::int64_t resident = description.gpu ? most_groups_of_unit * units : units;
        plan.at_once = static_cast<std::size_t>(std::min<std::int64_t>(*execution.ensemble, resident));
        plan.groups =
            description.gpu
                ? static_cast<int>(std::clamp<std::int64_t>(
                      resident / static_cast<std::int64_t>(plan.at_once), 1, (cells + LANES - 1) / LANES))
                : 1;
        return plan;
    }
    const std::int64_t groups =
        description.gpu ? std::max<std::int64_t>((cells + cells_of_group - 1) / cells_of_group, 1) : 1;
    const bool keeps_busy_alone =
        description.gpu ? groups > most_groups_of_member : cells > cells_of_group * description.compute_units;
    // A single solve on a GPU takes less time than the host has to do for it: only what threads of the host do at the same time is gained.
    const bool is_short = description.gpu && !method_of(config).in_time && directions_of(config).empty();
    const bool has_threads = cores() >= fewest_cores && cases >= fewest_short_cases;
    if (keeps_busy_alone || (is_short && !has_threads) || execution.groups > 0 || execution.group_size > 0) {
        return std::nullopt;
    }
    plan.groups = static_cast<int>(groups);
    // A group a unit: more take their time from each other, and the first results come later.
    plan.at_once = static_cast<std::size_t>(std::max<std::int64_t>(units / groups, 1));
    return plan;
}

}  // namespace perdure
