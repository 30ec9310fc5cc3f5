// Case files: load_cases() with overrides. Input: the text of a case; lines `#set KEY=VALUE` behind it are overrides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "solver/case_file/config.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/starting_cases.hpp"
#include "solver/case_file/sweep.hpp"
#include "solver/case_file/yaml_text.hpp"
#include "solver/failure.hpp"
#include "tests/fuzz/scratch_folder.hpp"

namespace {

using namespace perdure;

constexpr std::size_t most_members = 50;  // each member is read like a case of its own

std::optional<YamlNode> parse(const std::string &text) {
    Findings findings("", {});
    return parse_yaml(
        text, "", [](std::size_t, std::size_t) { return TextPosition{}; }, findings);
}

std::vector<std::string> overrides_of(const std::string &text) {
    const std::string mark = "#set ";
    std::vector<std::string> overrides;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        at += mark.size();
        overrides.push_back(text.substr(at, text.find('\n', at) - at));
    }
    return overrides;
}

[[noreturn]] void report(const std::string &what, const std::string &text) {
    fmt::print(stderr, "{}:\n{}\n", what, text);
    std::abort();
}

/// `as_read` is what tells one case from another: it must read as the same tree.
void check_as_read(const Config &config) {
    const auto tree = parse(config.as_read);
    if (!tree || flow_text(*tree) != config.as_read) {
        report("as_read reads back as another case", config.as_read);
    }
}

void check_failure(const Failure &failure) {
    constexpr std::array codes{ExitCode::case_or_usage, ExitCode::bad_input,
                               ExitCode::input_output};  // without a shape a grid has that of a dataset
    if (std::ranges::find(codes, failure.code()) == codes.end()) {
        report("a case file ends with an exit code that is not of case files", failure.what());
    }
    for (const Diagnostic &diagnostic : failure.diagnostics()) {
        to_text(diagnostic);
    }
}

bool has_large_sweep(const std::string &text, const std::vector<std::string> &overrides) {
    if (text.find("sweep") == std::string::npos) {
        return false;
    }
    auto root = parse(text);
    Findings findings("", {});
    if (!root) {
        return false;
    }
    apply_overrides(*root, overrides, findings);
    return take_sweep(*root, {}, findings).size() > most_members;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    const auto overrides = overrides_of(text);
    if (has_large_sweep(text, overrides)) {
        return -1;
    }
    const auto path = fuzz::put_file("case.yaml", {data, size});
    try {
        for (const Config &config : load_cases(path, overrides)) {
            check_as_read(config);
        }
        load_config(path, overrides);
    } catch (const Failure &failure) {
        check_failure(failure);
    }
    return 0;
}

extern "C" int LLVMFuzzerInitialize(int * /*argc*/, char *** /*argv*/) {
    for (const std::string &text : {starting_case(), starting_effective_case(), starting_heat_case(),
                                    starting_system_case(), starting_wave_case()}) {
        const auto path =
            fuzz::put_file("case.yaml", {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
        load_config(path);  // throws when the program refuses what it gives users to start from
    }
    return 0;
}
