#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "solver/hdf5/read_dataset.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "tests/solver/hdf5/read_back.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::result_writer_test {
namespace {

using hdf5::Handle;
using Json = nlohmann::ordered_json;

std::vector<std::string> names_in(const std::filesystem::path &folder) {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Three snapshots, of which u grows by 100 each; the path of the result.
std::filesystem::path write_three(SampleRun run) {
    run.config.time.emplace();
    const auto claim = claim_output(run.config, false);
    ResultWriter writer(run.config, run.grid, true);
    for (int snapshot = 0; snapshot < 3; ++snapshot) {
        run.solution.step = 40 * (snapshot + 1);
        run.solution.time = 0.25 * snapshot;
        writer.write(run.solution);
        if (snapshot < 2) {
            std::visit(
                [](auto &u) {
                    for (auto &value : u) {
                        value += 100;
                    }
                },
                run.solution.fields.front().values);
        }
    }
    return writer.finish(run.solution);
}

TEST(ResultWriter, files_of_a_series_lie_in_one_folder_with_their_list) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.config.output.series = SeriesLayout::files;
    EXPECT_EQ(write_three(run), folder / "plate.snapshots");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"plate.snapshots"});
    EXPECT_EQ(names_in(folder / "plate.snapshots"),
              (std::vector<std::string>{"plate.vtkhdf.series", "plate_000040.vtkhdf", "plate_000080.vtkhdf",
                                        "plate_000120.vtkhdf"}));
    const Json series = Json::parse(bytes_of(folder / "plate.snapshots/plate.vtkhdf.series"));
    EXPECT_EQ(series, (Json{{"file-series-version", "1.0"},
                            {"files", Json::array({{{"name", "plate_000040.vtkhdf"}, {"time", 0.0}},
                                                   {{"name", "plate_000080.vtkhdf"}, {"time", 0.25}},
                                                   {{"name", "plate_000120.vtkhdf"}, {"time", 0.5}}})}}));
}

template <typename Number>
void expect_temporal(int dimensions, Compression compression) {
    const TemporaryFolder folder;
    auto run = sample_run<Number>(folder.path(), dimensions);
    run.config.output.compression = compression;
    const auto path = write_three(run);
    EXPECT_EQ(path, folder / "plate.vtkhdf");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"plate.vtkhdf"});
    const std::vector<std::int64_t> shape =
        dimensions == 3 ? std::vector<std::int64_t>{3, 2, 3, 4} : std::vector<std::int64_t>{3, 3, 4};
    const auto values = read_dataset(path, "/u", shape).values;
    const std::int64_t cells = run.grid.count();
    for (std::int64_t i = 0; i < 3 * cells; ++i) {
        if (i % cells == 1) {
            EXPECT_TRUE(std::isnan(values[i]));
        } else {
            EXPECT_EQ(values[i],
                      static_cast<double>(i % cells) + 0.125 + 100.0 * static_cast<double>(i / cells));
        }
    }
    EXPECT_EQ(read_dataset(path, "/time", {3}).values, (std::vector<double>{0.0, 0.25, 0.5}));
    EXPECT_EQ(read_dataset(path, "/iteration", {3}).values, (std::vector<double>{40, 80, 120}));
    const Handle file = open(path);
    EXPECT_EQ(attributes(file, "/VTKHDF/Steps").at("NSteps"), 3);
    EXPECT_EQ(attributes(file, "/manifest").at("complete"), 1);
}

TEST(ResultWriter, several_snapshots_become_one_temporal_file) {
    for (const Compression compression : {Compression::fast, Compression::none}) {
        for (const int dimensions : {2, 3}) {
            expect_temporal<float>(dimensions, compression);
            expect_temporal<double>(dimensions, compression);
        }
    }
}

TEST(ResultWriter, chunks_of_a_large_snapshot_keep_their_places_in_a_temporal_file) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.grid.cells = {700, 501, 1};  // 2 x 2 chunks, the last ones cut
    std::vector<double> u(static_cast<std::size_t>(run.grid.count()));
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = static_cast<double>(i);
    }
    run.solution.fields.front().values = u;
    const auto values = read_dataset(write_three(run), "/u", {3, 501, 700}).values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], static_cast<double>(i % u.size()) + 100.0 * static_cast<double>(i / u.size()))
            << i;
    }
}

/// A file that holds `u` alone, in chunks of that shape.
void write_in_chunks(const std::filesystem::path &path, const std::vector<double> &u,
                     const std::vector<hsize_t> &shape, const std::vector<hsize_t> &chunk) {
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create");
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "list");
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "list");
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(layout, 1);
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                       "shape");
    const Handle values(
        H5Dcreate2(file, "/VTKHDF/CellData/u", H5T_NATIVE_DOUBLE, space, links, layout, H5P_DEFAULT),
        H5Dclose, "create");
    ASSERT_GE(H5Dwrite(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, u.data()), 0);
}

TEST(ResultWriter, chunks_of_another_shape_are_not_taken_over_as_they_are) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.grid.cells = {700, 501, 1};
    run.config.output.compression = Compression::fast;
    std::vector<double> u(static_cast<std::size_t>(run.grid.count()));
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = 0.5 * static_cast<double>(i);
    }
    run.solution.fields.front().values = u;
    write_in_chunks(folder / "before.h5", u, {501, 700}, {501, 350});
    hdf5::create_temporal_file(folder / "all.h5", run.config, run.grid, run.solution);
    hdf5::Bytes bytes;
    hdf5::add_to_temporal_file(folder / "all.h5", Snapshot{folder / "before.h5"}, 0, bytes);
    EXPECT_EQ(read_dataset(folder / "all.h5", "/VTKHDF/CellData/u", {1, 501, 700}).values,
              LargeVector<double>(u.begin(), u.end()));
}

