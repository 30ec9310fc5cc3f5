#include "tests/kernels/run_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <map>
#include <utility>

#include "solver/run/execution_models.hpp"

namespace perdure::tests {
namespace {

/// Lends a device that stays open to a case, which owns its device.
/// Small problems, too, are solved by several groups.
class BorrowedDevice : public Device {
  public:
    explicit BorrowedDevice(Device &device) : device_(device), description_(device.description()) {
        description_.least_cells_of_group = 1;
    }

    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return device_.default_group_size(); }
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override {
        return device_.largest_group_size(variant);
    }
    [[nodiscard]] int resident_groups(const KernelVariant &variant, int group_size) override {
        return device_.resident_groups(variant, group_size);
    }
    [[nodiscard]] int resident_groups_with(const KernelVariant &variant, LaunchShape shape) override {
        return device_.resident_groups_with(variant, shape);
    }
    [[nodiscard]] int most_groups(const KernelVariant &variant, int group_size) override {
        return device_.most_groups(variant, group_size);
    }
    [[nodiscard]] double wait_units_per_second() override { return device_.wait_units_per_second(); }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        return device_.prepare(call, shape);
    }

  private:
    Device &device_;
    DeviceDescription description_;
};

std::vector<std::unique_ptr<Device>> all_devices(BackendChoice backend, std::string &why_none) {
    switch (backend) {
        case BackendChoice::cuda:
            return cuda_devices(why_none);
        case BackendChoice::opencl:
            return opencl_devices(why_none);
        default:
            return host_devices();
    }
}

UsableDevices open_devices(BackendChoice backend) {
    UsableDevices usable;
    std::vector<std::string> reasons;
    for (std::unique_ptr<Device> &device : all_devices(backend, usable.why_none)) {
        const std::vector<std::string> &refused = device->description().refused;
        const std::string reason =
            refused.empty() ? run_barrier_self_test(*device) : fmt::format("{}", fmt::join(refused, "; "));
        if (reason.empty()) {
            usable.devices.push_back(std::move(device));
        } else {
            reasons.push_back(fmt::format("{}: {}", device->description().name, reason));
        }
    }
    if (!reasons.empty()) {
        usable.why_none = fmt::format("{}", fmt::join(reasons, "; "));
    }
    return usable;
}

template <typename Value>
bool equal_bytes(const Value &one, const Value &other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
}

/// First cell whose bits differ, or -1.
template <typename Real>
std::int64_t first_difference(const LargeVector<Real> &one, const LargeVector<Real> &other) {
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (!equal_bytes(one[i], other[i])) {
            return static_cast<std::int64_t>(i);
        }
    }
    return -1;
}

testing::AssertionResult same_history(const Report &one, const Report &other) {
    if (one.history.size() != other.history.size()) {
        return testing::AssertionFailure()
               << "histories of " << one.history.size() << " and " << other.history.size() << " entries";
    }
    for (std::size_t i = 0; i < one.history.size(); ++i) {
        if (one.history[i].iteration != other.history[i].iteration ||
            !equal_bytes(one.history[i].residual, other.history[i].residual)) {
            return testing::AssertionFailure()
                   << fmt::format("history entry {}: iteration {} with {:a}, iteration {} with {:a}", i,
                                  one.history[i].iteration, one.history[i].residual,
                                  other.history[i].iteration, other.history[i].residual);
        }
    }
    return testing::AssertionSuccess();
}

}  // namespace

UsableDevices &usable_devices(BackendChoice backend) {
    static std::map<BackendChoice, UsableDevices> opened;
    const auto known = opened.find(backend);
    return known != opened.end() ? known->second
                                 : opened.emplace(backend, open_devices(backend)).first->second;
}

Device &host_device() {
    return *usable_devices(BackendChoice::host).devices.at(0);
}

void OnEachBackEnd::SetUp() {
    const UsableDevices &usable = usable_devices(GetParam());
    if (usable.devices.empty()) {
        const char *const what = GetParam() == BackendChoice::cuda ? "CUDA" : "OpenCL";
        GTEST_SKIP() << "no " << what << " device: " << usable.why_none;
    }
}

std::string back_end_name(const testing::TestParamInfo<BackendChoice> &info) {
    return name(info.param);
}

namespace {

/// What a case file would say of such values, as far as plans look at it.
ValueSource source_of(const Samples &samples, const std::string &time_factor) {
    ValueSource source;
    source.kind = samples.uniform() ? ValueSource::Kind::number : ValueSource::Kind::dataset;
    source.number = samples[0];
    source.time_factor = time_factor;
    return source;
}

}  // namespace

