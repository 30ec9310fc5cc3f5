// YAML trees as one line of text.
#include "solver/case_file/yaml_text.hpp"

#include <gtest/gtest.h>

#include "solver/case_file/findings.hpp"

namespace perdure::yaml_text_test {
namespace {

std::optional<YamlNode> parse(const std::string &text) {
    Findings findings("", {});
    return parse_yaml(
        text, "", [](std::size_t, std::size_t) { return TextPosition{}; }, findings);
}

/// A plain word in a list and as a key of a map, as a tree that was read from block style or from --set holds it.
YamlNode tree_with(const std::string &word) {
    YamlNode scalar;
    scalar.kind = YamlNode::Kind::scalar;
    scalar.text = word;
    scalar.plain = true;
    YamlNode list;
    list.kind = YamlNode::Kind::list;
    list.items = {scalar, scalar};
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    YamlEntry entry;
    entry.key = word;
    entry.plain_key = true;
    entry.value = list;
    map.entries = {entry};
    return map;
}

TEST(YamlText, ReadsBackWithEveryCharacterAtEveryPlace) {
    for (int letter = 1; letter < 0x80; ++letter) {
        const std::string one(1, static_cast<char>(letter));
        for (const std::string &word :
             {one, one + "a", "a" + one, "a" + one + "b", "a " + one + " b", one + " a", one + one}) {
            if (word == "~") {
                continue;  // plain, it is no value and no word
            }
            const std::string text = flow_text(tree_with(word));
            const auto read = parse(text);
            ASSERT_TRUE(read && read->entries.size() == 1) << letter << ": " << text;
            EXPECT_EQ(read->entries[0].key, word) << letter << ": " << text;
            ASSERT_EQ(read->entries[0].value.items.size(), 2U) << letter << ": " << text;
            EXPECT_EQ(read->entries[0].value.items[1].text, word) << letter << ": " << text;
            EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos) << letter;
        }
    }
}

TEST(YamlText, LeavesFormulasAndNamesBare) {
    for (const std::string word :
         {"1 + 0.5*sin(3*x)", "two_phase.h5", "/image", "x^2 - y", "-1.0e-8", "größe"}) {
        const bool bare = word.find('*') == std::string::npos;
        EXPECT_EQ(flow_text(tree_with(word)).find('"') == std::string::npos, bare) << word;
    }
}

}  // namespace
}  // namespace perdure::yaml_text_test
