// Comma-separated values: read with their places, and written.
#include "solver/csv_text.hpp"

#include <gtest/gtest.h>

namespace perdure::csv_text_test {
namespace {

std::vector<std::vector<std::string>> cells_of(const std::string &text) {
    std::vector<std::vector<std::string>> cells;
    for (const CsvRow &row : read_csv(text)) {
        std::vector<std::string> &line = cells.emplace_back();
        for (const CsvCell &cell : row) {
            line.push_back(cell.text);
        }
    }
    return cells;
}

using Cells = std::vector<std::vector<std::string>>;

TEST(CsvText, ReadsCellsQuotesAndLineEnds) {
    EXPECT_EQ(cells_of("a,b\r\n1,\"2, \"\"x\"\"\"\n"), (Cells{{"a", "b"}, {"1", "2, \"x\""}}));
    EXPECT_EQ(cells_of("\xEF\xBB\xBF"
                       "a,\n,b"),
              (Cells{{"a", ""}, {"", "b"}}));
    EXPECT_EQ(cells_of("a,\n\n1,"), (Cells{{"a", ""}, {"1", ""}})) << "an empty line is no row";
    EXPECT_EQ(cells_of("\"two\nlines\",b\n"), (Cells{{"two\nlines", "b"}}));
    EXPECT_EQ(cells_of("\"open,\nto the end"), (Cells{{"open,\nto the end"}}));
    EXPECT_FALSE(read_csv("a,\"open").front().back().closed);
    EXPECT_TRUE(read_csv("a,\"shut\"").front().back().closed);
    EXPECT_EQ(read_csv("a;b,c", ';').front().back().text, "b,c");
    EXPECT_TRUE(cells_of("").empty());
}

TEST(CsvText, KnowsLineAndColumnOfEachCell) {
    const auto rows = read_csv("\xC3\xA4,b\n\"x\ny\",z\nlast");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0][1].column, 3) << "characters, not bytes";
    EXPECT_EQ(rows[1][1].line, 3);
    EXPECT_EQ(rows[1][1].column, 4);
    EXPECT_EQ(rows[2][0].line, 4);
}

TEST(CsvText, WritesWhatItReads) {
    const std::vector<std::string> cells{"", "a,b", "say \"so\"", "two\nlines", "plain"};
    EXPECT_EQ(csv_line(cells), ",\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",plain\r\n");
    EXPECT_EQ(cells_of(csv_line(cells)), Cells{cells});
}

}  // namespace
}  // namespace perdure::csv_text_test
