// Values that no program wrote: refused as labels, a warning for other data, accepted where a fill value is set on purpose.
#include "solver/hdf5/unwritten.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "solver/failure.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "tests/solver/hdf5/foreign_files.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::unwritten_test {
namespace {

constexpr int bad_input = static_cast<int>(ExitCode::bad_input);
const std::vector<std::int64_t> shape{8, 6};

class Unwritten : public testing::Test {
  protected:
    TemporaryFolder folder;
    std::filesystem::path file = folder / "image.h5";

    std::pair<int, std::string> labels() {
        return failure_of<Failure>(
            [&] { read_labels(file, "/image", shape, [](std::span<const std::int64_t>, std::int64_t) {}); });
    }
    std::string warning() { return read_dataset(file, "/image", shape).warning; }
    [[nodiscard]] std::string place() const { return "dataset '/image' in '" + file.string() + "': "; }
};

const std::string no_label =
    ", which nobody has set as a label; write them, or, if this is their label, set it as the fill value "
    "when you create the dataset";
const std::string not_meant =
    "; write them, or, if this is intended, set a fill value when you create the dataset";

TEST_F(Unwritten, a_contiguous_dataset_that_nobody_wrote) {
    add_partial_dataset(file, {});
    const std::string found = place() + "none of its values was ever written; they read as 0";
    EXPECT_EQ(labels(), (std::pair{bad_input, found + no_label}));
    EXPECT_EQ(warning(), found + not_meant);
}

TEST_F(Unwritten, chunks_that_nobody_wrote_in_every_index) {
    for (const bool latest : {false, true}) {         // version 1 B-tree; single chunk, fixed array
        for (const bool unlimited : {false, true}) {  // extensible array or B-tree
            for (const bool compressed : {false, true}) {
                add_partial_dataset(file, {.chunk = {3, 4},
                                           .unlimited = unlimited,
                                           .compressed = compressed,
                                           .latest = latest,
                                           .written_rows = 3});
                const std::string found =
                    place() + "4 of 6 chunks were never written, the first at [3:6, 0:4]; they read as 0";
                EXPECT_EQ(labels(), (std::pair{bad_input, found + no_label})) << latest << unlimited;
                EXPECT_EQ(warning(), found + not_meant) << latest << unlimited;
            }
        }
    }
    for (const bool latest : {false, true}) {
        add_partial_dataset(file, {.chunk = {8, 6}, .latest = latest});
        EXPECT_NE(labels().second.find("1 of 1 chunks were never written, the first at [0:8, 0:6]"),
                  std::string::npos);
    }
}

TEST_F(Unwritten, a_dataset_that_was_extended_and_not_written) {
    add_partial_dataset(file, {.chunk = {2, 6}, .unlimited = true, .rows_at_first = 4, .written_rows = 4});
    EXPECT_NE(labels().second.find("2 of 4 chunks were never written, the first at [4:6, 0:6]"),
              std::string::npos)
        << labels().second;
}

TEST_F(Unwritten, all_that_is_written_is_read_without_a_word) {
    for (const std::vector<hsize_t> &chunk : {std::vector<hsize_t>{}, {3, 4}, {8, 6}}) {
        add_partial_dataset(file, {.chunk = chunk, .written_rows = 8});
        EXPECT_EQ(labels().first, -1);
        EXPECT_EQ(warning(), "");
    }
    // The chunk of rows 6 to 8 is there: that a program wrote row 6 alone is not in the file.
    add_partial_dataset(file, {.chunk = {3, 6}, .unlimited = true, .rows_at_first = 7, .written_rows = 7});
    EXPECT_EQ(labels().first, -1);
}

TEST_F(Unwritten, a_compact_dataset_counts_as_written) {
    add_partial_dataset(file, {.compact = true});
    EXPECT_EQ(labels().first, -1);
    EXPECT_EQ(warning(), "");
}

TEST_F(Unwritten, a_fill_value_that_was_set_is_meant) {
    for (const std::vector<hsize_t> &chunk : {std::vector<hsize_t>{}, {3, 4}}) {
        add_partial_dataset(file, {.chunk = chunk, .fill = 1.0});
        std::set<std::int64_t> found;
        read_labels(file, "/image", shape, [&](std::span<const std::int64_t> slab, std::int64_t) {
            found.insert(slab.begin(), slab.end());
        });
        EXPECT_EQ(found, std::set<std::int64_t>{1});
        EXPECT_EQ(warning(), "");
    }
}

TEST_F(Unwritten, a_fill_value_that_is_no_number_is_a_gap) {
    add_partial_dataset(file, {.type = H5T_IEEE_F64LE,
                               .chunk = {4, 6},
                               .written_rows = 4,
                               .fill = std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(
        warning(),
        place() + "1 of 2 chunks were never written, the first at [4:8, 0:6]; they read as nan" + not_meant);
}

TEST_F(Unwritten, a_dataset_without_shape_or_without_cells) {
    {
        const hdf5::Handle open = create_file(file);
        const hdf5::Handle space(H5Screate(H5S_NULL), H5Sclose, "make a space");
        const hdf5::Handle dataset(
            H5Dcreate2(open, "image", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
            "create");
    }
    EXPECT_EQ(failure_of<Failure>([&] { read_dataset(file, "/image", {}); }),
              (std::pair{bad_input, "dataset '/image' in '" + file.string() +
                                        "' is empty: it has no shape and no values"}));
    add_dataset(create_file(file), "image", H5T_IEEE_F64LE, {0}, {});
    EXPECT_TRUE(read_dataset(file, "/image", {0}).values.empty());
}

}  // namespace
}  // namespace perdure::tests::unwritten_test
