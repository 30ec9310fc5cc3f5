// Chunks that are encoded here against what HDF5's own filters make of the same values.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/hdf5/encode_chunk.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/hdf5/write_chunks.hpp"
#include "solver/hdf5/write_objects.hpp"
#include "tests/solver/hdf5/read_back.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::write_chunks_test {
namespace {

using hdf5::Handle;
using Shape = std::vector<hsize_t>;

std::vector<unsigned char> noise(std::size_t bytes) {
    std::mt19937 generator(1);
    std::vector<unsigned char> values(bytes);
    for (unsigned char &value : values) {
        value = static_cast<unsigned char>(generator());
    }
    return values;
}

/// The checksum that HDF5 puts behind a chunk of these bytes.
std::uint32_t checksum_of_hdf5(const std::filesystem::path &path, const std::vector<unsigned char> &bytes) {
    std::filesystem::remove(path);
    const hdf5::File file = hdf5::create_file(path);
    const Shape shape{bytes.size()};
    const Handle space(H5Screate_simple(1, shape.data(), nullptr), H5Sclose, "write");
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "write");
    H5Pset_chunk(properties, 1, shape.data());
    H5Pset_fletcher32(properties);
    const Handle dataset(
        H5Dcreate2(file, "bytes", H5T_NATIVE_UCHAR, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
        "write");
    H5Dwrite(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    H5Dflush(dataset);
    std::vector<unsigned char> stored(bytes.size() + 4);
    const Shape origin{0};
    std::uint32_t filters = 0;
    EXPECT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, origin.data(), &filters, stored.data()), 0);
    std::uint32_t checksum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        checksum |= std::uint32_t{stored[bytes.size() + i]} << (8 * i);
    }
    return checksum;
}

TEST(WriteChunks, checksum_is_that_of_hdf5_for_every_length) {
    const TemporaryFolder folder;
    for (const std::size_t bytes :
         {1, 2, 3, 4, 7, 359, 360, 361, 719, 720, 721, 1441, 131071, 131073, 1000001}) {
        const auto values = noise(bytes);
        EXPECT_EQ(hdf5::fletcher32(values), checksum_of_hdf5(folder / "it.h5", values)) << bytes;
        const std::vector<unsigned char> ones(bytes, 0xff);  // sums that are 0 modulo 65535, and not 0
        EXPECT_EQ(hdf5::fletcher32(ones), checksum_of_hdf5(folder / "it.h5", ones)) << bytes;
    }
}

template <typename Number>
void write(const std::filesystem::path &path, const std::vector<Number> &values, const Shape &shape,
           const Shape &chunk, int level) {
    const Number fill = std::numeric_limits<Number>::quiet_NaN();
    const auto bytes = [](const Number *first) { return reinterpret_cast<const unsigned char *>(first); };
    std::filesystem::remove(path);
    hdf5::File file = hdf5::create_file(path);
    const int rank = static_cast<int>(shape.size());
    const Handle space(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose, "write");
    const Handle properties = hdf5::dataset_properties();
    H5Pset_chunk(properties, rank, chunk.data());
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 1);
    H5Pset_fletcher32(properties);
    H5Pset_fill_value(properties, hdf5::native_type<Number>(), &fill);
    Handle dataset(
        H5Dcreate2(file, "u", hdf5::native_type<Number>(), space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, "write");
    hdf5::write_chunks(
        dataset, {bytes(values.data()), sizeof(Number), shape, chunk, {bytes(&fill), sizeof(Number)}, level},
        "write");
    dataset.close("write");
    file.close("write");
}

