#include "solver/commands/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/other_words.hpp"

namespace perdure::commands {

std::string did_you_mean(const std::string &word, const std::vector<std::string> &known) {
    const std::string near = meant(word, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

std::string choices(const std::vector<std::string> &words) {
    return fmt::format("{{{}}}", fmt::join(words, ","));
}

std::vector<std::string> words_of_choices(const std::string &type) {
    const std::size_t begin = type.find('{'), end = type.find('}');
    return begin == std::string::npos || end < begin
               ? std::vector<std::string>()
               : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

void add_overrides(CLI::App &command, std::vector<std::string> &overrides, const std::string &example) {
    command.add_option("--set", overrides, "override a key of the case, e.g. --set " + example)
        ->type_name("KEY.PATH=VALUE")
        ->take_all()
        ->allow_extra_args(false);  // a word behind it is a case
}

CLI::Validator whole_number(std::int64_t from, std::int64_t to) {
    return {[from, to](std::string &word) -> std::string {
                std::int64_t number = 0;
                const char *const end = word.data() + word.size();
                const auto read = std::from_chars(word.data(), end, number);
                if (read.ec == std::errc() && read.ptr == end && number >= from && number <= to) {
                    return "";
                }
                return fmt::format("expected a whole number from {} to {}, found '{}'", from, to, word);
            },
            ""};
}

CLI::Validator number_above_zero() {
    return {[](std::string &word) -> std::string {
                double number = 0.0;
                const char *const end = word.data() + word.size();
                const auto read = std::from_chars(word.data(), end, number);
                const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(number);
                return is_number && number > 0.0 ? ""
                                                 : fmt::format("expected a number > 0, found '{}'", word);
            },
            ""};
}

std::size_t index_of(const std::string &option, const std::string &word,
                     const std::vector<std::string> &known) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
        throw Failure(ExitCode::case_or_usage, fmt::format("{}: expected {} or {}, found '{}'{}", option,
                                                           fmt::join(known.begin(), known.end() - 1, ", "),
                                                           known.back(), word, did_you_mean(word, known)));
    }
    return static_cast<std::size_t>(found - known.begin());
}

BackendChoice backend_of(const std::string &word) {
    return value_of("--backend", word, all_values<BackendChoice>());
}

}  // namespace perdure::commands
