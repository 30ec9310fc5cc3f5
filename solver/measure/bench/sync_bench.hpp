// `perdure bench sync`: what is measured, on which shapes, and what it is compared with.
#pragma once

#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "solver/measure/bench/contenders.hpp"

namespace perdure::bench {

struct SyncOptions {
    BackendChoice backend = BackendChoice::automatic;
    std::optional<int> device;
    std::vector<int> groups, group_sizes;  // of the sweep; empty: a choice for the device
    std::uint32_t rounds = 0;              // of a launch; 0: as many as fill 10 ms
    int repetitions = 9;
    bool quick = false;   // no sweep, short launches, fewer rounds of the classical experiment
    std::string command;  // how the program was called
    /// Told what is measured next, and at once which shapes cannot be.
    std::function<void(const std::string &)> say = [](const std::string &) {};
};

/// One of the classical experiment's lines, with what was published for it.
struct ClassicalLine {
    Measurement measurement;
    std::string published;  // ms; "10000+": more than that; empty: not published
};

struct SyncReport {
    SyncOptions options;
    DeviceDescription device;
    std::string date;   // UTC
    LaunchShape shape;  // of the standard case: one group per compute unit
    Floors floors;
    std::vector<Measurement> primitives, standard, sweep;
    std::vector<ClassicalLine> classical;
    bool stopped = false;  // by Ctrl-C or SIGTERM, before all was measured

    /// Some values came out wrong, or a measurement failed.
    [[nodiscard]] std::uint64_t wrong() const;
    [[nodiscard]] std::vector<std::string> failures() const;
};

constexpr std::uint32_t classical_elements = 2048;
constexpr std::uint32_t classical_rounds_published = 500'000;

/// Chooses the device and measures. Throws Failure; Failure(case_or_usage) where none of the shapes asked for can run.
SyncReport measure_sync(const SyncOptions &options);

/// What fractions are of: the platform's barrier of the same shape where there is one, else group_leader. Null
/// when neither was measured.
const Measurement *reference(const std::vector<Measurement> &measurements, LaunchShape shape);

/// Of all published rounds.
double classical_milliseconds(const Measurement &measurement);

std::string sync_table(const SyncReport &report);
nlohmann::ordered_json sync_json(const SyncReport &report);

}  // namespace perdure::bench
