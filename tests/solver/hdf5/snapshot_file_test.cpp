#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/derived_fields.hpp"
#include "tests/solver/hdf5/read_back.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::snapshot_file_test {
namespace {

using hdf5::Handle;
using Json = nlohmann::ordered_json;

template <typename Number>
void expect_round_trip(int dimensions, Compression compression) {
    const TemporaryFolder folder;
    auto run = sample_run<Number>(folder.path(), dimensions);
    run.config.output.compression = compression;
    const auto path = write_result(run);
    EXPECT_EQ(path, folder / "plate.vtkhdf");
    const std::vector<std::int64_t> shape =
        dimensions == 3 ? std::vector<std::int64_t>{2, 3, 4} : std::vector<std::int64_t>{3, 4};
    const auto values = read_dataset(path, "/u", shape).values;
    for (std::int64_t i = 0; i < run.grid.count(); ++i) {
        if (i == 1) {
            EXPECT_TRUE(std::isnan(values[i]));
        } else {
            EXPECT_EQ(values[i], value_at(run.solution.fields.front().values, i));
        }
    }
}

TEST(SnapshotFile, round_trip) {
    for (const Compression compression : {Compression::fast, Compression::none}) {
        for (const int dimensions : {2, 3}) {
            expect_round_trip<float>(dimensions, compression);
            expect_round_trip<double>(dimensions, compression);
        }
    }
}

/// Attributes of the flux in the result of a problem: units of u, and of the flux; empty: not known.
Json attributes_of_flux(std::optional<std::string> unit, std::string flux_unit) {
    const TemporaryFolder folder;
    auto run = sample_run<float>(folder.path(), 2);
    run.config.type = ProblemType::diffusion;
    run.config.output.fields = {"u", "flux"};
    Problem problem;
    problem.grid = run.grid;
    problem.fields.emplace_back().name = "u";
    problem.only_field().unit = std::move(unit);
    problem.only_field().flux_unit = std::move(flux_unit);
    add_derived_fields(run.config, problem, run.solution);
    return attributes(open(write_result(run)), "/VTKHDF/CellData/flux");
}

TEST(SnapshotFile, units_of_a_flux_are_known_where_there_are_none) {
    for (const bool known : {false, true}) {
        const Json found = attributes_of_flux(known ? std::nullopt : std::optional<std::string>("K"), "");
        EXPECT_EQ(found.contains("units"), known) << "K times those of a";
        if (known) {
            EXPECT_EQ(found.at("units"), "1");
        }
    }
}

TEST(SnapshotFile, units_of_a_flux_are_those_that_values_tell) {
    EXPECT_EQ(attributes_of_flux("K", "J/(mm2 s)").at("units"), "J/(mm2 s)");
}

TEST(SnapshotFile, axes_have_the_units_of_the_case) {
    const TemporaryFolder folder;
    auto run = sample_run<float>(folder.path(), 2);
    EXPECT_EQ(attributes(open(write_result(run)), "/x").at("units"), "1");
    run.config.units = {LengthUnit::mm, TimeUnit::min};
    const Handle file = open(write_result(run));
    EXPECT_EQ(attributes(file, "/y").at("units"), "mm");
    EXPECT_EQ(attributes(file, "/time").at("units"), "min");
}

TEST(SnapshotFile, layout_of_the_field) {
    const TemporaryFolder folder;
    const auto run = sample_run<float>(folder.path(), 3);
    const Handle file = open(write_result(run));
    const Handle u(H5Dopen2(file, "/u", H5P_DEFAULT), H5Dclose, "open");
    const Handle type(H5Dget_type(u), H5Tclose, "read");
    EXPECT_GT(H5Tequal(type, H5T_IEEE_F32LE), 0);

    const Handle properties(H5Dget_create_plist(u), H5Pclose, "read");
    ASSERT_EQ(H5Pget_nfilters(properties), 3);
    const std::array<H5Z_filter_t, 3> filters{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
    for (unsigned i = 0; i < 3; ++i) {
        unsigned flags = 0;
        std::size_t parameters = 0;
        EXPECT_EQ(H5Pget_filter2(properties, i, &flags, &parameters, nullptr, 0, nullptr, nullptr),
                  filters[i]);
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
        const Handle scale(H5Dopen2(file, std::array{"z", "y", "x"}[axis], H5P_DEFAULT), H5Dclose, "open");
        EXPECT_GT(H5DSis_attached(u, scale, axis), 0);
    }
    const Json given = attributes(file, "/u");
    EXPECT_EQ(given.at("units"), "K");
    EXPECT_EQ(given.at("coordinates"), "time");
    EXPECT_TRUE(std::isnan(given.at("_FillValue").at(0).get<double>()));

    H5O_info_t at_root;
    H5O_info_t in_cell_data;
    ASSERT_GE(H5Oget_info_by_name2(file, "/u", &at_root, H5O_INFO_BASIC, H5P_DEFAULT), 0);
    ASSERT_GE(H5Oget_info_by_name2(file, "/VTKHDF/CellData/u", &in_cell_data, H5O_INFO_BASIC, H5P_DEFAULT),
              0);
    EXPECT_EQ(at_root.addr, in_cell_data.addr);
}

TEST(SnapshotFile, attributes_of_vtkhdf) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 3);
    const Handle file = open(write_result(run));
    EXPECT_EQ(attributes(file, "/VTKHDF"), (Json{{"Direction", {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}},
                                                 {"Origin", {10.0, 20.0, 30.0}},
                                                 {"Spacing", {0.5, 0.25, 2.0}},
                                                 {"Type", "ImageData"},
                                                 {"Version", {2, 0}},
                                                 {"WholeExtent", {0, 4, 0, 3, 0, 2}}}));
    const Handle group(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose, "open");
    const Handle attribute(H5Aopen(group, "Type", H5P_DEFAULT), H5Aclose, "open");
    const Handle type(H5Aget_type(attribute), H5Tclose, "read");
    EXPECT_EQ(H5Tget_size(type), 9U);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
}

