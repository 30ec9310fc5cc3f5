// Lists and numbers in sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perdure {

/// "a, b or c" with last = "or". `items`: at least one.
inline std::string in_words(const std::vector<std::string> &items, std::string_view last) {
    return items.size() == 1
               ? items.front()
               : fmt::format("{} {} {}", fmt::join(items.begin(), items.end() - 1, ", "), last, items.back());
}

/// "1 case", "2 cases". `noun`: in the singular, with a plural in s.
template <typename Integer>
std::string count_of(Integer count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace perdure
