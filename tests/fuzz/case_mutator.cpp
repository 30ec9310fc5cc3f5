// Mutates case files as trees of keys and values, so that most of what comes out is YAML with keys that perdure knows.
#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "solver/case_file/case_text.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_text.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "tests/fuzz/case_vocabulary.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace perdure::fuzz {
namespace {

using Random = std::minstd_rand;

constexpr std::array numbers{"0",
                             "1",
                             "-1",
                             "2",
                             "8",
                             "64",
                             "0.5",
                             "1.0e-6",
                             "1e308",
                             "1e999",
                             "nan",
                             ".inf",
                             "1_000",
                             "0x10",
                             "1,5",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-0.0",
                             "3.",
                             "1e",
                             "10001",
                             "2147483648"};
constexpr std::array texts{"x + y",   "sin(pi*x)*z", "cos(t)",  "data.h5", "/image", "u",   "flux", "a: b",
                           "'quoted", "\xc3\xa4",    "",        "~",       "yes",    "x=1", "../u", "[1, 2]",
                           "{a: 1}",  "*anchor",     "!!str 1", "a\nb",    "K",      "time"};

struct Spot {
    YamlNode *node;
    std::string path;
};

void list_spots(YamlNode &node, const std::string &path, std::vector<Spot> &spots) {
    spots.push_back({&node, path});
    for (YamlNode &item : node.items) {
        list_spots(item, path, spots);
    }
    for (YamlEntry &entry : node.entries) {
        list_spots(entry.value, join_path(path, entry.key), spots);
    }
}

template <class Table>
std::string pick(const Table &table, Random &random) {
    return table.empty() ? "" : table[random() % table.size()];
}

YamlNode scalar(const std::string &text, bool plain = true) {
    YamlNode node;
    node.kind = text.empty() ? YamlNode::Kind::null : YamlNode::Kind::scalar;
    node.text = text;
    node.plain = plain;
    return node;
}

YamlNode make_value(int depth, Random &random) {
    YamlNode node;
    switch (random() % (depth > 0 ? 8 : 5)) {
        case 0:
        case 1:
            return scalar(pick(numbers, random), random() % 8 != 0);
        case 2:
            return scalar(pick(texts, random), random() % 2 == 0);
        case 3:
        case 4:
            return scalar(pick(vocabulary().words, random), random() % 16 != 0);
        case 5:
            node.kind = YamlNode::Kind::map;
            for (std::size_t count = random() % 4; count > 0; --count) {
                const auto place = std::next(vocabulary().keys.begin(), random() % vocabulary().keys.size());
                node.entries.push_back(
                    {pick(place->second, random), true, {}, make_value(depth - 1, random)});
            }
            return node;
        default:
            node.kind = YamlNode::Kind::list;
            for (std::size_t count = random() % 4; count > 0; --count) {
                node.items.push_back(make_value(depth - 1, random));
            }
            return node;
    }
}

/// A key that belongs where the map stands, or any.
std::string key_for(const std::string &path, Random &random) {
    const auto known = vocabulary().keys.find(path);
    if (known != vocabulary().keys.end() && random() % 8 != 0) {
        return pick(known->second, random);
    }
    return pick(vocabulary().paths, random);
}

void misspell(std::string &text, Random &random) {
    const bool ascii = std::all_of(text.begin(), text.end(), [](char letter) { return letter >= 0; });
    if (!text.empty() && ascii) {  // half a character would be no text
        const std::size_t at = random() % text.size();
        random() % 2 == 0 ? text.erase(at, 1) : text.insert(at, 1, text[random() % text.size()]);
    }
}

void add_sweep(YamlNode &root, Random &random) {
    YamlNode values = make_value(1, random);
    values.kind = YamlNode::Kind::list;
    values.items.resize(1 + random() % 3, make_value(1, random));
    YamlNode sweep;
    sweep.kind = YamlNode::Kind::map;
    sweep.entries.push_back({pick(vocabulary().paths, random), true, {}, std::move(values)});
    if (random() % 3 == 0) {
        YamlNode list;
        list.kind = YamlNode::Kind::list;
        list.items.assign(1 + random() % 3, sweep);
        sweep = std::move(list);
    }
    root.kind = YamlNode::Kind::map;
    root.entries.push_back({"sweep", true, {}, std::move(sweep)});
}

void mutate(YamlNode &root, Random &random) {
    std::vector<Spot> spots;
    list_spots(root, "", spots);
    const Spot spot = spots[random() % spots.size()];
    YamlNode &node = *spot.node;
    auto &entries = node.entries;
    switch (random() % 10) {
        case 0:
        case 1:
            node = make_value(2, random);
            break;
        case 2:
        case 3:
            if (node.kind == YamlNode::Kind::map) {
                entries.push_back({key_for(spot.path, random), true, {}, make_value(2, random)});
            } else {
                node = scalar(pick(numbers, random));
            }
            break;
        case 4:
            if (!entries.empty()) {
                entries.erase(entries.begin() + random() % entries.size());
            } else if (!node.items.empty()) {
                node.items.erase(node.items.begin() + random() % node.items.size());
            }
            break;
        case 5:
            if (!entries.empty()) {
                entries.push_back(YamlEntry(entries[random() % entries.size()]));
            } else if (!node.items.empty()) {
                node.items.push_back(YamlNode(node.items[random() % node.items.size()]));
            }
            break;
        case 6: {
            YamlNode copy = *spots[random() % spots.size()].node;
            node = std::move(copy);
            break;
        }
        case 7:
            node.plain = !node.plain;
            misspell(entries.empty() ? node.text : entries[random() % entries.size()].key, random);
            break;
        case 8:
            add_sweep(root, random);
            break;
        default:
            root.entries.push_back({pick(vocabulary().keys.at(""), random), true, {}, make_value(2, random)});
            root.kind = YamlNode::Kind::map;
            break;
    }
}

/// In lines, with lists and maps below one another; what is deep, now and then, in one line.
std::string block_text(const YamlNode &node, const std::string &indent, Random &random) {
    std::string text;
    const bool nested = !node.items.empty() || !node.entries.empty();
    if (!nested || random() % 4 == 0) {
        return (indent.empty() ? "" : " ") + flow_text(node) + "\n";
    }
    if (!indent.empty()) {
        text = "\n";
    }
    for (const YamlNode &item : node.items) {
        text += indent + "-" + block_text(item, indent + "  ", random);
    }
    for (const YamlEntry &entry : node.entries) {
        text += indent + flow_text(scalar(entry.key, entry.plain_key)) + ":" +
                block_text(entry.value, indent + "  ", random);
    }
    return text;
}

std::string mutated(const std::string &text, Random &random) {
    const std::size_t overrides = text.find("#set ");
    std::string rest = overrides == std::string::npos ? "" : text.substr(overrides);
    Findings findings("", {});
    const YamlPlace nowhere = [](std::size_t, std::size_t) { return TextPosition{}; };
    std::optional<YamlNode> root;
    if (find_text_defect(text).message.empty()) {
        root = parse_yaml(text.substr(0, overrides), "", nowhere, findings);
    }
    if (!root) {
        return "";
    }
    for (std::size_t count = 1 + random() % 3; count > 0; --count) {
        mutate(*root, random);
    }
    if (random() % 8 == 0) {
        rest += "#set " + pick(vocabulary().paths, random) + "=" + flow_text(make_value(2, random)) + "\n";
    }
    return (random() % 2 == 0 ? flow_text(*root) + "\n" : block_text(*root, "", random)) + rest;
}

}  // namespace
}  // namespace perdure::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    perdure::fuzz::Random random(seed);
    const std::string text(reinterpret_cast<const char *>(data), size);
    const std::string changed = random() % 5 == 0 ? "" : perdure::fuzz::mutated(text, random);
    if (changed.empty() || changed.size() > most) {
        return LLVMFuzzerMutate(data, size, most);
    }
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}
