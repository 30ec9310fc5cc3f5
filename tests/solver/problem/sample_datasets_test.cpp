// Fields that make_problem reads from HDF5 files.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <limits>
#include <string>

#include "solver/problem/problem.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::sample_datasets_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A file in a folder of its own per test.
class SampleDatasets : public testing::Test {
  protected:
    void SetUp() override {
        id_ = H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        ASSERT_GE(id_, 0);
    }

    void write(const std::string &name, const std::vector<hsize_t> &shape, const std::vector<double> &values,
               hid_t type = H5T_NATIVE_DOUBLE) {
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t set = H5Dcreate2(id_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
        H5Dclose(set);
        H5Sclose(space);
    }

    [[nodiscard]] ValueSource dataset(const std::string &name) const {
        ValueSource source;
        source.kind = ValueSource::Kind::dataset;
        source.file = file_;
        source.dataset = name;
        return source;
    }

    [[nodiscard]] ValueSource labels(const std::string &name,
                                     const std::map<std::int64_t, double> &values) const {
        ValueSource source = dataset(name);
        source.kind = ValueSource::Kind::labels;
        source.labels = values;
        return source;
    }

    // 3 x 2 cells in the plane, u = 0 on x-.
    static Config plane() {
        Config config;
        config.path = "case.yaml";
        config.grid.cells = {3, 2, 1};
        config.a.number = 1.0;
        config.sides[0].kind = SideKind::value;
        return config;
    }

    Problem make(const Config &config) {
        H5Fclose(id_);
        return make_problem(config);
    }

    std::string failure_of(const Config &config) {
        try {
            make(config);
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::bad_input);
            std::string text;
            for (const Diagnostic &diagnostic : failure.diagnostics()) {
                text += diagnostic.message + "\n";
            }
            return text;
        }
        return "no failure";
    }

    const tests::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_ / "data.h5";
    hid_t id_ = -1;
};

TEST_F(SampleDatasets, AreOrderedSlowestFirst) {
    write("a", {2, 3}, {1, 2, 3, 4, 5, 6});
    write("side", {3}, {7, 8, 9});
    Config config = plane();
    config.a = dataset("/a");
    config.sides[2].kind = SideKind::value;
    config.sides[2].values = dataset("/side");
    const Problem problem = make(config);
    EXPECT_EQ(problem.only_field().a[problem.grid.index(1, 1, 0)], 5.0);
    EXPECT_EQ(problem.only_field().sides[2].values.values, (std::vector<double>{7, 8, 9}));
}

