// The kernels of `perdure bench sync` give right values on every back end present; nothing is asserted of
// their times.
#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "solver/measure/bench/sync_bench.hpp"
#include "solver/output/wrap_text.hpp"

namespace perdure::bench {
namespace {

std::vector<std::unique_ptr<Device>> devices() {
    std::vector<std::unique_ptr<Device>> all = host_devices();
    std::string why_none;
    for (auto *const list : {&cuda_devices, &opencl_devices}) {
        for (auto &device : (*list)(why_none)) {
            if (device->description().refused.empty()) {
                all.push_back(std::move(device));
            }
        }
    }
    return all;
}

MeasureSettings few_rounds() {
    MeasureSettings settings;
    settings.repetitions = 2;
    settings.rounds = 40;
    settings.wait_seconds = 60.0;
    return settings;
}

void expect_100_columns(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(columns_of(line), text_columns) << line;
    }
}

void expect_right(const std::vector<Measurement> &measurements) {
    for (const Measurement &measurement : measurements) {
        SCOPED_TRACE(measurement.section + " " + measurement.name);
        EXPECT_EQ(measurement.failure, "");
        if (!measurement.expected_to_be_wrong) {
            EXPECT_EQ(measurement.wrong, 0U);
        }
        EXPECT_EQ(measurement.measured(), measurement.cannot_run.empty());
    }
}

std::vector<LaunchShape> shapes(Device &device) {
    const int size = device.default_group_size();
    const int resident = device.resident_groups({"bench_barrier", Precision::float64}, size);
    std::vector<LaunchShape> list{{1, size}, {resident, size}};
    if (device.description().backend == BackendChoice::host) {
        list.push_back({3, size});
        list.push_back({6, size});
    } else {
        list.push_back({std::min(2, resident), device.description().gpu ? 2 * size : 8});
    }
    return list;
}

TEST(SyncBench, BarriersReductionsAndHalosAreRight) {
    for (const auto &device : devices()) {
        for (const LaunchShape &shape : shapes(*device)) {
            SCOPED_TRACE(device->description().name + ", groups " + std::to_string(shape.groups) + " of " +
                         std::to_string(shape.group_size));
            expect_right(measure(*device, barriers(*device, shape, {}, true), few_rounds()));
            expect_right(measure(*device, reductions(*device, shape, {}), few_rounds()));
            expect_right(measure(*device, halo_exchanges(*device, shape, {}), few_rounds()));
        }
    }
}

TEST(SyncBench, PrimitivesAreRight) {
    for (const auto &device : devices()) {
        SCOPED_TRACE(device->description().name);
        const int resident =
            device->resident_groups({"bench_primitives", Precision::float64}, device->default_group_size());
        const auto measured =
            measure(*device, primitives(*device, {resident, device->default_group_size()}), few_rounds());
        expect_right(measured);
        const Floors floors = floors_of(*device, measured);
        EXPECT_GT(floors.load, 0.0);
        EXPECT_GT(floors.fetch_add, 0.0);
    }
}

// PoCL compiles the kernel anew for every group size.
TEST(SyncBench, TheClassicalExperimentKeepsAllValuesEqual) {
    for (const auto &device : devices()) {
        for (const LaunchShape &shape : shapes(*device)) {
            SCOPED_TRACE(device->description().name + ", groups " + std::to_string(shape.groups) + " of " +
                         std::to_string(shape.group_size));
            for (const std::uint32_t elements : {3U, 100U, 2048U}) {
                expect_right(measure(*device, classical(*device, shape, elements), few_rounds()));
            }
        }
    }
}

TEST(SyncBench, WhatCannotRunIsSaidAndNotTried) {
    for (const auto &device : devices()) {
        SCOPED_TRACE(device->description().name);
        const int size = device->default_group_size();
        const int most = device->most_groups({"bench_barrier", Precision::float64}, size);
        for (const LaunchShape &shape : {LaunchShape{most + 1, size}, LaunchShape{1, 1 << 20}}) {
            for (const Measurement &measurement :
                 measure(*device, barriers(*device, shape, {}, false), few_rounds())) {
                if (measurement.name != "unsynchronised loop") {
                    EXPECT_FALSE(measurement.measured());
                    EXPECT_NE(measurement.cannot_run, "");
                }
            }
        }
    }
}

TEST(SyncBench, TicketsThatPoclLosesAreNotDrawn) {
    for (const auto &device : devices()) {
        for (const int size : {1, 8}) {
            const bool lost = size > 1 && !device->description().gpu;
            for (const TimedKernel &timed : reductions(*device, {2, size}, {})) {
                const bool ticket = timed.name.find("sum of 65536, last group") == 0;
                EXPECT_EQ(timed.cannot_run.empty(), !(lost && ticket)) << timed.name;
            }
        }
    }
}

TEST(SyncBench, MediansAndExtremes) {
    Measurement measurement;
    measurement.samples = {3.0, 1.0, 2.0, 10.0};
    EXPECT_EQ(measurement.median(), 2.5);
    EXPECT_EQ(measurement.lowest(), 1.0);
    EXPECT_EQ(measurement.highest(), 10.0);
}

TEST(SyncBench, ReportHasWhatPicturesNeed) {
    SyncOptions options;
    options.backend = BackendChoice::host;
    options.rounds = 20;
    options.repetitions = 2;
    options.quick = true;
    options.groups = {1, 2, 5000};
    options.command = "perdure bench sync";
    std::vector<std::string> said;
    options.say = [&](const std::string &line) { said.push_back(line); };
    const SyncReport report = measure_sync(options);
    EXPECT_EQ(report.wrong(), 0U);
    EXPECT_TRUE(report.failures().empty());
    const nlohmann::ordered_json json = sync_json(report);
    EXPECT_EQ(json["benchmark"], "sync");
    EXPECT_EQ(json["command"], "perdure bench sync");
    EXPECT_EQ(json["device"]["backend"], "host");
    for (const char *const key : {"version", "date", "floors", "primitives", "standard_shape", "sweep"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["primitives"][0]["samples_ns"].size(), 2U);
    bool sum_compared = false;
    for (const auto &line : json["standard"]) {
        sum_compared |= line["name"] == "barrier and sum in one" && line["reference"] == "group_leader" &&
                        line["fraction_of_reference"] > 0.0;
    }
    EXPECT_TRUE(sum_compared);
    bool too_many = false;
    for (const auto &line : json["sweep"]) {
        too_many |= line["groups"] == 5000 && line["status"] == "not co-resident: at most 1024 groups";
    }
    EXPECT_TRUE(too_many);
    EXPECT_EQ(json["classical"]["lines"][1]["published_milliseconds"], "3020");
    const std::string table = sync_table(report);
    EXPECT_NE(table.find("Classical experiment"), std::string::npos);
    EXPECT_NE(table.find("barrier and sum in one"), std::string::npos);
    EXPECT_NE(table.find("\n  5000 groups of 1: not co-resident: at most 1024 groups\n"), std::string::npos);
    EXPECT_NE(
        table.find("\n  64 of 32: not measured, groups of at most 1 item here: group_leader (published: "
                   "10000+);"),
        std::string::npos)
        << table;
    expect_100_columns(table);
    EXPECT_EQ(said.at(0), "5000 groups of 1: not co-resident: at most 1024 groups") << "at once";
    EXPECT_EQ(std::count_if(said.begin(), said.end(),
                            [](const std::string &line) { return line.find(" of 5, after ") != line.npos; }),
              5)
        << "primitives, standard, two of the sweep, one classical";
}

TEST(SyncBench, ShapesThatCannotRunAreRefusedBeforeAnythingIsMeasured) {
    SyncOptions options;
    options.backend = BackendChoice::host;
    options.group_sizes = {32, 64};
    try {
        (void)measure_sync(options);
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_NE(std::string(failure.what()).find("1 group of 32: groups of at most 1 item here"),
                  std::string::npos)
            << failure.what();
    }
}

Measurement measured(const std::string &name, LaunchShape shape, double median) {
    Measurement measurement;
    measurement.section = "barrier";
    measurement.name = name;
    measurement.shape = shape;
    measurement.samples = {0.9 * median, median, 1.1 * median};
    return measurement;
}

TEST(SyncBench, TablesAreAsWideAsWhatTheyHold) {
    SyncReport report;
    report.device.name = "a device with a name of some length, as drivers give them";
    report.device.driver =
        "a platform that says much about itself, OpenCL 3.0, and a driver that does too, 1.2";
    report.standard = {measured("group_leader", {132, 512}, 961.5),
                       measured("unsynchronised loop, arrivals spread", {132, 512}, 123456789.0)};
    report.standard[1].wrong = 3;
    report.sweep = {measured("lock_free", {2, 32}, 10.0), measured("tree", {2, 32}, 10.0),
                    measured("all_items", {2, 32}, 10.0)};
    report.sweep[1].samples.clear();
    report.sweep[1].cannot_run = "no reason";
    report.sweep[2].samples.clear();
    report.sweep[2].failure = "a wait that was abandoned, " + std::string(90, 'x');
    const std::string table = sync_table(report);
    expect_100_columns(table);
    EXPECT_NE(table.find("\n  2 groups of 32  ns  lowest .. highest\n"
                         "  lock_free       10  9 .. 11\n"
                         "  all_items: FAILED: a wait that was abandoned,\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("\n  not measured, no reason: tree\n"), std::string::npos) << table;
    EXPECT_NE(table.find("WRONG: 3 values\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace perdure::bench
