// Damaged case files either load or fail with a message: nothing else.
#include <random>

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::mutation_test {
namespace {

using Mutation = CaseFileTest;

constexpr const char *valid_case = R"(title: "Mutated \u00e9"
problem:
  type: heat
  a: &k {file: d.h5, dataset: /a, labels: {0: 1.0, 1: 0.0}}
  f: {expression: 'sin(x)', factor: cos(t)}
  initial: >
    x
    + y
grid: {shape: [8, 9, 10], spacing: [0.1, 0.2, 0.3], origin: -1.0}
boundary:
  x-: {exchange: {coefficient: 5, ambient: *k}}
  y-: periodic
  y+: periodic
solver: {check_every: 5}
time: {end: 1.0, dt: auto, snapshots: [0.25, 0.5]}
execution: {backend: host, model: launches}
output:
  fields:
  - u
)";

std::string mutate(std::string text, std::mt19937 &random) {
    const std::string fragments = "{}[]:,-?&*!|>'\"%@#\n\t ~\\.019ae\xC3\x80\x04\xEF";
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const std::size_t edits = 1 + below(3);
    for (std::size_t edit = 0; edit < edits && !text.empty(); ++edit) {
        const std::size_t at = below(text.size());
        switch (below(5)) {
            case 0:
                text[at] = fragments[below(fragments.size())];
                break;
            case 1:
                text.insert(at, 1, fragments[below(fragments.size())]);
                break;
            case 2:
                text.erase(at, 1 + below(8));
                break;
            case 3:
                text.insert(below(text.size()), text.substr(at, 1 + below(30)));
                break;
            default:
                text[at] = static_cast<char>(below(256));
                break;
        }
    }
    return text;
}

TEST_F(Mutation, LoadsOrFailsWithAMessage) {
    const auto path = write(valid_case);
    ASSERT_EQ(load_config(path).sides[0].values.labels.size(), 2);
    std::mt19937 random(20251120);
    int loaded = 0;
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::string text = mutate(valid_case, random);
        try {
            load(text);
            ++loaded;
        } catch (const Failure &failure) {
            ++refused;
            ASSERT_TRUE(failure.code() == ExitCode::case_or_usage ||
                        failure.code() == ExitCode::input_output)  // without a shape it is that of the data
                << text;
            ASSERT_FALSE(failure.diagnostics().empty()) << text;
        }
    }
    EXPECT_GT(loaded, 50);
    EXPECT_GT(refused, 1000);
}

TEST_F(Mutation, TruncatedFilesLoadOrFail) {
    const std::string text = valid_case;
    for (std::size_t length = 0; length < text.size(); ++length) {
        try {
            load(text.substr(0, length));
        } catch (const Failure &failure) {
            ASSERT_FALSE(failure.diagnostics().empty()) << length;
        }
    }
}

TEST_F(Mutation, MutatedOverridesLoadOrFail) {
    std::mt19937 random(7);
    const auto path = write(valid_case);
    for (int i = 0; i < 1000; ++i) {
        const std::string text = mutate("boundary.x-.exchange={coefficient: [1, 2], ambient: 'x'}", random);
        try {
            load_config(path, {text});
        } catch (const Failure &failure) {
            ASSERT_FALSE(failure.diagnostics().empty()) << text;
        }
    }
}

}  // namespace
}  // namespace perdure::mutation_test
