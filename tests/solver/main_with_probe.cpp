// main() of the tests that read HDF5 files: these are probed by a second process of the same program.
#include <gtest/gtest.h>

#include "solver/hdf5/probe.hpp"

int main(int argc, char **argv) {
    if (const auto status = perdure::probe_main(argc, argv)) {
        return *status;
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
