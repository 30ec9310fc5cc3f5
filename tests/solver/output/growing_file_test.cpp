// Snapshots without compression, in one file from the first on.
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): signal() is POSIX
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "solver/hdf5/read_dataset.hpp"
#include "tests/solver/hdf5/read_back.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::growing_file_test {
namespace {

using hdf5::Handle;

constexpr std::int64_t rows = 300, columns = 500, cells = rows * columns;
constexpr std::uintmax_t bytes_of_snapshot = cells * sizeof(double);

/// u of cell i is i + 1000 k in snapshot k, at step 10 k and time k / 4.
SampleRun run_in(const std::filesystem::path &folder) {
    SampleRun run = sample_run<double>(folder, 2);
    run.config.time.emplace();
    run.config.output.compression = Compression::none;
    run.grid.cells = {columns, rows, 1};
    return run;
}

/// With its writer, in a folder of its own.
struct WrittenRun {
    const TemporaryFolder folder{};
    SampleRun run = run_in(folder.path());
    const decltype(claim_output(run.config, false)) claim = claim_output(run.config, false);
    ResultWriter writer{run.config, run.grid, false};
};

void set_snapshot(SampleRun &run, int number) {
    LargeVector<double> u(static_cast<std::size_t>(cells));
    for (std::int64_t i = 0; i < cells; ++i) {
        u[static_cast<std::size_t>(i)] = static_cast<double>(i) + 1000.0 * number;
    }
    run.solution.fields.front().values = std::move(u);
    run.solution.step = 10 * number;
    run.solution.time = 0.25 * number;
}

void expect_snapshots(const std::filesystem::path &file, const std::vector<int> &numbers) {
    const auto count = static_cast<std::int64_t>(numbers.size());
    std::vector<double> times, steps;
    for (const int number : numbers) {
        times.push_back(0.25 * number);
        steps.push_back(10.0 * number);
    }
    const Handle opened = open(file);
    EXPECT_EQ(attributes(opened, "/VTKHDF").at("Type"), "ImageData");
    if (count == 1) {
        EXPECT_EQ(read_dataset(file, "/time", {}).values, times);
        EXPECT_EQ(H5Lexists(opened, "/VTKHDF/Steps", H5P_DEFAULT), 0)
            << "VTK opens no temporal file of one step";
    } else {
        EXPECT_EQ(read_dataset(file, "/time", {count}).values, times);
        EXPECT_EQ(read_dataset(file, "/iteration", {count}).values, steps);
        EXPECT_EQ(read_dataset(file, "/VTKHDF/Steps/Values", {count}).values, times);
        EXPECT_EQ(attributes(opened, "/VTKHDF/Steps").at("NSteps"), count);
    }
    std::vector<std::int64_t> shape{rows, columns};
    if (count > 1) {
        shape.insert(shape.begin(), count);
    }
    const Dataset u = read_dataset(file, "/u", shape);
    EXPECT_EQ(u.warning, "");
    for (std::size_t i = 0; i < u.values.size(); ++i) {
        const std::size_t cell = i % cells;
        ASSERT_EQ(u.values[i], static_cast<double>(cell) + 1000.0 * numbers[i / cells]) << i;
    }
}

TEST(GrowingFile, has_each_snapshot_as_soon_as_it_is_written) {
    WrittenRun written;
    auto &[folder, run, claim, writer] = written;
    const std::filesystem::path growing = folder / "plate.partial/plate.vtkhdf";
    std::vector<int> numbers;
    for (int number = 1; number <= 6; ++number) {
        set_snapshot(run, number);
        EXPECT_EQ(writer.write(run.solution, number == 6), growing);
        numbers.push_back(number);
        EXPECT_EQ(writer.snapshots_in_file(), numbers.size());
        expect_snapshots(growing, numbers);
    }
    const std::filesystem::path result = writer.finish(run.solution);
    EXPECT_EQ(result, folder / "plate.vtkhdf");
    expect_snapshots(result, numbers);
    EXPECT_LT(std::filesystem::file_size(result), 6 * bytes_of_snapshot + (1 << 18))
        << "the values are there once";
    EXPECT_FALSE(std::filesystem::exists(growing));
}

TEST(GrowingFile, a_run_may_end_with_its_first_snapshot) {
    WrittenRun written;
    auto &[folder, run, claim, writer] = written;
    set_snapshot(run, 3);
    writer.write(run.solution);
    run.solution.report.notes = {"ended early"};
    writer.write(run.solution, true);  // of the same step
    EXPECT_EQ(writer.snapshots().size(), 1);
    const std::filesystem::path result = writer.finish(run.solution);
    expect_snapshots(result, {3});
    EXPECT_NE(bytes_of(result).find("ended early"), std::string::npos);
}

TEST(GrowingFile, a_run_without_snapshots_before_its_end_has_a_static_file) {
    WrittenRun written;
    auto &[folder, run, claim, writer] = written;
    set_snapshot(run, 1);
    EXPECT_EQ(writer.write(run.solution, true), folder / "plate.partial/plate_000010.vtkhdf");
    expect_snapshots(writer.finish(run.solution), {1});
}

TEST(GrowingFile, a_resumed_run_goes_on_behind_the_snapshots_of_its_checkpoint) {
    for (const int kept : {0, 1, 2}) {
        const TemporaryFolder folder;
        SampleRun run = run_in(folder.path());
        const std::filesystem::path growing = folder / "plate.partial/plate.vtkhdf";
        const auto claim = claim_output(run.config, false);
        std::vector<Snapshot> snapshots;
        {
            ResultWriter killed(run.config, run.grid, false);
            for (int number = 1; number <= 4; ++number) {
                set_snapshot(run, number);
                killed.write(run.solution);
                if (number <= kept) {
                    snapshots.push_back({growing.filename(), run.solution.time, run.solution.step});
                }
            }
        }
        ResultWriter writer(run.config, run.grid, false, snapshots, 10 * kept);
        EXPECT_EQ(std::filesystem::exists(growing), kept > 0);
        std::vector<int> numbers{1, 2};
        numbers.resize(static_cast<std::size_t>(kept));
        for (int number = 5; number <= 8; ++number) {
            set_snapshot(run, number);
            writer.write(run.solution);
            numbers.push_back(number);
            expect_snapshots(growing, numbers);
        }
        const std::filesystem::path result = writer.finish(run.solution);
        expect_snapshots(result, numbers);
        EXPECT_LT(std::filesystem::file_size(result), (numbers.size() + 1) * bytes_of_snapshot + (1 << 19))
            << "places of snapshots that were left out are taken again";
    }
}

TEST(GrowingFile, a_kept_snapshot_that_is_missing_is_refused) {
    const TemporaryFolder folder;
    SampleRun run = run_in(folder.path());
    const auto claim = claim_output(run.config, false);
    set_snapshot(run, 1);
    ResultWriter(run.config, run.grid, false).write(run.solution);
    const auto [code, message] = failure_of<Failure>([&] {
        ResultWriter(run.config, run.grid, false, {{"plate.vtkhdf", 0.5, 20}}, 20);
    });
    EXPECT_EQ(code, static_cast<int>(ExitCode::bad_input));
    EXPECT_NE(message.find("there is none of step 20"), std::string::npos) << message;
}

/// The reason that a run is given which goes on behind two snapshots, when `damage` has been done to their file; "" where it may go on.
std::string refusal_after(const std::function<void(const std::filesystem::path &)> &damage,
                          std::array<std::int64_t, 3> grid = {columns, rows, 1}) {
    const TemporaryFolder folder;
    SampleRun run = run_in(folder.path());
    const auto claim = claim_output(run.config, false);
    {
        ResultWriter killed(run.config, run.grid, false);
        for (const int number : {1, 2}) {
            set_snapshot(run, number);
            killed.write(run.solution);
        }
    }
    const std::filesystem::path growing = folder / "plate.partial/plate.vtkhdf";
    damage(growing);
    const std::string left = bytes_of(growing);
    run.grid.cells = {grid[0], grid[1], grid[2]};
    const auto [code, message] = failure_of<Failure>([&] {
        ResultWriter(run.config, run.grid, false, {{"plate.vtkhdf", 0.25, 10}, {"plate.vtkhdf", 0.5, 20}},
                     20);
    });
    if (code < 0) {
        return "";
    }
    EXPECT_EQ(code, static_cast<int>(ExitCode::bad_input)) << message;
    EXPECT_NE(message.find("plate.vtkhdf"), std::string::npos) << message;
    EXPECT_NE(message.find("put back an intact copy of the file, or start again with --force"),
              std::string::npos)
        << message;
    EXPECT_EQ(bytes_of(growing), left);
    return message;
}

TEST(GrowingFile, a_damaged_file_is_refused_before_the_run_goes_on) {
    namespace fs = std::filesystem;
    EXPECT_EQ(refusal_after([](const fs::path &) {}), "");
    EXPECT_NE(refusal_after([](const fs::path &file) { fs::resize_file(file, 10'000); }).find("truncated"),
              std::string::npos);
    EXPECT_NE(refusal_after([](const fs::path &file) { fs::resize_file(file, 0); }), "");
    EXPECT_NE(refusal_after([](const fs::path &) {}, {rows, columns, 1}).find("has the shape"),
              std::string::npos);
}

TEST(GrowingFile, a_full_disk_leaves_the_snapshots_before) {
    const TemporaryFolder folder;
    const pid_t process = fork();
    if (process == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{3 * bytes_of_snapshot, 3 * bytes_of_snapshot};
        setrlimit(RLIMIT_FSIZE, &limit);
        SampleRun run = run_in(folder.path());
        const auto claim = claim_output(run.config, false);
        ResultWriter writer(run.config, run.grid, false);
        const auto [code, message] = failure_of<Failure>([&] {
            for (int number = 1; number <= 4; ++number) {
                set_snapshot(run, number);
                writer.write(run.solution);
            }
        });
        const bool as_expected = code == static_cast<int>(ExitCode::input_output) &&
                                 message.find("File too large") != std::string::npos &&
                                 message.find("the 2 before it are complete") != std::string::npos;
        if (!as_expected) {
            std::fprintf(stderr, "%d %s\n", code, message.c_str());
        }
        _exit(as_expected ? 0 : 1);
    }
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
    const std::filesystem::path growing = folder / "plate.partial/plate.vtkhdf";
    expect_snapshots(growing, {1, 2});
    EXPECT_LT(std::filesystem::file_size(growing), 2 * bytes_of_snapshot + (1 << 18))
        << "what was begun is given back";
}

}  // namespace
}  // namespace perdure::tests::growing_file_test
