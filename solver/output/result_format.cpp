#include "solver/output/result_format.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "solver/formats.hpp"
#include "solver/version.hpp"

namespace perdure {

std::string later_format(const nlohmann::ordered_json &contents) {
    const std::int64_t format = contents.value("format_version", std::int64_t{1});
    if (format <= result_format) {
        return "";
    }
    return fmt::format(
        "'{}' has result format {} and was written by {}, but perdure {} reads formats up to {} only; use "
        "that version or a later one",
        contents.value("file", ""), format, contents.value("source", "another program"), version(),
        result_format);
}

}  // namespace perdure