TEST(SnapshotFile, flat_extent_in_two_dimensions) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    const Handle file = open(write_result(run));
    EXPECT_EQ(attributes(file, "/VTKHDF").at("WholeExtent"), (Json{0, 4, 0, 3, 0, 0}));
    EXPECT_EQ(H5Lexists(file, "/z", H5P_DEFAULT), 0);
}

TEST(SnapshotFile, coordinates_are_cell_centres) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 3);
    const auto path = write_result(run);
    EXPECT_EQ(read_dataset(path, "/x", {4}).values, (std::vector<double>{10.25, 10.75, 11.25, 11.75}));
    EXPECT_EQ(read_dataset(path, "/z", {2}).values, (std::vector<double>{31.0, 33.0}));
    EXPECT_EQ(read_dataset(path, "/time", {}).values, (std::vector<double>{0.5}));
    EXPECT_EQ(attributes(open(path), "/y").at("axis"), "Y");
}

TEST(SnapshotFile, report_holds_the_run) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 3);
    const auto path = write_result(run);
    const Handle file = open(path);
    const Json report = attributes(file, "/report");
    EXPECT_EQ(report.at("stop_reason"), "complete");
    EXPECT_EQ(report.at("outcome"), "complete");
    EXPECT_EQ(attributes(file, "/manifest").at("case_text"), run.config.text);
    EXPECT_EQ(report.at("residual"), 1.5e-9);
    EXPECT_EQ(report.at("notes"), (Json{"first note", "second note"}));
    EXPECT_FALSE(report.contains("bad_cell"));
    EXPECT_EQ(attributes(file, "/report/effective").at("tortuosity"), 2.0);
    EXPECT_EQ(read_dataset(path, "/report/history/iteration", {2}).values, (std::vector<double>{10, 120}));
    EXPECT_EQ(read_dataset(path, "/report/history/residual", {2}).values, (std::vector<double>{1.0, 1.5e-9}));
    const Json root = attributes(file, "/");
    EXPECT_EQ(root.at("Conventions"), "CF-1.10");
    EXPECT_TRUE(root.at("history").get<std::string>().ends_with("Z perdure 0.1.0: heat, step 120"));
}

