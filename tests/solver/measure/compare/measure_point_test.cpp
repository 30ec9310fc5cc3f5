// One point on every back end: the work that is counted, answers compared, broken models found out.
#include <cstring>
#include <string_view>

#include "solver/measure/compare/benchmark.hpp"
#include "solver/measure/compare/copy_speed.hpp"
#include "solver/measure/compare/sweep.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::compare::measure_point_test {
namespace {

using tests::Case;

/// Passes everything on; what a launch with barriers leaves in `buffer` is read changed, or the launch fails where that is
/// the first one.
class BrokenRun final : public DeviceRun {
  public:
    BrokenRun(std::unique_ptr<DeviceRun> run, std::size_t buffer) : run_(std::move(run)), buffer_(buffer) {}
    void launch(const run_parameters_t &parameters, bool synchronised) override {
        if (synchronised && buffer_ == 0) {
            throw Failure(ExitCode::device, "watchdog: as the test wants it\nsecond line");
        }
        broken_ = synchronised;
        run_->launch(parameters, synchronised);
    }
    void launch_phase(const run_parameters_t &parameters) override {
        broken_ = false;
        run_->launch_phase(parameters);
    }
    bool finished(std::chrono::milliseconds timeout) override { return run_->finished(timeout); }
    double launch_seconds() override { return run_->launch_seconds(); }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        run_->read(buffer, to, bytes, offset);
        const std::size_t place = 4 * sizeof(double);
        if (broken_ && buffer == buffer_ && offset <= place && offset + bytes > place) {
            static_cast<std::uint8_t *>(to)[place - offset] ^= 1U;
        }
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        run_->write(buffer, from, bytes, offset);
    }
    control_t *control() override { return run_->control(); }

  private:
    std::unique_ptr<DeviceRun> run_;
    std::size_t buffer_;
    bool broken_ = false;
};

class Broken final : public Device {
  public:
    explicit Broken(std::string buffer) : device_(tests::host_device()), buffer_(std::move(buffer)) {}
    [[nodiscard]] const DeviceDescription &description() const override { return device_.description(); }
    [[nodiscard]] int default_group_size() const override { return device_.default_group_size(); }
    [[nodiscard]] int largest_group_size(const KernelVariant &variant) override {
        return device_.largest_group_size(variant);
    }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override { return 1; }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return 1; }
    [[nodiscard]] double wait_units_per_second() override { return device_.wait_units_per_second(); }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        auto run = device_.prepare(call, shape);
        return call.kernel == "cg" ? std::make_unique<BrokenRun>(std::move(run), call.place_of(buffer_))
                                   : std::move(run);
    }

  private:
    Device &device_;
    std::string buffer_;
};

struct Prepared {
    Case test_case;
    std::vector<ActiveCells> cells;

    explicit Prepared(const Problem &problem) {
        test_case.problem = problem;
        Config &config = test_case.config;
        config.type = problem.only_field().in_time ? ProblemType::heat : ProblemType::diffusion;
        config.grid.dimensions = problem.grid.dimensions;
        config.grid.cells = problem.grid.cells;
        config.solver.check_every = 4;
        if (problem.only_field().in_time) {
            config.time = tests::some_steps(problem, 50.0);
        }
        cells = find_active_cells(problem);
    }

    [[nodiscard]] PointTask task(Device &device, std::int64_t iterations) const {
        return {test_case.config,
                test_case.problem,
                cells,
                device,
                contenders({}, {}, false, test_case.config),
                2,
                iterations,
                {},
                true};
    }
};

Problem sample() {
    return tests::random_problem({13, 71}, tests::mixed_sides(2), tests::Coefficients::variable, 3);
}

const Result &result(const Point &point, std::string_view name) {
    for (const Result &one : point.results) {
        if (one.name == name) {
            return one;
        }
    }
    throw std::invalid_argument(std::string(name));
}

