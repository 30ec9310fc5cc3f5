// Results: `perdure info` as text and JSON, find_earlier_run() and the summary of a batch that skips what has ended.
// Input: a recipe (result_recipe.hpp) and damages (damage.hpp); or an HDF5 file as it is.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "solver/failure.hpp"
#include "solver/hdf5/summary_file.hpp"
#include "solver/output/earlier_run.hpp"
#include "solver/output/solution.hpp"
#include "solver/output/summary.hpp"
#include "tests/fuzz/result_recipe.hpp"
#include "tests/fuzz/scratch_folder.hpp"

namespace {

using namespace perdure;

constexpr std::size_t most_damages = 3;
constexpr std::size_t most_kept = 512;

const fuzz::WholeFile &result_of(const std::vector<std::uint8_t> &recipe) {
    static std::map<std::vector<std::uint8_t>, fuzz::WholeFile> kept;
    const auto found = kept.find(recipe);
    if (found != kept.end()) {
        return found->second;
    }
    if (kept.size() >= most_kept) {
        kept.clear();
    }
    return kept.emplace(recipe, fuzz::WholeFile(fuzz::make_result(fuzz::Bytes(recipe)))).first->second;
}

EarlierRun earlier_run() {
    Config config;
    config.path = fuzz::scratch_folder() / "case.yaml";
    config.as_read = fuzz::case_as_read;
    config.output.directory = fuzz::scratch_folder();
    return find_earlier_run(config);
}

/// The file stands under the name of an answer and that of a snapshot.
std::filesystem::path put_result(std::span<const std::uint8_t> bytes) {
    static bool linked = false;
    auto path = fuzz::put_file("case_000060.vtkhdf", bytes);
    if (!linked) {
        std::filesystem::create_hard_link(path, fuzz::scratch_folder() / "case.vtkhdf");
        linked = true;
    }
    return path;
}

EarlierRun look_at(std::span<const std::uint8_t> bytes) {
    const auto path = put_result(bytes);
    try {
        describe(describe_file(path));
    } catch (const Failure &failure) {
        if (failure.code() != ExitCode::input_output && failure.code() != ExitCode::bad_input) {
            throw;
        }
    }
    EarlierRun earlier = earlier_run();
    if (earlier.state == EarlierRun::State::finished) {
        SummaryRow row;
        row.case_file = "case.yaml";
        row.outcome = earlier.outcome;
        row.exit_code = static_cast<int>(earlier.code);
        row.skipped = true;
        row.report = earlier.report;
        row.output = earlier.file.string();
        const std::vector<SummaryRow> rows(1, row);
        summary_text(summary_columns(rows));
        std::string own;
        const auto table = [&]() -> const std::vector<SummaryRow> & { return rows; };
        for (const bool kept : {false, true}) {
            write_summary(fuzz::scratch_folder() / "table", table, own, kept);
        }
    }
    return earlier;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::span<const std::uint8_t> input(data, size);
    constexpr std::array<std::uint8_t, 4> signature{0x89, 'H', 'D', 'F'};
    if (size > signature.size() && std::equal(signature.begin(), signature.end(), data)) {
        look_at(input);
        return 0;
    }
    fuzz::Bytes bytes(input);
    std::vector<std::uint8_t> recipe(fuzz::result_recipe_bytes);
    std::generate(recipe.begin(), recipe.end(), [&] { return bytes.byte(); });
    look_at(fuzz::damaged(result_of(recipe), bytes, most_damages));
    return 0;
}

extern "C" int LLVMFuzzerInitialize(int * /*argc*/, char *** /*argv*/) {
    const EarlierRun earlier = look_at(fuzz::make_result(fuzz::Bytes({})));
    if (earlier.state != EarlierRun::State::finished) {
        std::fprintf(stderr, "a whole result is not found: %s\n", earlier.why.c_str());
        std::abort();
    }
    return 0;
}
