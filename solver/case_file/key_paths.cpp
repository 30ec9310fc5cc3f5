// Paths of keys, as a case has them, and the rows of the table that list them.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/sweep_keys.hpp"

namespace perdure {
namespace {

bool is_side(std::string_view name) {
    return name.size() == 2 && (name[0] >= 'x' && name[0] <= 'z') && (name[1] == '-' || name[1] == '+');
}

/// Null where there is none.
const CaseKey *find_key(std::string_view path) {
    const auto found = std::ranges::find(case_keys(), path, &CaseKey::path);
    return found == case_keys().end() ? nullptr : &*found;
}

/// Parts of a path, without the indices of lists; sides by their common name.
std::vector<std::string> parts_of(const std::string &path) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        std::string part = path.substr(begin, end - begin);
        part.resize(std::min(part.find('['), part.size()));
        parts.push_back(is_side(part) ? "SIDE" : part);
        begin = end + 1;
    }
    return parts;
}

/// Without what a system names itself: problem.let.r is listed as problem.let, a side of a field as a side.
std::vector<std::string> without_names(std::vector<std::string> parts) {
    constexpr std::array named{"equations", "let", "coefficients"};
    if (parts.size() > 3 && parts[0] == "problem" && parts[1] == "fields" && parts[3] == "boundary") {
        parts.erase(parts.begin(), parts.begin() + (parts.size() > 4 ? 3 : 0));
    }
    if (parts.size() > 2 && parts[0] == "boundary" && parts[1] == "all") {
        parts[1] = "SIDE";
    }
    if (parts.size() > 2 && parts[0] == "problem" && (parts[1] == "parameters" || parts[1] == "tables")) {
        parts[2] = "NAME";
    }
    if (parts.size() > 2 && parts[0] == "watch") {
        parts[2] = "NAME";
        parts.resize(
            std::min(parts.size(), std::size_t{4}));  // of ends of lines and named formulas no more is listed
    }
    if (is_of_swept_range(parts)) {
        return {"sweep", "NAME", parts.back()};
    }
    if (parts.size() < 3 || parts[0] != "problem") {
        return parts;
    }
    if (std::find(named.begin(), named.end(), parts[1]) != named.end()) {
        parts.erase(parts.begin() + 2);
    } else if (parts[1] == "fields") {
        parts[2] = "FIELD";
    }
    return parts;
}

bool is_list_of_words(std::string_view takes) {
    return takes.find(" or ") != std::string_view::npos && takes.find("number") == std::string_view::npos &&
           takes.find("list") == std::string_view::npos && takes.find("map") == std::string_view::npos;
}

std::string comment_on(const std::string &path) {
    const CaseKey *const key = find_key(path);
    if (key == nullptr) {
        throw std::logic_error("there is no key " + path);
    }
    return is_list_of_words(key->takes) ? fmt::format("# {} ({})", key->meaning, key->takes)
                                        : fmt::format("# {}", key->meaning);
}

}  // namespace

std::string listed_form(const std::string &path) {
    const std::vector<std::string> parts = without_names(parts_of(path));
    std::string form = fmt::format("{}", fmt::join(parts, "."));
    if (find_key(form) == nullptr) {
        form = "VALUE." + parts.back();
    }
    return find_key(form) != nullptr ? form : "";
}

std::string with_comments(const std::string &text) {
    const std::string mark = "#@ ";
    std::string filled;
    std::size_t done = 0;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, done)) {
        const std::size_t end = text.find('\n', at);
        filled +=
            text.substr(done, at - done) + comment_on(text.substr(at + mark.size(), end - at - mark.size()));
        done = end;
    }
    return filled + text.substr(done);
}

}  // namespace perdure