TEST(SnapshotFile, a_run_without_history) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.solution.report.history.clear();
    run.solution.report.notes.clear();
    run.solution.report.effective.reset();
    const auto path = write_result(run);
    EXPECT_TRUE(read_dataset(path, "/report/history/residual", {0}).values.empty());
    EXPECT_EQ(describe_file(path).at("residual_history"), (Json{{"entries", 0}}));
}

TEST(SnapshotFile, a_case_text_of_a_megabyte_is_kept) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.config.text = std::string(1 << 20, '#');
    const Handle file = open(write_result(run));
    EXPECT_EQ(attributes(file, "/manifest").at("case_text"), run.config.text);
}

TEST(SnapshotFile, chunks_of_a_megabyte) {
    EXPECT_EQ(hdf5::chunk_shape({500, 500, 500}, 8, 1 << 20), (std::vector<hsize_t>{32, 63, 63}));
    EXPECT_EQ(hdf5::chunk_shape({3, 4}, 4, 1 << 20), (std::vector<hsize_t>{3, 4}));
    EXPECT_EQ(hdf5::chunk_shape({1 << 22, 1}, 8, 1 << 20), (std::vector<hsize_t>{1 << 17, 1}));
    EXPECT_EQ(hdf5::plain_chunk({500, 500, 500}, 8), (std::vector<hsize_t>{500, 500, 500}));
    EXPECT_EQ(hdf5::plain_chunk({1001, 512, 512}, 8), (std::vector<hsize_t>{501, 512, 512}));
    EXPECT_EQ(hdf5::plain_chunk({4, 16384, 16384}, 8), (std::vector<hsize_t>{1, 16384, 16384}));
}

/// The chunk shape that a float64 field is stored with.
std::vector<hsize_t> chunk_of_field(std::array<std::int64_t, 3> cells, Compression compression) {
    Config config;
    config.output.compression = compression;
    Grid grid;
    grid.dimensions = 3;
    grid.cells = {cells[0], cells[1], cells[2]};
    FieldResult field;
    field.name = "u";
    field.values = std::vector<double>(static_cast<std::size_t>(grid.count()));
    hdf5::Object cell_data;
    return hdf5::add_field(cell_data, config, grid, field, false).chunk;
}

TEST(SnapshotFile, what_is_larger_than_a_chunk_has_sixteen_for_the_cores) {
    using Shape = std::vector<hsize_t>;
    EXPECT_EQ(chunk_of_field({64, 64, 32}, Compression::fast), (Shape{32, 64, 64})) << "a megabyte";
    EXPECT_EQ(chunk_of_field({64, 64, 64}, Compression::fast), (Shape{16, 32, 32})) << "128 KiB";
    EXPECT_EQ(chunk_of_field({128, 128, 128}, Compression::small), (Shape{32, 64, 64})) << "a megabyte";
    EXPECT_EQ(chunk_of_field({64, 64, 64}, Compression::none), Shape{});
}

TEST(StopReason, words_and_exit_codes) {
    EXPECT_STREQ(describe(StopReason::converged_rtol), "converged (rtol)");
    EXPECT_EQ(exit_code(StopReason::complete), ExitCode::success);
    EXPECT_EQ(exit_code(StopReason::accuracy_limit), ExitCode::not_converged);
    EXPECT_EQ(exit_code(StopReason::breakdown), ExitCode::numerical);
    EXPECT_EQ(exit_code(StopReason::stopped), ExitCode::stopped);
    EXPECT_EQ(exit_code(StopReason::watchdog), ExitCode::device);
    EXPECT_EQ(exit_code(StopReason::running), ExitCode::differs_or_internal);
}

}  // namespace
}  // namespace perdure::tests::snapshot_file_test
