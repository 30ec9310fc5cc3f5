// Reads words of a command line, and suggests the nearest valid word where one is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "solver/case_file/config.hpp"

namespace perdure::commands {

/// "; did you mean 'x'?", or empty when none of `known` is close to `word`.
std::string did_you_mean(const std::string &word, const std::vector<std::string> &known);

/// The words that an option takes, as its type in the help: {a,b,c}. Completions are made of it.
std::string choices(const std::vector<std::string> &words);

/// The words of such a type; none of another.
std::vector<std::string> words_of_choices(const std::string &type);

template <HasNames Choice, std::size_t count>
std::string choices(const std::array<Choice, count> &values) {
    std::vector<std::string> words;
    for (const Choice value : values) {
        words.emplace_back(name(value));
    }
    return choices(words);
}

template <HasNames Choice>
std::string choices() {
    return choices(all_values<Choice>());
}

/// Adds --set, one KEY.PATH=VALUE each time; `example`: of one, for the help.
void add_overrides(CLI::App &command, std::vector<std::string> &overrides, const std::string &example);

/// Largest number that --device takes.
inline constexpr int most_devices = 1023;

/// Checks that an option has a whole number in a range.
CLI::Validator whole_number(std::int64_t from, std::int64_t to);

/// Checks that an option has a number > 0.
CLI::Validator number_above_zero();

/// The index of `word` among `known`. Throws Failure(case_or_usage) with the closest one.
std::size_t index_of(const std::string &option, const std::string &word,
                     const std::vector<std::string> &known);

/// One of `choices` by its name. Throws the same.
template <HasNames Choice, std::size_t count>
Choice value_of(const std::string &option, const std::string &word,
                const std::array<Choice, count> &choices) {
    std::vector<std::string> known;
    for (const Choice choice : choices) {
        known.emplace_back(name(choice));
    }
    return choices[index_of(option, word, known)];
}

/// The word of --backend. Throws Failure(case_or_usage).
BackendChoice backend_of(const std::string &word);

}  // namespace perdure::commands
