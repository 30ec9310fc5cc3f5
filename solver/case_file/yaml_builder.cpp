#include "solver/case_file/yaml_builder.hpp"

#include <fmt/format.h>

#include <utility>

#include "solver/case_file/case_text.hpp"

namespace perdure {
namespace {

constexpr std::size_t most_bytes = 4 * largest_case_file;  // of all scalars, those of aliases counted again

std::string describe_place(const TextPosition &position) {
    return position.line > 0 ? fmt::format("line {}, column {}", position.line, position.column)
                             : position.file;
}

[[noreturn]] void refuse_size(const TextPosition &position) {
    throw YamlRefused{position,
                      fmt::format("the file holds more than {} values or {} MiB of text up to here, counting "
                                  "aliases each time they are used; this is too large for a case file",
                                  most_yaml_nodes, most_bytes >> 20U)};
}

/// Whether the quoted scalar that starts at text[begin] has its closing quote.
bool quotes_close(const std::string &text, std::size_t begin) {
    const char quote = text[begin];
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (text[i] == quote) {
            return true;
        }
    }
    return false;
}

}  // namespace

YamlBuilder::YamlBuilder(const std::string &text, std::string path, const YamlPlace &place,
                         Findings &findings)
    : text_(text), path_(std::move(path)), place_(place), findings_(findings) {}

TextPosition YamlBuilder::place(const YAML::Mark &mark) const {
    return place_(static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column));
}

std::optional<TextPosition> YamlBuilder::open_collection() const {
    return open_.empty() ? std::nullopt : std::optional(open_.back().node.position);
}

std::string YamlBuilder::current_path() const {
    std::string path = path_;
    for (const OpenNode &open : open_) {
        if (open.node.kind == YamlNode::Kind::list) {
            path += fmt::format("[{}]", open.node.items.size());
        } else if (open.pending) {
            path = join_path(path, open.pending->key);
        }
    }
    return path;
}

/// Counts a node and all below it against the limits.
void YamlBuilder::charge(const YamlNode &node, const TextPosition &position) {
    ++nodes_;
    bytes_ += node.text.size();
    if (nodes_ > most_yaml_nodes || bytes_ > most_bytes) {
        refuse_size(position);
    }
    for (const YamlNode &item : node.items) {
        charge(item, position);
    }
    for (const YamlEntry &entry : node.entries) {
        bytes_ += entry.key.size();
        charge(entry.value, position);
    }
}

YamlNode YamlBuilder::start(YamlNode::Kind kind, const YAML::Mark &mark, const std::string &tag) {
    YamlNode node;
    node.kind = kind;
    node.position = place(mark);
    node.plain = tag != "!";
    if (!tag.empty() && tag != "?" && tag != "!") {
        findings_.error(node.position, "a tag such as '!!float' has no meaning in a case file; remove it");
    }
    return node;
}

void YamlBuilder::OnDocumentStart(const YAML::Mark &mark) {
    if (++documents_ == 1) {
        return;
    }
    const bool announced = text_.compare(static_cast<std::size_t>(mark.pos), 3, "---") == 0;
    throw YamlRefused{place(mark),
                      announced
                          ? "a second YAML document starts here, but a case file holds only one"
                          : "YAML syntax: this line does not fit the lines above it; check the indentation"};
}

void YamlBuilder::OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) {
    deliver(start(YamlNode::Kind::null, mark, ""), anchor);
}

void YamlBuilder::OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                           const std::string &value) {
    YamlNode node = start(YamlNode::Kind::scalar, mark, tag);
    node.text = value;
    if (!node.plain) {
        check_quotes(mark);
    }
    deliver(std::move(node), anchor);
}

/// yaml-cpp takes the end of the file for a missing closing quote.
void YamlBuilder::check_quotes(const YAML::Mark &mark) const {
    const auto begin = static_cast<std::size_t>(mark.pos);
    const bool quoted = begin < text_.size() && (text_[begin] == '"' || text_[begin] == '\'');
    if (quoted && !quotes_close(text_, begin)) {
        throw YamlRefused{place(mark), "YAML syntax: this quotation mark is never closed"};
    }
}

void YamlBuilder::OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
        findings_.error(place(mark), "an alias may not be used inside the value that it refers to");
        deliver(start(YamlNode::Kind::null, mark, ""), 0);
        return;
    }
    charge(found->second, place(mark));
    deliver(YamlNode(found->second), 0);
}

void YamlBuilder::OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value /*style*/) {
    open(YamlNode::Kind::list, mark, tag, anchor);
}

void YamlBuilder::OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
    open(YamlNode::Kind::map, mark, tag, anchor);
}

void YamlBuilder::OnSequenceEnd() {
    close();
}

void YamlBuilder::OnMapEnd() {
    close();
}

void YamlBuilder::open(YamlNode::Kind kind, const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor) {
    OpenNode open;
    open.node = start(kind, mark, tag);
    open.anchor = anchor;
    open_.push_back(std::move(open));
}

void YamlBuilder::close() {
    OpenNode closed = std::move(open_.back());
    open_.pop_back();
    deliver(std::move(closed.node), closed.anchor);
}

/// Puts a finished value where it belongs: root, list, key or value of a map.
void YamlBuilder::deliver(YamlNode node, YAML::anchor_t anchor) {
    if (++nodes_ > most_yaml_nodes) {
        refuse_size(node.position);
    }
    if (anchor != 0) {
        charge(node, node.position);
        anchors_[anchor] = node;
    }
    if (open_.empty()) {
        root_ = std::move(node);
        return;
    }
    OpenNode &parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::list) {
        parent.node.items.push_back(std::move(node));
    } else if (!parent.pending) {
        take_key(parent, node);
    } else {
        if (!parent.drop_value) {
            parent.pending->value = std::move(node);
            parent.node.entries.push_back(std::move(*parent.pending));
        }
        parent.pending.reset();
    }
}

void YamlBuilder::take_key(OpenNode &map, const YamlNode &key) {
    const std::string parent_path = current_path();
    map.pending = YamlEntry{key.text, key.plain, key.position, {}};
    map.drop_value = true;
    if (key.kind != YamlNode::Kind::scalar) {
        findings_.error(key.position, "expected a word as a key, found " + describe(key));
        return;
    }
    const auto [first, is_new] = map.seen.emplace(key.text, key.position);
    map.drop_value = !is_new;
    if (!is_new) {
        findings_.error(key.position,
                        fmt::format("duplicate key '{}'; it was first given in {}",
                                    join_path(parent_path, key.text), describe_place(first->second)));
    }
}

}  // namespace perdure