PreparedCase prepare_as_read(Case test_case, Device &device) {
    PreparedCase prepared;
    prepared.config = std::move(test_case.config);
    prepared.problem = std::move(test_case.problem);
    prepared.selected = {std::make_unique<BorrowedDevice>(device), 0, "as the test asks", ""};
    prepared.plan = plan_launch(prepared.config, *prepared.selected.device);
    prepared.cells = find_active_cells(prepared.problem);
    return prepared;
}

std::vector<ExecutionModel> models_of_phases(const Device &device) {
    std::vector<ExecutionModel> models;
    for (const ExecutionModel model : execution_models) {
        if (model != ExecutionModel::resident && model_missing(device, model).empty()) {
            models.push_back(model);
        }
    }
    return models;
}

PreparedCase prepare(const Case &test_case, Device &device) {
    Case complete = test_case;
    Config &config = complete.config;
    const Problem &problem = complete.problem;
    config.type = problem.only_field().in_time ? ProblemType::heat : ProblemType::diffusion;
    config.grid.dimensions = problem.grid.dimensions;
    config.grid.cells = problem.grid.cells;
    config.grid.spacing = problem.grid.spacing;
    config.grid.origin = problem.grid.origin;
    config.f = source_of(problem.only_field().f, problem.only_field().f_time_factor);
    for (std::size_t side = 0; side < problem.only_field().sides.size(); ++side) {
        const Side &from = problem.only_field().sides[side];
        config.sides[side].kind = from.kind;
        config.sides[side].values = source_of(from.values, from.time_factor);
    }
    return prepare_as_read(std::move(complete), device);
}

Solution run(const Case &test_case, Device &device) {
    return run_case(prepare(test_case, device), Progress::Style::quiet, [](const Solution &) {});
}

std::vector<Solution> run_snapshots(const Case &test_case, Device &device) {
    std::vector<Solution> snapshots;
    const auto keep = [&](Solution one) { snapshots.push_back(std::move(one)); };
    keep(run_case(prepare(test_case, device), Progress::Style::quiet, keep));
    return snapshots;
}

testing::AssertionResult same_bits(const Solution &one, const Solution &other) {
    if (one.fields.size() != other.fields.size()) {
        return testing::AssertionFailure() << "different fields";
    }
    for (std::size_t i = 0; i < one.fields.size(); ++i) {
        const FieldValues &values = one.fields[i].values;
        const FieldValues &others = other.fields[i].values;
        if (values.index() != others.index()) {
            return testing::AssertionFailure() << "different precisions";
        }
        const std::int64_t cell = std::visit(
            [&](const auto &u) { return first_difference(u, std::get<std::decay_t<decltype(u)>>(others)); },
            values);
        if (cell >= 0) {
            return testing::AssertionFailure()
                   << fmt::format("{} in cell {}: {:a} and {:a}", one.fields[i].name, cell,
                                  value_at(values, cell), value_at(others, cell));
        }
    }
    if (one.report.iterations != other.report.iterations || one.report.stop != other.report.stop) {
        return testing::AssertionFailure()
               << fmt::format("{} after {} iterations, {} after {}", describe(one.report.stop),
                              one.report.iterations, describe(other.report.stop), other.report.iterations);
    }
    if (!equal_bytes(one.report.residual, other.report.residual) ||
        !equal_bytes(one.report.accuracy_floor, other.report.accuracy_floor)) {
        return testing::AssertionFailure()
               << fmt::format("residual {:a} and {:a}, accuracy floor {:a} and {:a}", one.report.residual,
                              other.report.residual, one.report.accuracy_floor, other.report.accuracy_floor);
    }
    return same_history(one.report, other.report);
}

std::string describe_case(const Case &test_case) {
    const Problem &problem = test_case.problem;
    std::string sides;
    for (int side = 0; side < 2 * problem.grid.dimensions; ++side) {
        sides += fmt::format(" {} {}", side_names[side], name(problem.only_field().sides[side].kind));
    }
    const Config &config = test_case.config;
    return fmt::format("{} {} preconditioner {} norm {} {} {}, {} x {} x {} cells,{}, {} groups of {}",
                       problem.only_field().in_time ? "heat" : "diffusion", name(config.solver.method),
                       name(config.solver.preconditioner), name(config.solver.norm),
                       name(config.execution.precision), name(config.execution.model), problem.grid.cells[0],
                       problem.grid.cells[1], problem.grid.cells[2], sides, config.execution.groups,
                       config.execution.group_size);
}

}  // namespace perdure::tests
