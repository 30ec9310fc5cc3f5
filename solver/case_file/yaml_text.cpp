#include "solver/case_file/yaml_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "solver/output/json_text.hpp"

namespace perdure {
namespace {

/// Words that stand for themselves inside [ ] and { }.
bool is_bare(const std::string &text) {
    return !text.empty() && text.find_first_of(",[]{}:#&*!|>'\"%@`?\n\t") == std::string::npos &&
           text.front() != ' ' && text.back() != ' ' && text != "-";
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
