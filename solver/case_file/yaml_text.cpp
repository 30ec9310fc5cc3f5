#include "solver/case_file/yaml_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "solver/output/json_text.hpp"

namespace perdure {
namespace {

/// Words that are known to stand for themselves inside [ ] and { }: all others are quoted. A later program must find the case of a
/// result by the same text, so what was bare stays bare.
bool is_bare(const std::string &text) {
    constexpr std::string_view punctuation = "_./+-()=^;~$\\ ";
    const auto is_known = [&](char letter) {
        const auto byte = static_cast<unsigned char>(letter);
        return std::isalnum(byte) != 0 || punctuation.find(letter) != std::string_view::npos || byte >= 0x80;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_known) && text.front() != ' ' &&
           text.back() != ' ' && text != "-" && !text.starts_with("- ");
}

std::string quoted(const std::string &text) {
    return json_text(nlohmann::json(text));
}

}  // namespace

std::string flow_text(const YamlNode &node) {
    std::vector<std::string> parts;
    switch (node.kind) {
        case YamlNode::Kind::null:
            return "~";
        case YamlNode::Kind::scalar:
            return node.plain && is_bare(node.text) ? node.text : quoted(node.text);
        case YamlNode::Kind::list:
            for (const YamlNode &item : node.items) {
                parts.push_back(flow_text(item));
            }
            return fmt::format("[{}]", fmt::join(parts, ", "));
        case YamlNode::Kind::map:
            break;
    }
    for (const YamlEntry &entry : node.entries) {
        const std::string key = entry.plain_key && is_bare(entry.key) ? entry.key : quoted(entry.key);
        parts.push_back(fmt::format("{}: {}", key, flow_text(entry.value)));
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

}  // namespace perdure
