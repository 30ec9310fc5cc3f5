// Results that a thread writes while the run, or the next one, goes on.
#include "solver/output/run_output.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/solver/hdf5/read_back.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::run_output_test {
namespace {

using Json = nlohmann::ordered_json;

/// With a field of several chunks.
SampleRun large_run(const std::filesystem::path &folder) {
    SampleRun run = sample_run<double>(folder, 2);
    run.config.output.compression = Compression::small;
    run.config.time.emplace();
    run.grid.cells = {512, 512, 1};
    run.solution.fields = {{"u", std::vector<double>(static_cast<std::size_t>(run.grid.count())), 1, "K"}};
    return run;
}

Json report_in(const std::filesystem::path &file) {
    const hdf5::LibraryLock lock;
    return attributes(open(file), "report");
}

/// ThreadSanitizer looks on: the run brings the time of its report up to date while the thread writes that report.
TEST(RunOutput, the_time_of_a_report_goes_on_while_the_report_is_written) {
    const TemporaryFolder folder;
    const SampleRun run = large_run(folder.path());
    const auto claim = claim_output(run.config, false);
    RunOutput output(run.config, run.grid, false, [](const std::filesystem::path &, std::size_t) {});
    for (std::int64_t step : {40, 80}) {
        Solution snapshot = run.solution;
        snapshot.step = step;
        snapshot.time = 0.001 * static_cast<double>(step);
        output.add(std::move(snapshot));
        run.solution.report.time_spent->update();
    }
    output.finish(run.solution);
    const double handed_over = run.solution.report.time_spent->spent().total();
    while (!output.is_written()) {
        run.solution.report.time_spent->update();
    }
    const RunOutput::Result result = output.wait();
    EXPECT_EQ(result.snapshots, 3U);
    const Json report = report_in(result.path);
    EXPECT_EQ(report.at("total_seconds").get<double>(), handed_over);
    EXPECT_GT(report.at("compress_background_seconds").get<double>(), 0.0);
    EXPECT_GT(report.at("write_background_seconds").get<double>(), 0.0);
    EXPECT_GT(run.solution.report.time_spent->spent().total(), handed_over);
}

TEST(RunOutput, what_could_not_be_written_is_thrown_where_the_run_waits) {
    const TemporaryFolder folder;
    const SampleRun run = large_run(folder.path());
    const auto claim = claim_output(run.config, false);
    RunOutput output(run.config, run.grid, false, [](const std::filesystem::path &, std::size_t) {});
    std::filesystem::remove_all(folder / "plate.partial");
    output.finish(run.solution);
    EXPECT_THROW((void)output.wait(), Failure);
}

/// Of a member of an ensemble, whose thread waits for nobody.
TEST(RunOutput, the_calling_thread_writes_the_result_of_a_run_without_snapshots) {
    const TemporaryFolder folder;
    SampleRun run = large_run(folder.path());
    run.solution.report.time_spent->restart();
    const auto claim = claim_output(run.config, false);
    RunOutput output(run.config, run.grid, false, [](const std::filesystem::path &, std::size_t) {});
    std::thread::id wrote;
    std::thread member([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        output.finish_here(run.solution, [&](const RunOutput::Result &, const Report &) {
            wrote = std::this_thread::get_id();
        });
    });
    const std::thread::id expected = member.get_id();
    member.join();
    EXPECT_EQ(wrote, expected);
    EXPECT_TRUE(output.is_written());
    const RunOutput::Result result = output.wait();
    EXPECT_EQ(result.snapshots, 1U);
    const Json report = report_in(result.path);
    EXPECT_GE(report.at("total_seconds").get<double>(), 0.020);
    EXPECT_EQ(report.at("total_seconds"), report.at("other_seconds"));
}

TEST(RunOutput, what_the_calling_thread_could_not_write_is_thrown_where_the_run_waits) {
    const TemporaryFolder folder;
    const SampleRun run = large_run(folder.path());
    const auto claim = claim_output(run.config, false);
    RunOutput output(run.config, run.grid, false, [](const std::filesystem::path &, std::size_t) {});
    std::filesystem::remove_all(folder / "plate.partial");
    bool is_told = false;
    output.finish_here(run.solution, [&](const RunOutput::Result &, const Report &) { is_told = true; });
    EXPECT_FALSE(is_told);
    EXPECT_THROW((void)output.wait(), Failure);
}

}  // namespace
}  // namespace perdure::tests::run_output_test
