#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solver/hdf5/probe.hpp"
#include "tests/solver/hdf5/foreign_files.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::describe_file_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(DescribeFile, an_output_as_json) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 3);
    run.solution.report.effective->tortuosity = std::numeric_limits<double>::infinity();
    const Json contents = describe_file(write_result(run));
    EXPECT_EQ(contents.at("grid").at("cells"), (Json{4, 3, 2}));
    EXPECT_EQ(contents.at("grid").at("spacing"), (Json{0.5, 0.25, 2.0}));
    EXPECT_EQ(contents.at("time"), 0.5);
    EXPECT_EQ(contents.at("step"), 120);
    // 24 cells i + 1/8, cell 1 left out: (0 + ... + 23 - 1) / 23 + 1/8
    EXPECT_EQ(contents.at("fields"), (Json::array({{{"name", "u"},
                                                    {"type", "float64"},
                                                    {"units", "K"},
                                                    {"min", 0.125},
                                                    {"max", 23.125},
                                                    {"mean", (275.0 + 23 * 0.125) / 23},
                                                    {"cells", 24},
                                                    {"excluded_cells", 1}}})));
    EXPECT_EQ(contents.at("report").at("stop_reason"), "complete");
    EXPECT_TRUE(contents.at("effective").at("tortuosity").is_null());
    EXPECT_EQ(contents.at("residual_history").at("entries"), 2);
    EXPECT_EQ(contents.at("residual_history").at("last").at("residual"), 1.5e-9);
    EXPECT_TRUE(contents.at("residual_history").at("last").at("device_time").is_null());
    EXPECT_EQ(contents.at("case_text"), run.config.text);
}

TEST(DescribeFile, an_output_as_text) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    const std::string text = describe(describe_file(write_result(run)));
    for (const char *line :
         {"  cells                  4, 3 (x, y)\n",
          "  u (float64, units K)\n    min                  0.125\n", "    excluded_cells       1\n",
          "  stop_reason            complete\n", "  notes                  first note, second note\n",
          "  tortuosity             2.0\n",
          "  first                  iteration 10, residual 1.0, after 0.001 s\n",
          "  last                   iteration 120, residual 1.5e-09\n", "  title: Plate\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
    }
}

TEST(DescribeFile, components_of_a_vector_apart) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    LargeVector<double> flux;
    for (int cell = 0; cell < 12; ++cell) {
        for (const double component : {1.0 * cell, -2.0, 100.0 - cell}) {
            flux.push_back(cell == 3 ? std::numeric_limits<double>::quiet_NaN() : component);
        }
    }
    run.solution.fields.push_back({"flux", flux, 3, "W"});
    run.config.type = ProblemType::diffusion;
    run.config.output.fields = {"u", "flux"};
    const Json contents = describe_file(write_result(run));
    const Json &fields = contents.at("fields");
    const auto vector =
        std::ranges::find_if(fields, [](const Json &field) { return field.at("name") == "flux"; });
    ASSERT_NE(vector, fields.end());
    EXPECT_EQ(vector->at("min"), (Json{0.0, -2.0, 89.0}));
    EXPECT_EQ(vector->at("max"), (Json{11.0, -2.0, 100.0}));
    EXPECT_EQ(vector->at("mean"), (Json{63.0 / 11, -2.0, (1200.0 - 66 - 97) / 11}));
    EXPECT_EQ(vector->at("cells"), 12);
    EXPECT_EQ(vector->at("excluded_cells"), 1);
    EXPECT_NE(describe(contents).find("    min                  0.0, -2.0, 89.0\n"), std::string::npos);
}

TEST(DescribeFile, the_origin_of_an_unchanged_file_is_asked_once) {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    const fs::path path = write_result(run);
    const auto kind = [&] {
        return hdf5::probe({hdf5::ProbeRequest::origin, path, {}, {}}).value("kind", "");
    };
    EXPECT_EQ(kind(), "perdure output");
    const fs::file_time_type written = fs::last_write_time(path);
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << std::string(64, 'x');
    fs::last_write_time(path, written);
    EXPECT_EQ(kind(), "perdure output");
    fs::last_write_time(path, written + std::chrono::seconds(1));
    EXPECT_THROW((void)kind(), Failure);
}

TEST(DescribeFile, datasets_of_another_file) {
    const TemporaryFolder folder;
    const auto path = folder / "image.h5";
    {
        const hdf5::Handle file = create_file(path);
        add_dataset(file, "image", H5T_STD_U8LE, {2, 3}, {0, 1, 2, 3, 4, 5});
        add_dataset(file, "a", H5T_IEEE_F32BE, {2}, {1, 2});
    }
    EXPECT_EQ(describe(describe_file(path)), path.string() +
                                                 ": HDF5 file that perdure did not write\n"
                                                 "  /a                     (2) float32 (big-endian)\n"
                                                 "  /image                 (2, 3) uint8\n");
}

TEST(DescribeFile, truncated_and_foreign_files) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    const auto path = write_result(run);
    const std::string whole = bytes_of(path);
    for (const std::size_t size : {std::size_t{4}, whole.size() / 2}) {
        write_bytes(path, whole.substr(0, size));
        EXPECT_EQ(failure_of<Failure>([&] { describe(describe_file(path)); }).first,
                  static_cast<int>(ExitCode::input_output));
    }
}

TEST(DescribeFile, survives_damage_anywhere) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    const auto path = write_result(run);
    const std::string whole = bytes_of(path);
    for (std::size_t at = 0; at < whole.size(); at += whole.size() / 40) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(~damaged[at]);
        write_bytes(path, damaged);
        const int code = failure_of<Failure>([&] { describe_file(path); }).first;
        EXPECT_TRUE(code == -1 || code == static_cast<int>(ExitCode::input_output) ||
                    code == static_cast<int>(ExitCode::bad_input))
            << code << " at byte " << at;
    }
}

}  // namespace
}  // namespace perdure::tests::describe_file_test
