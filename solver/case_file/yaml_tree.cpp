#include "solver/case_file/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "solver/case_file/yaml_builder.hpp"

namespace perdure {
namespace {

constexpr std::size_t longest_quotation = 40;  // bytes of a text that a message repeats

bool indented_with_tab(const std::string &text, std::size_t byte) {
    const std::size_t break_before = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
    const std::size_t line = break_before == std::string::npos ? 0 : break_before + 1;
    const std::size_t content = text.find_first_not_of(" \t", line);
    return content != std::string::npos && text.substr(line, content - line).find('\t') != std::string::npos;
}

void report_syntax_error(const YAML::ParserException &error, const std::string &text,
                         const YamlBuilder &builder, const YamlPlace &place, Findings &findings) {
    const auto byte = static_cast<std::size_t>(std::max(error.mark.pos, 0));
    std::string message = "YAML syntax: " + error.msg;
    const auto open = builder.open_collection();
    if (open && error.msg.starts_with("end of") && open->line > 0) {
        message += fmt::format("; it begins in line {}, column {}", open->line, open->column);
    }
    if (indented_with_tab(text, byte)) {
        message += "; indent with spaces, because YAML allows no tabs there";
    }
    findings.error(place(static_cast<std::size_t>(std::max(error.mark.line, 0)),
                         static_cast<std::size_t>(std::max(error.mark.column, 0))),
                   message);
}

/// Feeds the parser's events to the builder. False after an error that ends reading.
bool run_parser(const std::string &text, const YamlPlace &place, YamlBuilder &builder, Findings &findings) {
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
        return true;
    } catch (const YamlRefused &refused) {
        findings.error(refused.position, refused.message);
    } catch (const YAML::DeepRecursion &error) {
        findings.error(
            place(static_cast<std::size_t>(error.mark.line), static_cast<std::size_t>(error.mark.column)),
            "lists and maps are nested too deeply for a case file");
    } catch (const YAML::ParserException &error) {
        report_syntax_error(error, text, builder, place, findings);
    }
    return false;
}

}  // namespace

const YamlNode *YamlNode::find(const std::string &key) const {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto &e) { return e.key == key; });
    return found == entries.end() ? nullptr : &found->value;
}

YamlEntry *YamlNode::find_entry(const std::string &key) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto &e) { return e.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

std::optional<YamlNode> parse_yaml(const std::string &text, const std::string &path, const YamlPlace &place,
                                   Findings &findings) {
    YamlBuilder builder(text, path, place, findings);
    if (!run_parser(text, place, builder, findings) || !builder.has_document()) {
        return std::nullopt;
    }
    return std::move(builder.root());
}

std::string shorten(const std::string &text) {
    if (text.size() <= longest_quotation) {
        return text;
    }
    std::size_t end = longest_quotation;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "...";
}

std::string describe(const YamlNode &node) {
    switch (node.kind) {
        case YamlNode::Kind::null:
            return "nothing";
        case YamlNode::Kind::list:
            return node.items.empty() ? "an empty list" : "a list";
        case YamlNode::Kind::map:
            return node.entries.empty() ? "an empty map" : "a map";
        case YamlNode::Kind::scalar:
            break;
    }
    const std::string text = shorten(node.text);
    return node.plain ? "'" + text + "'" : "the quoted text \"" + text + "\"";
}

std::string join_path(const std::string &parent, const std::string &key) {
    return parent.empty() ? key : parent + "." + key;
}

}  // namespace perdure