TEST_F(SampleDatasets, OfASideLeaveOutItsAxis) {
    write("side", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    Config config = plane();
    config.grid.dimensions = 3;
    config.grid.cells = {2, 3, 4};
    config.sides[3].kind = SideKind::value;
    config.sides[3].values = dataset("/side");
    EXPECT_EQ(make(config).only_field().sides[3].values[1 + 2 * 3], 7.0);
}

TEST_F(SampleDatasets, LabelsBecomeTheirValues) {
    write("image", {2, 3}, {0, 1, 1, 7, 0, 1}, H5T_STD_U8LE);
    Config config = plane();
    config.a = labels("/image", {{0, 0.5}, {1, 1.5}, {7, 2.5}});
    Samples a = make(config).only_field().a;
    EXPECT_EQ(a.labels.size(), 6U);
    expand(a);
    EXPECT_EQ(a.values, (std::vector<double>{0.5, 1.5, 1.5, 2.5, 0.5, 1.5}));
    EXPECT_TRUE(make(config).warnings.empty());
    config.a = labels("/image", {{0, 0.5}, {1, 1.5}, {7, 2.5}, {8, 1.0}, {70, 2.5}});
    const Problem problem = make(config);
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_EQ(problem.warnings[0].message,
              "problem.a: 'labels' lists 8, 70, but no cell of dataset '/image' of " + file_.string() +
                  " has such a label");
}

TEST_F(SampleDatasets, WarnOfValuesThatWereNeverWritten) {
    const std::vector<hsize_t> shape{2, 3};
    const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
    H5Dclose(H5Dcreate2(id_, "f", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    Config config = plane();
    config.f = dataset("/f");
    const Problem problem = make(config);
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_EQ(problem.warnings[0].message,
              "problem.f: dataset '/f' in '" + file_.string() +
                  "': none of its values was ever written; they read as 0; "
                  "write them, or, if this is intended, set a fill value when you create the dataset");
    config.f = ValueSource();
    config.a = labels("/f", {{0, 0.5}});
    EXPECT_THROW((void)make_problem(config), Failure);
}

TEST_F(SampleDatasets, ReportLabelsWithoutValue) {
    write("image", {2, 3}, {0, 5, 3, 5, 0, 1}, H5T_STD_I32LE);
    Config config = plane();
    config.a = labels("/image", {{0, 0.5}, {1, 1.5}});
    EXPECT_EQ(failure_of(config),
              "problem.a: 'labels' has no value for 3, 5 in dataset '/image' of " + file_.string() +
                  "; label 5 first stands at cell [y, x] = [0, 1]; give every label a value\n");
}

TEST_F(SampleDatasets, ListTenUnknownLabelsAtMost) {
    write("image", {2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, H5T_STD_U16LE);
    Config config = plane();
    config.grid.cells = {6, 2, 1};
    config.a = labels("/image", {{1, 1.0}});
    EXPECT_NE(failure_of(config).find("for 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... (11 labels) in"),
              std::string::npos);
}

TEST_F(SampleDatasets, NameTheCellOfNegativeAndMissingCoefficients) {
    write("a", {2, 3}, {1, 2, 3, 4, -5, 6});
    write("sigma", {2, 3}, {0, 0, nan, 0, nan, 0});
    Config config = plane();
    config.a = dataset("/a");
    config.sigma = dataset("/sigma");
    EXPECT_EQ(failure_of(config),
              "problem.a must be finite and not negative, but is -5 at cell [y, x] = [1, 1]\n"
              "problem.sigma must be finite and not negative, but is nan at cell [y, x] = [0, 2]; the same "
              "holds at 1 more point\n");
}

TEST_F(SampleDatasets, InitialMayBeMissingInExcludedCellsOnly) {
    write("a", {2, 3}, {1, 0, 1, 1, 0, 1});
    write("u", {2, 3}, {5, nan, nan, 6, nan, nan});
    Config config = plane();
    config.a = dataset("/a");
    config.initial = dataset("/u");
    EXPECT_EQ(make(config).only_field().initial.values, (std::vector<double>{5, 0, 0, 6, 0, 0}));
    config.type = ProblemType::heat;
    try {
        make_problem(config);
        FAIL();
    } catch (const Failure &failure) {
        ASSERT_EQ(failure.diagnostics().size(), 1U);
        EXPECT_EQ(
            failure.diagnostics()[0].message,
            "problem.initial must be finite in every cell that is not solid, but is nan at cell [y, x] = "
            "[0, 2]; the same holds at 1 more point");
    }
}

TEST_F(SampleDatasets, ReportEveryUnreadableFieldWithItsPlace) {
    write("a", {2, 3}, {1, 0, 1, 1, 0, 1});
    Config config = plane();
    config.a = dataset("/b");
    config.a.position = {"case.yaml", 3, 6};
    config.f = dataset("/a");
    config.grid.cells = {2, 2, 1};
    H5Fclose(id_);
    try {
        make_problem(config);
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::bad_input);
        ASSERT_EQ(failure.diagnostics().size(), 2U);
        EXPECT_EQ(failure.diagnostics()[0].message.substr(0, 11), "problem.a: ");
        EXPECT_EQ(failure.diagnostics()[0].position.line, 3);
        EXPECT_EQ(failure.diagnostics()[1].message.substr(0, 11), "problem.f: ");
    }
}

Config effective_plane(const ValueSource &image) {
    Config config;
    config.path = "case.yaml";
    config.type = ProblemType::effective;
    config.grid.cells = {3, 2, 1};
    config.a = image;
    config.effective.emplace();
    config.effective->axes = {0, 1};
    point_along(0, config);
    return config;
}

TEST_F(SampleDatasets, AnImageIsKeptAsAByteACellWithConductorsFirst) {
    write("image", {2, 3}, {-7, 5, 5, 300, 5, -7}, H5T_STD_I16LE);
    H5Fclose(id_);
    const Problem problem =
        make_problem(effective_plane(labels("image", {{-7, 0.0}, {5, 2.5}, {300, 1.0}, {9, 4.0}})));
    ASSERT_EQ(problem.warnings.size(), 1U);
    EXPECT_NE(problem.warnings[0].message.find("'labels' lists 9, but no cell of"), std::string::npos);
    const MaterialImage &image = problem.only_field().image;
    EXPECT_EQ(std::vector(image.of_cell.begin(), image.of_cell.end()),
              (std::vector<std::uint8_t>{3, 0, 0, 2, 0, 3}));
    ASSERT_EQ(image.materials.size(), 4U);
    EXPECT_EQ(image.materials[0].label, 5);
    EXPECT_EQ(image.materials[1].label, 9) << "listed, and not in the image";
    EXPECT_EQ(image.materials[1].cells, 0);
    EXPECT_EQ(image.materials[3].label, -7);
    EXPECT_EQ(image.materials[3].cells, 2);
    EXPECT_EQ(image.conducting(), 3U);
    EXPECT_EQ(image.conducting_cells(), 4);
    Samples a = problem.only_field().a;
    EXPECT_EQ(a.labels.data(), image.of_cell.data()) << "of which there is one copy";
    EXPECT_EQ(std::count(a.values.begin(), a.values.end(), 4.0), 0) << "of a label that is not in the image";
    expand(a);
    EXPECT_EQ(a.values, (std::vector<double>{0.0, 2.5, 2.5, 1.0, 2.5, 0.0}));
    EXPECT_FALSE(problem.only_field().in_time);
    EXPECT_EQ(problem.only_field().sides[0].kind, SideKind::value);
    EXPECT_EQ(problem.only_field().sides[0].values[0], 1.0);
    EXPECT_EQ(problem.only_field().sides[2].kind, SideKind::flux);
}

TEST_F(SampleDatasets, AnImageOfSolidAloneIsBadInputAndSoIsALabelWithoutAValue) {
    write("image", {2, 3}, {1, 1, 1, 1, 1, 2}, H5T_STD_U8LE);
    H5Fclose(id_);
    const auto failure_of_labels = [&](const std::map<std::int64_t, double> &values) {
        try {
            make_problem(effective_plane(labels("image", values)));
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.code(), ExitCode::bad_input);
            return std::string(failure.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(failure_of_labels({{0, 1.0}, {1, 0.0}, {2, 0.0}}).find("nothing in this image conducts"),
              std::string::npos);
    const std::string missing = failure_of_labels({{0, 1.0}, {1, 0.5}});
    EXPECT_NE(missing.find("'labels' has no value for 2"), std::string::npos) << missing;
    EXPECT_NE(missing.find("[y, x] = [1, 2]"), std::string::npos) << missing;
}

}  // namespace
}  // namespace perdure::sample_datasets_test