/// The whole chunk at `origin` as the filters of HDF5 read it, beyond the end of the dataset too.
template <typename Number>
void expect_fill_beyond_the_end(const std::filesystem::path &path, const Shape &chunk, const Shape &shape) {
    const hdf5::File file = hdf5::open_own_file(path);
    const Handle dataset(H5Dopen2(file, "u", H5P_DEFAULT), H5Dclose, "read");
    Shape origin = shape;
    bool is_cut = false;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        origin[axis] = (shape[axis] - 1) / chunk[axis] * chunk[axis];
        is_cut = is_cut || shape[axis] % chunk[axis] != 0;
    }
    hsize_t stored = 0;
    H5Dget_chunk_storage_size(dataset, origin.data(), &stored);
    std::vector<unsigned char> raw(stored);
    std::uint32_t skipped = 0;
    ASSERT_GE(H5Dread_chunk(dataset, H5P_DEFAULT, origin.data(), &skipped, raw.data()), 0);
    EXPECT_EQ(skipped, 0U);

    // The same bytes as the only chunk of a dataset of whole chunks.
    const hdf5::File whole = hdf5::create_file(path.string() + ".whole");
    const Handle space(H5Screate_simple(static_cast<int>(chunk.size()), chunk.data(), nullptr), H5Sclose,
                       "read");
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "read");
    const Handle copy(
        H5Dcreate2(whole, "u", hdf5::native_type<Number>(), space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, "read");
    const Shape first(chunk.size(), 0);
    H5Dwrite_chunk(copy, H5P_DEFAULT, 0, first.data(), raw.size(), raw.data());
    std::size_t count = 1;
    for (const hsize_t side : chunk) {
        count *= side;
    }
    std::vector<Number> values(count);
    ASSERT_GE(H5Dread(copy, hdf5::native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    EXPECT_FALSE(std::isnan(values.front()));
    EXPECT_EQ(std::isnan(values.back()), is_cut);
    std::filesystem::remove(path.string() + ".whole");
}

template <typename Number>
void expect_round_trip(const Shape &shape, const Shape &chunk, int level) {
    const TemporaryFolder folder;
    std::size_t count = 1;
    for (const hsize_t side : shape) {
        count *= side;
    }
    std::vector<Number> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<Number>(i) + static_cast<Number>(0.125);
    }
    write(folder / "it.h5", values, shape, chunk, level);
    expect_fill_beyond_the_end<Number>(folder / "it.h5", chunk, shape);
    std::vector<Number> found(count);
    {
        const hdf5::File file = hdf5::open_own_file(folder / "it.h5");
        const Handle dataset(H5Dopen2(file, "u", H5P_DEFAULT), H5Dclose, "read");
        ASSERT_GE(H5Dread(dataset, hdf5::native_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()),
                  0);
    }
    EXPECT_EQ(found, values);
    write(folder / "again.h5", values, shape, chunk, level);
    EXPECT_EQ(bytes_of(folder / "it.h5"), bytes_of(folder / "again.h5")) << "whichever thread was faster";
}

TEST(WriteChunks, read_back_by_the_filters_of_hdf5) {
    const std::vector<std::pair<Shape, Shape>> shapes{{{1, 1}, {1, 1}},
                                                      {{3, 5}, {3, 5}},
                                                      {{64, 64}, {16, 64}},
                                                      {{37, 41}, {10, 13}},
                                                      {{7, 9, 11}, {7, 9, 11}},
                                                      {{17, 19, 23}, {5, 6, 7}},
                                                      {{5, 7, 9, 3}, {2, 3, 4, 3}},
                                                      {{101, 1}, {10, 1}},
                                                      {{33, 31, 3}, {8, 31, 2}}};
    for (const auto &[shape, chunk] : shapes) {
        for (const int level : {1, 9}) {
            SCOPED_TRACE(testing::PrintToString(shape) + ", level " + std::to_string(level));
            expect_round_trip<float>(shape, chunk, level);
            expect_round_trip<double>(shape, chunk, level);
        }
    }
}

TEST(WriteChunks, noise_that_does_not_shrink_is_read_back) {
    const TemporaryFolder folder;
    const auto bytes = noise(8 * 40 * 40);
    std::vector<double> values(40 * 40);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::ldexp(bytes[8 * i] * 256 + bytes[8 * i + 1], bytes[8 * i + 2]) / 3.0;
    }
    write(folder / "it.h5", values, {40, 40}, {7, 9}, 9);
    const hdf5::File file = hdf5::open_own_file(folder / "it.h5");
    const Handle dataset(H5Dopen2(file, "u", H5P_DEFAULT), H5Dclose, "read");
    std::vector<double> found(values.size());
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    EXPECT_EQ(found, values);
}

}  // namespace
}  // namespace perdure::tests::write_chunks_test