TEST(ResultWriter, a_result_replaces_one_of_another_layout) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    WholeSolution parts(run.solution);
    hdf5::write_snapshot_file(folder / "plate_000007.vtkhdf", run.config, run.grid, parts);
    {  // as perdure 0.1 wrote it
        const Handle file(H5Fopen((folder / "plate_000007.vtkhdf").c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                          H5Fclose, "open");
        ASSERT_GE(H5Adelete_by_name(file, "manifest", "file", H5P_DEFAULT), 0);
    }
    write_bytes(folder / "plate.vtkhdf.series", R"({"file-series-version": "1.0", "files": []})");
    for (const SeriesLayout layout : {SeriesLayout::files, SeriesLayout::temporal, SeriesLayout::files}) {
        run.config.output.series = layout;
        const auto path = write_three(run);
        EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{path.filename().string()});
    }
}

TEST(ResultWriter, what_appeared_under_the_name_meanwhile_is_not_replaced) {
    const TemporaryFolder folder;
    const auto run = sample_run<double>(folder.path(), 2);
    write_bytes(folder / "plate.vtkhdf", "somebody else's");
    const auto [code, message] = failure_of<Failure>([&] { write_result(run, false); });
    EXPECT_EQ(code, static_cast<int>(ExitCode::input_output));
    EXPECT_NE(message.find("File exists"), std::string::npos) << message;
    EXPECT_NE(message.find("the answer of this run is complete in"), std::string::npos) << message;
    EXPECT_EQ(bytes_of(folder / "plate.vtkhdf"), "somebody else's");
    EXPECT_EQ(names_in(folder / "plate.partial"), std::vector<std::string>{"plate_000120.vtkhdf"});
}

TEST(ResultWriter, the_manifest_says_whether_the_run_came_to_its_end) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    EXPECT_EQ(attributes(open(write_result(run)), "/manifest").at("complete"), 1);
    run.solution.report.stop = StopReason::stopped;
    const auto manifest = attributes(open(write_result(run)), "/manifest");
    EXPECT_EQ(manifest.at("complete"), 0);
    EXPECT_EQ(manifest.at("file"), "plate.vtkhdf");
}

/// Of a run that goes on behind two snapshots, each a file of its own; `damage` is done to the first.
std::string refusal_after(const std::function<void(const std::filesystem::path &)> &damage) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.config.time.emplace();
    const auto claim = claim_output(run.config, false);
    std::vector<Snapshot> kept;
    {
        ResultWriter killed(run.config, run.grid, false);
        for (const std::int64_t step : {40, 80}) {
            run.solution.step = step;
            kept.push_back({killed.write(run.solution).filename(), run.solution.time, step});
        }
    }
    damage(folder / "plate.partial/plate_000040.vtkhdf");
    const auto [code, message] =
        failure_of<Failure>([&] { ResultWriter(run.config, run.grid, false, kept, 80); });
    EXPECT_EQ(names_in(folder / "plate.partial").size(), 3U) << "the claim and the snapshots";
    if (code < 0) {
        return "";
    }
    EXPECT_EQ(code, static_cast<int>(ExitCode::bad_input)) << message;
    EXPECT_NE(message.find("plate_000040.vtkhdf', which the run wrote before it ended, cannot be read"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("start again with --force"), std::string::npos) << message;
    return message;
}

TEST(ResultWriter, a_damaged_snapshot_is_refused_before_the_run_goes_on) {
    namespace fs = std::filesystem;
    EXPECT_EQ(refusal_after([](const fs::path &) {}), "");
    EXPECT_NE(refusal_after([](const fs::path &file) { fs::resize_file(file, 1000); }), "");
    EXPECT_NE(refusal_after([](const fs::path &file) { fs::resize_file(file, 0); }), "");
    EXPECT_NE(refusal_after([](const fs::path &file) { write_bytes(file, std::string(5000, 'x')); }), "");
    EXPECT_NE(refusal_after([](const fs::path &file) {
                  fs::copy_file(file.parent_path() / "plate_000080.vtkhdf", file,
                                fs::copy_options::overwrite_existing);
              }).find("there is none of step 40"),
              std::string::npos);
}

/// A file like a snapshot, whose field says that it has more values than any memory: none of them was written.
void write_endless_snapshot(const std::filesystem::path &path) {
    const hdf5::LibraryLock lock;
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create");
    const Handle group(H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "add");
    const Handle cells(H5Gcreate2(group, "CellData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "add");
    const hsize_t extent = hsize_t{1} << 60, chunk = 1024;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "make a space");
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make properties");
    ASSERT_GE(H5Pset_chunk(properties, 1, &chunk), 0);
    const Handle field(H5Dcreate2(cells, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                       H5Dclose, "add u");
}

TEST(ResultWriter, a_snapshot_is_complete_whatever_hinders_the_file_of_all) {
    const TemporaryFolder folder;
    auto run = sample_run<double>(folder.path(), 2);
    run.config.time.emplace();
    const auto claim = claim_output(run.config, false);
    ResultWriter writer(run.config, run.grid, false);
    run.solution.step = 40;
    write_endless_snapshot(writer.write(run.solution));
    run.solution.step = 80;
    std::filesystem::path second;
    EXPECT_NO_THROW(second = writer.write(run.solution));
    EXPECT_EQ(second, folder / "plate.partial/plate_000080.vtkhdf");
    EXPECT_EQ(names_in(folder / "plate.partial").size(), 3U) << "the claim and the snapshots";
}

}  // namespace
}  // namespace perdure::tests::result_writer_test
