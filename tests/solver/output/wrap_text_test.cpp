#include "solver/output/wrap_text.hpp"

#include <gtest/gtest.h>

namespace perdure::wrap_text_test {
namespace {

TEST(WrapText, BreaksBetweenWordsBehindItsIndent) {
    const std::string word(30, 'w');
    EXPECT_EQ(wrap_text("a few words", 2), "  a few words\n");
    EXPECT_EQ(wrap_text(word + " " + word + " " + word + " " + word, 4, 2),
              "    " + word + " " + word + " " + word + "\n      " + word + "\n");
    EXPECT_EQ(wrap_text("", 1), " \n");
}

TEST(WrapText, FillsLinesToTheLastColumnAndNotBeyond) {
    for (const std::size_t length : {std::size_t{49}, std::size_t{50}}) {
        const std::string word(length, 'w');
        const bool fits = 2 * length + 1 <= text_columns;
        EXPECT_EQ(wrap_text(word + " " + word, 0), word + (fits ? " " : "\n") + word + "\n");
    }
    const std::string endless(150, 'w');
    EXPECT_EQ(wrap_text("a " + endless + " b", 0), "a\n" + endless + "\nb\n");
}

TEST(WrapText, CountsCharactersNotBytes) {
    EXPECT_EQ(columns_of("\xC3\xA4 \xE2\x82\xAC"), 3U);
    std::string umlauts;
    for (int i = 0; i < 49; ++i) {
        umlauts += "\xC3\xA4";
    }
    EXPECT_EQ(wrap_text(umlauts + " " + umlauts, 0), umlauts + " " + umlauts + "\n");
}

}  // namespace
}  // namespace perdure::wrap_text_test
