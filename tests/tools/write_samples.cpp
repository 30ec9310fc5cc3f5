// Writes outputs for tests of other readers: write_samples FOLDER.
#include <cstdio>

#include "tests/solver/hdf5/sample_run.hpp"

namespace {

template <typename Number>
void write(const std::filesystem::path &folder, const char *name, int dimensions) {
    auto run = perdure::tests::sample_run<Number>(folder, dimensions);
    run.config.output.name = name;
    perdure::tests::write_result(run);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: write_samples FOLDER\n", stderr);
        return 2;
    }
    write<float>(argv[1], "float32_2d", 2);
    write<double>(argv[1], "float64_2d", 2);
    write<float>(argv[1], "float32_3d", 3);
    write<double>(argv[1], "float64_3d", 3);
    return 0;
}
