// HDF5 inputs: check_dataset() for numbers and labels and describe_contents(), as the helper process calls them.
// Input: a way to read, a recipe (hdf5_recipe.hpp) and damages (damage.hpp); or an HDF5 file as it is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "solver/failure.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/read_dataset.hpp"
#include "tests/fuzz/hdf5_recipe.hpp"
#include "tests/fuzz/scratch_folder.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace perdure;

constexpr std::size_t most_damages = 4;
constexpr std::size_t most_kept = 512;

/// Making a file takes longer than reading it: the last ones are kept.
const fuzz::Sample &sample_of(const std::vector<std::uint8_t> &recipe) {
    static std::map<std::vector<std::uint8_t>, fuzz::Sample> kept;
    const auto found = kept.find(recipe);
    if (found != kept.end()) {
        return found->second;
    }
    if (kept.size() >= most_kept) {
        kept.clear();
    }
    return kept.emplace(recipe, fuzz::make_sample(fuzz::Bytes(recipe))).first->second;
}

void read(const std::filesystem::path &file, const std::string &dataset,
          const std::vector<std::int64_t> &shape, std::size_t way) {
    try {
        if (way == 0) {
            read_dataset(file, dataset, shape);
        } else if (way == 1) {
            read_labels(file, dataset, shape, [](std::span<const std::int64_t>, std::int64_t) {});
        } else {
            hdf5::ProbeArguments arguments;
            arguments.request = hdf5::ProbeRequest::description;
            arguments.file = file;
            hdf5::probe(arguments);
        }
    } catch (const Failure &failure) {
        if (failure.code() != ExitCode::bad_input && failure.code() != ExitCode::input_output) {
            throw;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::span<const std::uint8_t> input(data, size);
    constexpr std::array<std::uint8_t, 4> signature{0x89, 'H', 'D', 'F'};
    if (size > signature.size() && std::equal(signature.begin(), signature.end(), data)) {
        const auto path = fuzz::put_file("input.h5", input);
        for (const std::size_t way : {0, 1, 2}) {
            read(path, "/image", {2, 3}, way);
        }
        return 0;
    }
    fuzz::Bytes bytes(input);
    const std::size_t way = bytes.byte();
    std::vector<std::uint8_t> recipe(fuzz::recipe_bytes);
    std::generate(recipe.begin(), recipe.end(), [&] { return bytes.byte(); });
    const fuzz::Sample &sample = sample_of(recipe);
    auto shape = sample.shape;
    if (way >= 192) {
        std::reverse(shape.begin(), shape.end());
    }
    read(fuzz::put_file("input.h5", fuzz::damaged(sample.file, bytes, most_damages)), sample.dataset, shape,
         way % 3);
    return 0;
}