/// Parts of a whole where kernels can tell the time.
void expect_shares(const Result &one, bool clock) {
    const bool timed = clock && one.model != "resident";
    ASSERT_EQ(one.shares.has_value(), timed) << one.no_shares;
    if (!timed) {
        EXPECT_EQ(one.no_shares, clock ? "its kernel has no variant with clocks"
                                       : "kernels cannot read a clock on this back end");
        return;
    }
    EXPECT_EQ(one.no_shares, "");
    EXPECT_GT(one.shares->stencil, 0.0);
    EXPECT_GE(one.shares->reduction, 0.0);
    EXPECT_GT(one.shares->barrier, 0.0);
    EXPECT_GE(one.shares->host, 0.0);
    EXPECT_NEAR(one.shares->stencil + one.shares->reduction + one.shares->barrier + one.shares->host, 1.0,
                1.0e-9);
    EXPECT_GT(one.shares->seconds, 0.0);
}

void expect_equal_work(const Point &point, std::int64_t iterations, std::int64_t phases, bool clock) {
    EXPECT_EQ(point.iterations, iterations);
    EXPECT_TRUE(point.complete);
    for (const Result &one : point.results) {
        SCOPED_TRACE(one.name);
        EXPECT_EQ(one.wrong, "");
        EXPECT_EQ(one.failure, "");
        EXPECT_EQ(one.measured(), one.cannot_run.empty());
        EXPECT_EQ(one.seconds.values.size(), one.measured() ? 2U : 0U);
        // Resident stepping takes several steps a pass, which a check in each would take from it.
        const bool several_steps = one.model == "resident" && phases < 2 * iterations;
        EXPECT_EQ(one.check_seconds.has_value(), one.measured() && !several_steps);
        if (one.measured()) {
            expect_shares(one, clock);
            EXPECT_EQ(one.bare_seconds.values.size(), 2U);
            EXPECT_TRUE(overhead(one));
        }
    }
    EXPECT_GE(result(point, "launches").launches, phases);
    EXPECT_LE(result(point, "launches").launches, phases + point.check_every);
    EXPECT_EQ(result(point, "launches").barriers, 0);
    EXPECT_GE(result(point, "persistent").barriers, phases - 1 - result(point, "persistent").launches);
    EXPECT_EQ(result(point, "persistent").looks, result(point, "persistent").launches);
    EXPECT_FALSE(result(point, "persistent").device_seconds.empty());
    EXPECT_TRUE(result(point, "launches").device_seconds.empty());
    EXPECT_GT(point.copy_bytes_per_second, 0.0);
}

class MeasurePoint : public tests::OnEachBackEnd {};

TEST_P(MeasurePoint, EveryModelDoesTheSameWork) {
    for (const auto &device : devices()) {
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            Prepared steady(sample());
            steady.test_case.config.execution.precision = precision;
            for (const SolverMethod method : {SolverMethod::jacobi, SolverMethod::cg}) {
                steady.test_case.config.solver.method = method;
                const Point point = measure_point(steady.task(*device, 30));
                expect_equal_work(point, 30, method == SolverMethod::cg ? 63 : 31,
                                  device->description().clock);
                EXPECT_EQ(point.shape, (std::vector<std::int64_t>{13, 71}));
                const double values = method == SolverMethod::cg ? 14.0 : 7.0;
                const double size = precision == Precision::float32 ? 4.0 : 8.0;
                EXPECT_EQ(point.bytes_per_iteration, 13.0 * 71.0 * size * values);
            }
            Prepared heat(tests::as_heat(sample()));
            heat.test_case.config.execution.precision = precision;
            expect_equal_work(measure_point(heat.task(*device, 30)), 30, 30, device->description().clock);
        }
    }
}

TEST_P(MeasurePoint, EveryBarrierOfTheDeviceTakesPart) {
    for (const auto &device : devices()) {
        const Prepared prepared(sample());
        PointTask task = prepared.task(*device, 20);
        task.contenders = contenders({}, {}, true, task.config);
        task.rounds = 1;
        const Point point = measure_point(task);
        for (const char *const barrier : {"group_leader", "lock_free", "tree"}) {
            const Result &one = result(point, std::string("persistent/") + barrier);
            EXPECT_TRUE(one.counts()) << one.wrong << one.failure;
            EXPECT_EQ(one.barrier, barrier);
        }
        EXPECT_EQ(result(point, "persistent/cooperative").measured(),
                  device->description().cooperative_barrier);
    }
}

