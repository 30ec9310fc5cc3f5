// Timing kernels of kernels/bench: enough rounds in a launch, repetitions by turns, values checked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/backends/backend.hpp"

namespace perdure::bench {

/// How many rounds the launches of a kernel have run when its values are looked at.
struct RoundsDone {
    std::uint64_t all = 0;
    std::uint32_t last_launch = 0;
};

/// A kernel of kernels/bench and how it is called.
struct TimedKernel {
    std::string section;  // what it belongs to: primitive, barrier, reduction, halo, classical
    std::string name;
    std::string kernel;
    LaunchShape shape;
    std::vector<KernelBuffer> buffers;    // its own, behind control, sync and state
    std::shared_ptr<const void> initial;  // what buffers point to
    std::uint64_t sync_bytes = 0;         // 0: what grid barriers need
    run_parameters_t parameters{};        // all but rounds, first_phase and wait_limit
    double operations_per_round = 1.0;    // a time is one of a round divided by this
    bool completes = true;                // writes STOP_COMPLETE
    int launches_per_round =
        0;              // 0: rounds are within one launch; else variant counts up from launch to launch
    bool waits = true;  // groups wait for each other: all must be resident
    bool expected_to_be_wrong = false;  // nothing is synchronised
    std::string cannot_run;             // why it is not measured; empty: it is
    double floor = 0.0;                 // ns; 0: none is derived
    /// Wrong values beyond those that the kernel counts itself in state->control.wrong.
    std::function<std::uint64_t(DeviceRun &, RoundsDone)> count_wrong;
};

struct Measurement {
    std::string section;
    std::string name;
    LaunchShape shape;
    std::string cannot_run;       // not measured, and why
    std::string failure;          // a wait that was abandoned, a device error
    std::uint32_t rounds = 0;     // of a launch
    std::vector<double> samples;  // ns, one of each repetition
    std::uint64_t wrong = 0;
    bool expected_to_be_wrong = false;
    double floor = 0.0;

    [[nodiscard]] bool measured() const { return !samples.empty(); }
    [[nodiscard]] double median() const;
    [[nodiscard]] double lowest() const;
    [[nodiscard]] double highest() const;
};

struct MeasureSettings {
    int repetitions = 9;
    std::uint32_t rounds = 0;  // 0: as many as fill `launch_seconds`
    double launch_seconds = 0.01;
    double most_launch_seconds = 20.0;  // fewer rounds rather than longer
    double wait_seconds = 3.0;          // without progress, then a wait is abandoned
};

/// "1 group of 512"
std::string text_of(LaunchShape shape);

/// Why the kernel cannot run in this shape on the device: the shape itself, or its own cannot_run; or empty.
std::string why_not(Device &device, const TimedKernel &timed);

/// Measures all of them by turns, repetition by repetition, so that a change of clock meets all alike. Once a stop
/// has been asked for (solver/run/interrupt.hpp) nothing more is launched.
std::vector<Measurement> measure(Device &device, const std::vector<TimedKernel> &kernels,
                                 const MeasureSettings &settings);

/// Buffer `buffer` of a run as whole words.
std::vector<std::uint32_t> read_words(DeviceRun &run, std::size_t buffer, std::size_t words);

/// The first three buffers of every kernel.
constexpr std::size_t first_own_buffer = 3;

}  // namespace perdure::bench
