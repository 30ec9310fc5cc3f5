#include "solver/hdf5/read_dataset.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>

#include "solver/failure.hpp"
#include "solver/output/solution.hpp"
#include "tests/solver/hdf5/foreign_files.hpp"
#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::read_dataset_test {
namespace {

using Values = std::vector<double>;
using Labels = std::vector<std::int64_t>;
const Values six_values{0, 1, 2, 3, 4, 100};

class ReadDataset : public testing::Test {
  protected:
    TemporaryFolder folder;
    std::filesystem::path file = folder / "two_phase.h5";

    void write(hid_t type) { add_dataset(create_file(file), "image", type, {2, 3}, six_values); }

    std::pair<int, std::string> failure(const std::string &name,
                                        const std::vector<std::int64_t> &shape = {2, 3}) {
        return failure_of<Failure>([&] { read_dataset(file, name, shape); });
    }
    Labels labels_of(const std::string &name, const std::vector<std::int64_t> &shape) const {
        Labels labels;
        read_labels(file, name, shape, [&](std::span<const std::int64_t> slab, std::int64_t first) {
            EXPECT_EQ(first, static_cast<std::int64_t>(labels.size()));
            labels.insert(labels.end(), slab.begin(), slab.end());
        });
        return labels;
    }
    [[nodiscard]] std::string quoted() const { return "'" + file.string() + "'"; }
};

constexpr int bad_input = static_cast<int>(ExitCode::bad_input);
constexpr int input_output = static_cast<int>(ExitCode::input_output);

TEST_F(ReadDataset, takes_every_number_type_in_both_byte_orders) {
    for (const hid_t type :
         {H5T_STD_I8LE, H5T_STD_U8LE, H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_I32BE, H5T_STD_U32LE,
          H5T_STD_I64LE, H5T_STD_U64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE}) {
        write(type);
        EXPECT_EQ(read_dataset(file, "/image", {2, 3}).values, six_values);
    }
}

TEST_F(ReadDataset, takes_half_precision) {
    const hdf5::Handle half(H5Tcopy(H5T_IEEE_F32LE), H5Tclose, "make a type");
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    write(half);
    EXPECT_EQ(read_dataset(file, "image", {2, 3}).values, six_values);
}

TEST_F(ReadDataset, labels_are_integers) {
    write(H5T_STD_U8LE);
    EXPECT_EQ(labels_of("/image", {2, 3}), (Labels{0, 1, 2, 3, 4, 100}));
    write(H5T_IEEE_F32LE);
    const auto [code, message] = failure_of<Failure>([&] { labels_of("/image", {2, 3}); });
    EXPECT_EQ(code, bad_input);
    EXPECT_EQ(message, "dataset '/image' in " + quoted() + " holds float32, but labels must be integers");
}

TEST_F(ReadDataset, labels_of_a_boolean_enumeration) {
    const hdf5::Handle boolean(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose, "make a type");
    for (const std::int8_t value : {std::int8_t{0}, std::int8_t{1}}) {
        H5Tenum_insert(boolean, value == 0 ? "FALSE" : "TRUE", &value);
    }
    {
        const hdf5::Handle open = create_file(file);
        const hsize_t shape = 3;
        const hdf5::Handle space(H5Screate_simple(1, &shape, nullptr), H5Sclose, "make a space");
        const hdf5::Handle dataset(
            H5Dcreate2(open, "mask", boolean, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
            "create");
        const std::array<std::int8_t, 3> values{1, 0, 1};
        ASSERT_GE(H5Dwrite(dataset, boolean, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    EXPECT_EQ(labels_of("/mask", {3}), (Labels{1, 0, 1}));
}

TEST_F(ReadDataset, a_label_beyond_64_bits_is_not_clipped) {
    add_dataset(create_file(file), "image", H5T_STD_U64LE, {1}, {1.5e19});
    const auto [code, message] = failure_of<Failure>([&] { labels_of("/image", {1}); });
    EXPECT_EQ(code, bad_input);
    EXPECT_EQ(message, "dataset '/image' in " + quoted() +
                           " holds an integer that does not fit into 64 bits with a sign");
}

TEST_F(ReadDataset, reads_many_slabs_in_order) {
    Values values(3000 * 2000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i);
    }
    add_dataset(create_file(file), "large", H5T_IEEE_F64LE, {3000, 2000}, values);
    EXPECT_EQ(read_dataset(file, "/large", {3000, 2000}).values, values);
}

/// Pages that helpers, now ended, have touched: grows with each.
long pages_of_helpers() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_minflt;
}

TEST_F(ReadDataset, asks_the_helper_once_about_a_file_until_it_changes) {
    write(H5T_STD_U8LE);
    EXPECT_EQ(labels_of("/image", {2, 3}).size(), 6U);
    const long after_one = pages_of_helpers();
    EXPECT_GT(after_one, 0);
    EXPECT_EQ(labels_of("/image", {2, 3}).size(), 6U);
    EXPECT_EQ(pages_of_helpers(), after_one);
    EXPECT_EQ(failure("/image", {3, 3}).first, bad_input);  // another question
    const long after_two = pages_of_helpers();
    EXPECT_GT(after_two, after_one);
    EXPECT_EQ(failure("/image", {3, 3}).first, bad_input);  // a failure is known, too
    EXPECT_EQ(pages_of_helpers(), after_two);
    const std::string whole = bytes_of(file);
    write_bytes(file, whole.substr(0, whole.size() / 2));
    EXPECT_EQ(failure_of<Failure>([&] { labels_of("/image", {2, 3}); }).first, input_output);
    write_bytes(file, whole);
    EXPECT_EQ(labels_of("/image", {2, 3}).size(), 6U);
}

TEST_F(ReadDataset, tells_the_shape_alone) {
    write(H5T_STD_U8LE);
    EXPECT_EQ(shape_of_dataset(file, "image"), (std::vector<std::int64_t>{2, 3}));
    const auto found = failure_of<Failure>([&] { (void)shape_of_dataset(file, "imag"); });
    EXPECT_EQ(found.first, bad_input);
    EXPECT_NE(found.second.find("did you mean"), std::string::npos) << found.second;
    EXPECT_EQ(failure_of<Failure>([&] { (void)shape_of_dataset(folder / "none.h5", "image"); }).first,
              input_output);
}

TEST_F(ReadDataset, an_output_is_an_input) {
    auto run = sample_run<float>(folder.path(), 3);
    const auto output = write_result(run);
    for (const char *name : {"/u", "VTKHDF/CellData/u"}) {
        const Dataset u = read_dataset(output, name, {2, 3, 4});
        EXPECT_EQ(u.values[23], 23.125);
        EXPECT_TRUE(std::isnan(u.values[1]));
    }
}

TEST_F(ReadDataset, names_the_closest_file) {
    write(H5T_STD_U8LE);
    const auto misspelt = folder / "two_fase.h5";
    const auto [code, message] = failure_of<Failure>([&] { read_dataset(misspelt, "/image", {2, 3}); });
    EXPECT_EQ(code, input_output);
    EXPECT_EQ(message, "there is no file '" + misspelt.string() + "'; did you mean " + quoted() + "?");
}

TEST_F(ReadDataset, names_the_closest_dataset) {
    write(H5T_STD_U8LE);
    const auto [code, message] = failure("/imgae");
    EXPECT_EQ(code, bad_input);
    EXPECT_EQ(message, "there is no dataset '/imgae' in " + quoted() +
                           "; did you mean '/image'?\n  datasets in the file: /image");
    EXPECT_EQ(failure("/").first, bad_input);
    EXPECT_EQ(failure("/image/deeper").first, bad_input);
}

TEST_F(ReadDataset, says_both_shapes) {
    write(H5T_STD_U8LE);
    EXPECT_EQ(failure("/image", {3, 3}),
              (std::pair{bad_input, "dataset '/image' in " + quoted() +
                                        " has shape (2, 3); expected (3, 3) (slowest axis first)"}));
    EXPECT_EQ(
        failure("/image", {3, 2}).second,
        "dataset '/image' in " + quoted() +
            " has shape (2, 3); expected (3, 2) (slowest axis first); its axes seem to be in reversed order");
}

TEST_F(ReadDataset, refuses_text) {
    {
        const hdf5::Handle open = create_file(file);
        const hdf5::Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a space");
        const hdf5::Handle dataset(
            H5Dcreate2(open, "name", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
            "create");
    }
    EXPECT_EQ(failure("/name"),
              (std::pair{bad_input,
                         "dataset '/name' in " + quoted() +
                             " holds text; expected integers or floating-point numbers of at most 8 bytes"}));
}

TEST_F(ReadDataset, refuses_links_that_are_not_hard) {
    {
        const hdf5::Handle open = create_file(file);
        add_dataset(open, "image", H5T_STD_U8LE, {2, 3}, six_values);
        H5Lcreate_soft("/image", open, "soft", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("/etc/passwd", "/", open, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    }
    EXPECT_EQ(failure("/soft"),
              (std::pair{bad_input, "'/soft' in " + quoted() +
                                        " is a soft link, but perdure follows only hard links; name the "
                                        "dataset that it leads to, or copy that dataset into the file"}));
    EXPECT_EQ(failure("/elsewhere/x"),
              (std::pair{bad_input, "'/elsewhere' in " + quoted() +
                                        " is an external link, but perdure follows only hard links; name the "
                                        "dataset that it leads to, or copy that dataset into the file"}));
}

TEST_F(ReadDataset, refuses_values_kept_in_other_files) {
    {
        const hdf5::Handle open = create_file(file);
        const std::array<hsize_t, 2> shape{2, 3};
        const hdf5::Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose, "make a space");
        const hdf5::Handle dataset(H5Dcreate2(open, "outside", H5T_STD_U8LE, space, H5P_DEFAULT,
                                              external_storage("/etc/hostname", 6), H5P_DEFAULT),
                                   H5Dclose, "create");
        add_virtual_dataset(open, "virtual", folder / "other.h5");
    }
    EXPECT_EQ(failure("/outside"),
              (std::pair{bad_input,
                         "dataset '/outside' in " + quoted() +
                             " stores its values in another file (external storage); copy it to an ordinary "
                             "dataset"}));
    EXPECT_EQ(
        failure("/virtual"),
        (std::pair{
            bad_input,
            "dataset '/virtual' in " + quoted() +
                " is virtual, that is, its values are in other files; copy it to an ordinary dataset"}));
}

TEST_F(ReadDataset, refuses_what_is_not_hdf5) {
    write_bytes(file, "title: not HDF5\n");
    EXPECT_EQ(failure("/image"), (std::pair{input_output, quoted() + " is not an HDF5 file"}));
    write_bytes(file, "");
    EXPECT_EQ(failure("/image").first, input_output);
    file = folder.path();
    EXPECT_EQ(failure("/image"), (std::pair{input_output, quoted() + " is a folder; expected a file"}));
}

TEST_F(ReadDataset, notices_truncation_wherever_it_falls) {
    write(H5T_STD_U8LE);
    const std::string whole = bytes_of(file);
    for (const std::size_t size : {std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
        write_bytes(file, whole.substr(0, size));
        EXPECT_EQ(failure("/image").first, input_output) << size;
    }
}

TEST_F(ReadDataset, notices_a_flipped_bit_in_a_chunk) {
    add_compressed_noise(create_file(file));
    ASSERT_EQ(read_dataset(file, "/noise", {64, 64, 16}).values.size(), 65536U);
    const std::string whole = bytes_of(file);
    for (int part = 1; part < 10; ++part) {
        std::string damaged = whole;
        damaged[whole.size() / 4 + part * whole.size() / 20] ^= 4;
        write_bytes(file, damaged);
        EXPECT_EQ(failure("/noise", {64, 64, 16}).first, input_output) << part;
    }
}

}  // namespace
}  // namespace perdure::tests::read_dataset_test