TEST_P(MeasurePoint, TheCopyCopies) {
    for (const auto &device : devices()) {
        for (const std::uint32_t words : {1U, 7U, 4096U, 50'001U}) {
            std::vector<std::uint64_t> even(words);
            for (std::uint32_t i = 0; i < words; ++i) {
                even[i] = 3 * i + 1;
            }
            KernelCall call{"bench_copy", Precision::float64, {}};
            call.buffers = {{"control", sizeof(control_t), nullptr},
                            {"sync", sizeof(grid_sync_t), nullptr},
                            {"state", sizeof(run_state_t), nullptr},
                            {"even", 8 * even.size(), even.data()},
                            {"odd", 8 * even.size(), nullptr}};
            const int size =
                device->description().gpu
                    ? std::min(512, device->largest_group_size({"bench_copy", Precision::float64}))
                    : device->default_group_size();
            const auto run = device->prepare(call, {2, size});
            run_parameters_t parameters{};
            parameters.elements = words;
            parameters.nx = 4096;
            parameters.rounds = 3;
            run->launch(parameters, false);
            while (!run->finished(std::chrono::milliseconds(100))) {
            }
            std::vector<std::uint64_t> odd(words);
            run->read(4, odd.data(), 8 * odd.size());
            EXPECT_EQ(odd, even) << words;
        }
        EXPECT_GT(copy_bytes_per_second(*device, 1 << 20, 2), 1.0e8);
    }
}

PERDURE_ON_EACH_BACK_END(MeasurePoint);

TEST(BrokenModels, AWrongFieldIsFoundAndRefused) {
    Broken device("x");
    const Prepared prepared(sample());
    const Point point = measure_point(prepared.task(device, 20));
    const Result &wrong = result(point, "persistent");
    EXPECT_NE(wrong.wrong.find("field u differs at cell (y 0, x 4): "), std::string::npos) << wrong.wrong;
    EXPECT_NE(wrong.wrong.find(" by launches; it differs in 1 of 923 cells"), std::string::npos)
        << wrong.wrong;
    EXPECT_FALSE(speed_up(point, wrong));
    EXPECT_TRUE(result(point, "launches").counts());
    EXPECT_EQ(best_single_launch(point), nullptr);
}

TEST(BrokenModels, AWrongHistoryIsFoundAndRefused) {
    Broken device("history");
    const Prepared prepared(sample());
    const Result wrong = result(measure_point(prepared.task(device, 20)), "persistent");
    EXPECT_NE(wrong.wrong.find("history differs at entry "), std::string::npos) << wrong.wrong;
}

TEST(BrokenModels, AFailureLeavesTheOthers) {
    Broken device("control");
    const Prepared prepared(sample());
    const Point point = measure_point(prepared.task(device, 20));
    EXPECT_EQ(result(point, "persistent").failure, "watchdog: as the test wants it");
    EXPECT_FALSE(result(point, "persistent").counts());
    EXPECT_TRUE(result(point, "launches").counts());
}

TEST(Points, IterationsAreChosenWhereNotGiven) {
    const Prepared prepared(sample());
    const Point point = measure_point(prepared.task(tests::host_device(), 0));
    EXPECT_GT(point.iterations, 10);
    EXPECT_TRUE(result(point, "launches").counts()) << result(point, "launches").wrong;
    EXPECT_TRUE(result(point, "persistent").counts()) << result(point, "persistent").wrong;
}

TEST(Points, TheDeadlineEndsThem) {
    const Prepared prepared(sample());
    PointTask task = prepared.task(tests::host_device(), 20);
    task.deadline = std::chrono::steady_clock::now();
    const Point point = measure_point(task);
    EXPECT_EQ(point.rounds, 0);
    EXPECT_FALSE(point.complete);
    EXPECT_FALSE(result(point, "launches").measured());
}

TEST(Points, WhatIsNamedAndMissingIsRefused) {
    const Prepared prepared(sample());
    PointTask task = prepared.task(tests::host_device(), 20);
    task.contenders = contenders({ExecutionModel::graph}, {}, false, task.config);
    EXPECT_THROW(measure_point(task), Failure);
    task.contenders = contenders({}, {BarrierChoice::cooperative}, false, task.config);
    EXPECT_THROW(measure_point(task), Failure);
}

}  // namespace
}  // namespace perdure::compare::measure_point_test
