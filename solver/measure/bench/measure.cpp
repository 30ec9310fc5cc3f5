#include "solver/measure/bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solver/backends/wait_limit.hpp"
#include "solver/backends/wait_record.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::bench {
namespace {

constexpr std::uint32_t fewest_rounds = 16;
constexpr std::uint32_t most_rounds = 1U << 24U;
constexpr std::size_t sync_buffer = 1;
constexpr std::size_t state_buffer = 2;
constexpr double nanoseconds = 1.0e9;

/// A kernel with its memory on the device, and what came of it so far.
class Timed {
  public:
    Timed(Device &device, const TimedKernel &timed, std::uint64_t limit)
        : timed_(timed), parameters_(timed.parameters) {
        measurement_.section = timed.section;
        measurement_.name = timed.name;
        measurement_.shape = timed.shape;
        measurement_.floor = timed.floor;
        measurement_.expected_to_be_wrong = timed.expected_to_be_wrong;
        measurement_.cannot_run = why_not(device, timed);
        parameters_.wait_limit = limit;
        if (!measurement_.cannot_run.empty() || interrupted()) {
            return;
        }
        KernelCall call{timed.kernel, Precision::float64, {}};
        const std::uint64_t sync_bytes =
            timed.sync_bytes != 0 ? timed.sync_bytes
                                  : grid_sync_bytes(static_cast<std::uint32_t>(timed.shape.groups));
        call.buffers = {{"control", sizeof(control_t), nullptr},
                        {"sync", sync_bytes, nullptr},
                        {"state", sizeof(run_state_t), nullptr}};
        call.buffers.insert(call.buffers.end(), timed.buffers.begin(), timed.buffers.end());
        guarded([&] { run_ = device.prepare(call, timed.shape); });
    }

    [[nodiscard]] bool usable() const {
        return run_ != nullptr && measurement_.failure.empty() && !interrupted();
    }

    void calibrate(const MeasureSettings &settings) {
        const std::uint32_t wanted = settings.rounds != 0 ? settings.rounds : most_rounds;
        const double enough = settings.rounds != 0 ? settings.most_launch_seconds : settings.launch_seconds;
        measurement_.rounds = std::min(fewest_rounds, wanted);
        launch();  // warms up
        double seconds = usable() ? launch() : 0.0;
        while (usable() && measurement_.rounds < wanted && seconds < enough / 8.0) {
            measurement_.rounds = std::min(wanted, 4 * measurement_.rounds);
            seconds = launch();
        }
        const double fitting = measurement_.rounds * enough / std::max(seconds, 1.0e-9);
        measurement_.rounds = static_cast<std::uint32_t>(
            std::clamp(fitting, 1.0 * std::min(fewest_rounds, wanted), 1.0 * wanted));
    }

    void repeat() {
        const double seconds = launch();
        if (measurement_.failure.empty()) {
            measurement_.samples.push_back(nanoseconds * seconds /
                                           (measurement_.rounds * timed_.operations_per_round));
        }
    }

    Measurement finish() {
        if (measurement_.failure.empty() && !measurement_.samples.empty()) {
            guarded([&] { count_wrong(); });
        }
        if (!measurement_.failure.empty()) {
            measurement_.samples.clear();
        } else if (measurement_.samples.empty() && measurement_.cannot_run.empty()) {
            measurement_.cannot_run = "stopped before it was measured";
        }
        return measurement_;
    }

  private:
    template <typename Action>
    void guarded(const Action &action) {
        try {
            action();
        } catch (const Failure &failure) {
            measurement_.failure = failure.what();
        }
    }

    double launch() {
        double seconds = 0.0;
        parameters_.rounds = measurement_.rounds;
        parameters_.first_phase += most_rounds;
        guarded([&] {
            seconds = timed_.launches_per_round == 0 ? one_launch() : many_launches();
            done_.all += measurement_.rounds;
            done_.last_launch = measurement_.rounds;
            measurement_.failure = describe_abandoned_wait(*run_, timed_.shape.groups);
        });
        return seconds;
    }

    void wait_until_finished() {
        while (!run_->finished(std::chrono::milliseconds(100))) {
        }
    }

    double one_launch() {
        run_->launch(parameters_, timed_.waits);
        wait_until_finished();
        return run_->launch_seconds();
    }

    /// Back to back, timed by the host.
    double many_launches() {
        const auto begin = std::chrono::steady_clock::now();
        run_parameters_t parameters = parameters_;
        for (std::uint32_t round = 0; round < measurement_.rounds; ++round) {
            for (int i = 0; i < timed_.launches_per_round; ++i) {
                parameters.variant = parameters_.variant + static_cast<std::uint32_t>(i);
                run_->launch(parameters, false);
            }
        }
        wait_until_finished();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    void count_wrong() {
        run_state_t state{};
        run_->read(state_buffer, &state, sizeof state);
        measurement_.wrong = state.control.wrong;
        if (timed_.count_wrong) {
            measurement_.wrong += timed_.count_wrong(*run_, done_);
        }
        if (timed_.completes && state.control.stop != STOP_COMPLETE) {
            measurement_.failure = "the kernel did not reach its end";
        }
    }

    const TimedKernel &timed_;
    run_parameters_t parameters_;
    std::unique_ptr<DeviceRun> run_;
    RoundsDone done_;
    Measurement measurement_;
};

}  // namespace

double Measurement::median() const {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

double Measurement::lowest() const {
    return *std::min_element(samples.begin(), samples.end());
}

double Measurement::highest() const {
    return *std::max_element(samples.begin(), samples.end());
}

std::string text_of(LaunchShape shape) {
    return fmt::format("{} group{} of {}", shape.groups, shape.groups == 1 ? "" : "s", shape.group_size);
}

std::string why_not(Device &device, const TimedKernel &timed) {
    const int size = timed.shape.group_size;
    const int largest = device.largest_group_size({timed.kernel, Precision::float64});
    if (size > largest) {
        return fmt::format("groups of at most {} item{} here", largest, largest == 1 ? "" : "s");
    }
    if (device.description().backend == BackendChoice::cuda && size % 32 != 0) {
        return "group sizes must be multiples of 32 here";
    }
    const int groups = device.most_groups({timed.kernel, Precision::float64}, size);
    const bool all_at_once = timed.waits || device.description().backend == BackendChoice::host;
    if (all_at_once && timed.shape.groups > groups) {
        return fmt::format("not co-resident: at most {} groups", groups);
    }
    return timed.cannot_run;
}

std::vector<Measurement> measure(Device &device, const std::vector<TimedKernel> &kernels,
                                 const MeasureSettings &settings) {
    const std::uint64_t limit = wait_limit(device, settings.wait_seconds);
    std::vector<std::unique_ptr<Timed>> all;
    for (const TimedKernel &timed : kernels) {
        all.push_back(std::make_unique<Timed>(device, timed, limit));
        if (all.back()->usable()) {
            all.back()->calibrate(settings);
        }
    }
    for (int repetition = 0; repetition < settings.repetitions; ++repetition) {
        for (const auto &timed : all) {
            if (timed->usable()) {
                timed->repeat();
            }
        }
    }
    std::vector<Measurement> measurements;
    for (const auto &timed : all) {
        measurements.push_back(timed->finish());
    }
    return measurements;
}

std::vector<std::uint32_t> read_words(DeviceRun &run, std::size_t buffer, std::size_t words) {
    std::vector<std::uint32_t> read(words);
    run.read(buffer, read.data(), sizeof(std::uint32_t) * words);
    return read;
}

}  // namespace perdure::bench
