#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::check_output_test {
namespace {

constexpr int input_output = static_cast<int>(ExitCode::input_output);

class CheckOutput : public testing::Test {
  protected:
    TemporaryFolder folder;
    Config config = sample_run<double>(folder.path(), 2).config;

    void check(bool force) const {
        const auto claim = claim_output(config, false);
        check_output(config, force);
    }
    [[nodiscard]] std::pair<int, std::string> failure(bool force = false) const {
        return failure_of<Failure>([&] { check(force); });
    }
    [[nodiscard]] std::string quoted(const std::string &name) const {
        return "'" + (folder / name).string() + "'";
    }
};

TEST_F(CheckOutput, creates_the_folder_and_leaves_it_empty) {
    config.output.directory = folder / "a/b";
    check(false);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "a/b"));
}

TEST_F(CheckOutput, refuses_to_touch_earlier_results) {
    write_bytes(folder / "plate.vtkhdf", "old");
    write_bytes(folder / "plate.vtkhdf.series", R"({"file-series-version": "1.0", "files": []})");
    EXPECT_EQ(failure(), (std::pair{input_output,
                                    quoted("plate.vtkhdf") +
                                        " already exists (and 1 more); use --force to replace the results of "
                                        "this name, or choose another output.directory or output.name"}));
    EXPECT_EQ(failure(true).first, input_output) << "no result";
    EXPECT_EQ(bytes_of(folder / "plate.vtkhdf"), "old");
    std::filesystem::remove(folder / "plate.vtkhdf");
    check(true);
}

TEST_F(CheckOutput, a_dangling_link_counts_as_a_result) {
    std::filesystem::create_symlink("nowhere", folder / "plate.vtkhdf");
    EXPECT_EQ(failure().first, input_output);
}

TEST_F(CheckOutput, other_cases_do_not_count) {
    for (const char *name :
         {"plate_000001_000120.vtkhdf", "plates_000120.vtkhdf", "plate_00012.vtkhdf", "plate_00012x.vtkhdf",
          "plate_-00012.vtkhdf", "plate.vtkhdf.series.old", "other.vtkhdf.series"}) {
        write_bytes(folder / name, "");
    }
    check(false);
}

TEST_F(CheckOutput, a_folder_in_the_place_of_a_file) {
    std::filesystem::create_directory(folder / "plate.vtkhdf");
    EXPECT_EQ(
        failure(true),
        (std::pair{
            input_output,
            quoted("plate.vtkhdf") +
                " is a folder, but the run needs this name for an output file; remove it or choose another "
                "output.name"}));
}

TEST_F(CheckOutput, a_file_in_the_place_of_the_folder) {
    write_bytes(folder / "results", "");
    config.output.directory = folder / "results";
    EXPECT_EQ(failure().first, input_output);
    config.output.directory = folder / "results/deeper";
    EXPECT_EQ(failure(),
              (std::pair{input_output, "cannot create the output folder " + quoted("results/deeper") +
                                           ": Not a directory; choose another output.directory"}));
}

TEST_F(CheckOutput, a_folder_that_cannot_be_written) {
    config.output.directory = "/proc/self";
    EXPECT_EQ(failure().first, input_output);
    if (geteuid() == 0) {
        GTEST_SKIP() << "root may write anywhere";
    }
    config.output.directory = folder.path();
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_EQ(failure(),
              (std::pair{input_output, "cannot write into the output folder '" + folder.path().string() +
                                           "': Permission denied; choose another output.directory"}));
}

TEST_F(CheckOutput, snapshots_of_a_killed_run_are_not_removed_without_force) {
    std::filesystem::create_directories(folder / "plate.partial");
    write_bytes(folder / "plate.partial/plate_000060.vtkhdf", "of a killed run");
    write_bytes(folder / "plate.partial/claim", "");
    EXPECT_EQ(failure(),
              (std::pair{input_output,
                         quoted("plate.partial") +
                             " holds 1 snapshot of a run that did not end; use --force to remove "
                             "it and start again, or choose another output.directory or output.name"}));
    check(true);
    EXPECT_EQ(bytes_of(folder / "plate.partial/plate_000060.vtkhdf"), "of a killed run");
}

TEST_F(CheckOutput, a_name_has_one_writer) {
    auto first = claim_output(config, false);
    ASSERT_TRUE(std::holds_alternative<Claim>(first));
    const auto second = claim_output(config, true);
    ASSERT_TRUE(std::holds_alternative<ClaimHolder>(second));
    EXPECT_EQ(std::get<ClaimHolder>(second).process, getpid());
    const Failure taken = name_is_taken(config, std::get<ClaimHolder>(second));
    EXPECT_NE(std::string(taken.what()).find(fmt::format("process {} on host ", getpid())),
              std::string::npos);
    { const Claim given_up = std::move(std::get<Claim>(first)); }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(std::holds_alternative<Claim>(claim_output(config, false)));
}

TEST_F(CheckOutput, names_all_fields_it_refuses) {
    config.output.fields = {"u", "time", "a.b", "v"};
    config.output.name = "a/b";
    EXPECT_EQ(
        failure(),
        (std::pair{static_cast<int>(ExitCode::case_or_usage),
                   std::string("output.fields: the name 'time' is reserved in result files; rename the "
                               "field\noutput.fields: the name 'a.b' is reserved in result files; rename the "
                               "field\noutput.fields: there is no field 'v'; a heat problem has u\n"
                               "output.name: 'a/b' cannot be used as a file name; choose another name")}));
}

}  // namespace
}  // namespace perdure::tests::check_output_test
