// Datasets that are large enough for several threads to read them.
#include <gtest/gtest.h>

#include <algorithm>

#include "solver/hdf5/read_dataset.hpp"
#include "tests/solver/hdf5/foreign_files.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::stored_values_test {
namespace {

using Values = std::vector<double>;
using Labels = std::vector<std::int64_t>;

class StoredValues : public testing::Test {
  protected:
    TemporaryFolder folder;
    std::filesystem::path file = folder / "large.h5";
};

/// A dataset that several threads read, in chunks unless `chunk` is empty.
void add_large(hid_t file, const char *name, hid_t type, const std::vector<hsize_t> &shape,
               const std::vector<hsize_t> &chunk, bool filtered, const Values &values) {
    const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make properties");
    if (!chunk.empty()) {
        H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    }
    if (filtered) {
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, 1);
        H5Pset_fletcher32(properties);
    }
    const hdf5::Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                             H5Sclose, "make a space");
    const hdf5::Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                               H5Dclose, "create");
    hdf5::check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
}

TEST_F(StoredValues, are_read_by_all_cores_in_every_layout) {
    const std::vector<hsize_t> shape{71, 43, 67};
    const std::vector<std::int64_t> expected{71, 43, 67};
    Values values(71 * 43 * 67);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i * 7919 % 251);
    }
    for (const hsize_t userblock : {0, 512}) {
        for (const hid_t type : {H5T_STD_U8LE, H5T_STD_I16LE, H5T_STD_U32LE, H5T_STD_I64LE, H5T_IEEE_F32LE,
                                 H5T_IEEE_F64LE, H5T_IEEE_F64BE}) {
            {
                const hdf5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make properties");
                H5Pset_userblock(creation, userblock);
                const hdf5::Handle open(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT),
                                        H5Fclose, "create");
                add_large(open, "whole", type, shape, {}, false, values);
                add_large(open, "chunks", type, shape, {20, 43, 16}, false, values);
                add_large(open, "filtered", type, shape, {9, 40, 60}, true, values);
            }
            for (const char *name : {"/whole", "/chunks", "/filtered"}) {
                EXPECT_EQ(read_dataset(file, name, expected).values, values)
                    << name << ", user block of " << userblock;
            }
        }
    }
}

TEST_F(StoredValues, are_labels_for_all_cores) {
    const std::vector<hsize_t> shape{300, 300};
    Values values(300 * 300);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i % 251) - 100.0;
    }
    {
        const hdf5::Handle open = create_file(file);
        add_large(open, "whole", H5T_STD_I32LE, shape, {}, false, values);
        add_large(open, "filtered", H5T_STD_I16LE, shape, {64, 64}, true, values);
    }
    for (const char *name : {"/whole", "/filtered"}) {
        Labels labels(values.size(), 1000);
        read_labels(file, name, {300, 300}, [&](std::span<const std::int64_t> part, std::int64_t first) {
            std::copy(part.begin(), part.end(), labels.begin() + first);
        });
        EXPECT_EQ(Values(labels.begin(), labels.end()), values) << name;
    }
}

}  // namespace
}  // namespace perdure::tests::stored_values_test
