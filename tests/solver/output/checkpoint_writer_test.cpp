// Checkpoints go into the folder of their run and no other.
#include "solver/output/checkpoint_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "solver/output/needed_space.hpp"
#include "solver/output/output_names.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::checkpoint_writer_test {
namespace {

namespace fs = std::filesystem;

Checkpoint checkpoint_of(std::uint32_t step) {
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.names = {"u"};
    LargeVector<double> values(12);
    std::fill(values.begin(), values.end(), 0.25);
    checkpoint.fields.emplace_back(std::move(values));
    return checkpoint;
}

class CheckpointWriterTest : public testing::Test {
  protected:
    CheckpointWriterTest() { fs::create_directory(partial()); }
    [[nodiscard]] fs::path partial() const { return partial_folder(run.config); }

    TemporaryFolder folder;
    SampleRun run = sample_run<double>(folder.path(), 2);
};

TEST_F(CheckpointWriterTest, keeps_the_newest_two) {
    CheckpointWriter writer(run.config);
    for (const std::uint32_t step : {40U, 80U, 120U}) {
        writer.write(checkpoint_of(step));
    }
    EXPECT_EQ(find_checkpoints(run.config), (std::vector{partial() / checkpoint_name(run.config, 120),
                                                         partial() / checkpoint_name(run.config, 80)}));
}

/// The folder of the first run is moved; a second run claims the name and goes behind it.
TEST_F(CheckpointWriterTest, leaves_the_checkpoints_of_another_run_alone) {
    CheckpointWriter first(run.config);
    first.write(checkpoint_of(120));
    fs::rename(partial(), folder / "moved");
    fs::create_directory(partial());
    CheckpointWriter second(run.config);
    second.write(checkpoint_of(40));
    second.write(checkpoint_of(80));
    const auto [code, message] = failure_of<Failure>([&] { first.write(checkpoint_of(160)); });
    EXPECT_EQ(code, static_cast<int>(ExitCode::input_output));
    EXPECT_NE(message.find("was removed or replaced while this run wrote into it"), std::string::npos)
        << message;
    EXPECT_EQ(find_checkpoints(run.config), (std::vector{partial() / checkpoint_name(run.config, 80),
                                                         partial() / checkpoint_name(run.config, 40)}));
    EXPECT_TRUE(fs::exists(folder / "moved" / checkpoint_name(run.config, 120)));
}

TEST_F(CheckpointWriterTest, says_that_its_folder_is_gone) {
    CheckpointWriter writer(run.config);
    fs::remove(partial());
    const auto [code, message] = failure_of<Failure>([&] { writer.write(checkpoint_of(40)); });
    EXPECT_EQ(code, static_cast<int>(ExitCode::input_output));
    EXPECT_NE(message.find("was removed or replaced"), std::string::npos) << message;
    EXPECT_EQ(message.find("disk space"), std::string::npos) << message;
}

TEST_F(CheckpointWriterTest, asks_for_disk_space_where_that_is_missing_alone) {
    EXPECT_EQ(advice_after(ENOSPC), "Free some disk space, or choose another output.directory");
    EXPECT_NE(advice_after(EDQUOT).find("your quota is used up"), std::string::npos);
    CheckpointWriter writer(run.config);
    fs::create_directories(partial() / checkpoint_name(run.config, 40) / "obstacle");
    const auto [code, message] = failure_of<Failure>([&] { writer.write(checkpoint_of(40)); });
    EXPECT_EQ(code, static_cast<int>(ExitCode::input_output));
    EXPECT_NE(message.find("Is a directory; earlier checkpoints are intact. Choose another output.directory"),
              std::string::npos)
        << message;
}

}  // namespace
}  // namespace perdure::tests::checkpoint_writer_test
