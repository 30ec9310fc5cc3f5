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

/// A field of 3D vectors in 2 x 2 x 1 chunks, of which the last along an axis is cut, or of numbers in 2D; value i is i + 1/8.
template <typename Number>
void write_chunks(const std::filesystem::path &folder, const char *name, bool vectors,
                  perdure::Compression compression) {
    auto run = perdure::tests::sample_run<Number>(folder, vectors ? 3 : 2);
    run.config.output.name = name;
    run.config.output.compression = compression;
    run.grid.cells =
        vectors ? std::array<std::int64_t, 3>{61, 83, 29} : std::array<std::int64_t, 3>{701, 907, 1};
    perdure::FieldResult &field = run.solution.fields.front();
    field.components = vectors ? 3 : 1;
    std::vector<Number> values(static_cast<std::size_t>(run.grid.count() * field.components));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<Number>(i) + Number(0.125);
    }
    field.values = values;
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
    write_chunks<float>(argv[1], "chunks_float32_2d", false, perdure::Compression::fast);
    write_chunks<double>(argv[1], "chunks_float64_2d", false, perdure::Compression::small);
    write_chunks<float>(argv[1], "chunks_float32_3d", true, perdure::Compression::small);
    write_chunks<double>(argv[1], "chunks_float64_3d", true, perdure::Compression::fast);
    return 0;
}
