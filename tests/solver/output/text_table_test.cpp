#include "solver/output/text_table.hpp"

#include <gtest/gtest.h>

#include "solver/output/wrap_text.hpp"

namespace perdure::text_table_test {
namespace {

using Align = TextTable::Align;
using Cut = TextTable::Cut;

TEST(TextTable, ColumnsAreAsWideAsWhatTheyHoldAndEmptyOnesAreLeftOut) {
    TextTable table({{"model", Align::left}, {"us"}, {"nothing"}, {"note", Align::left}}, "(of 2)");
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(table.plain(0), "model  us  nothing  note  (of 2)\n");
    table.add({"graph", "1234"});
    table.add({"größer", "5", "", "yes"}, "WRONG", "    below\n");
    EXPECT_EQ(table.plain(2),
              "  model     us  note  (of 2)\n"
              "  graph   1234\n"
              "  größer     5  yes  WRONG\n"
              "    below\n");
    EXPECT_EQ(table.markdown(),
              "| model | us | nothing | note |\n|---|--:|--:|---|\n"
              "| graph | 1234 |  |  |\n| größer | 5 |  | yes |\n");
}

TEST(TextTable, ARemarkWithoutRoomStandsBelow) {
    TextTable table({{"name", Align::left}});
    table.add({std::string(60, 'n')}, std::string(40, 'r'));
    EXPECT_EQ(table.plain(2), "  name\n  " + std::string(60, 'n') + "\n      " + std::string(40, 'r') + "\n");
}

TEST(TextTable, ATableTooWideIsCutWhereItMayBe) {
    TextTable table(
        {{"a.key.of.a.case", Align::left, Cut::yes}, {"outcome", Align::left, Cut::last}, {"number"}});
    table.add({std::string(80, 'k'), std::string(40, 'o'), std::string(20, '1')});
    table.add({"ä", "converged", "2"});
    EXPECT_EQ(table.plain(0), "a.key.of.a.case" + std::string(23, ' ') + "outcome" + std::string(49, ' ') +
                                  "number\n" + std::string(34, 'k') + "..  " + std::string(40, 'o') + "  " +
                                  std::string(20, '1') + "\n" + "ä" + std::string(37, ' ') + "converged" +
                                  std::string(52, ' ') + "2\n");
    TextTable narrow({{"a.key.of.a.case", Align::left, Cut::yes}, {"number"}});
    narrow.add({"äöüäöü", std::string(95, '1')});
    EXPECT_EQ(narrow.plain(0),
              "..ase  " + std::string(89, ' ') + "number\näöü..  " + std::string(95, '1') + "\n");
    EXPECT_EQ(columns_of("äöü.."), 5U);
}

}  // namespace
}  // namespace perdure::text_table_test
