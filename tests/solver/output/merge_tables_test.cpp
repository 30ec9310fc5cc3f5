// Tables put together: which row counts, and where columns stand.
#include "solver/output/merge_tables.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "solver/failure.hpp"

namespace perdure::merge_tables_test {
namespace {

std::filesystem::path file_with(const std::string &text) {
    const auto path =
        std::filesystem::temp_directory_path() / ("perdure_table_" + std::to_string(getpid()) + ".csv");
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

SummaryColumns table(const std::string &text) {
    const auto path = file_with(text);
    SummaryColumns columns = read_table(path);
    std::filesystem::remove(path);
    return columns;
}

const std::string older =
    "case,member,a,b,outcome,exit_code,result,cells\r\n"
    "w.yaml,2,2,5,converged (rtol),0,w-2,64\r\n"
    "w.yaml,4,4,,being computed by process 1,8,w-4,\r\n";

TEST(MergeTables, HoldEachCaseOnce) {
    const auto all = merged(table(older), table("case,member,a,outcome,exit_code,result\r\n"
                                                "w.yaml,1,1,converged (atol),0,w-1\r\n"
                                                "w.yaml,4,4,iteration limit,3,w-4\r\n"
                                                "w.yaml,2,2,being computed by process 2,8,w-2\r\n"));
    EXPECT_EQ(csv_text(all),
              "case,member,a,b,outcome,exit_code,result,cells\r\n"
              "w.yaml,1,1,,converged (atol),0,w-1,\r\n"
              "w.yaml,2,2,5,converged (rtol),0,w-2,64\r\n"
              "w.yaml,4,4,,iteration limit,3,w-4,\r\n");
}

TEST(MergeTables, KeepCasesOfOtherFiles) {
    const auto all =
        merged(table(older), table("case,outcome,exit_code,result\r\nv.yaml,\"no, \"\"that\"\"\",2,\r\n"));
    EXPECT_EQ(all.rows(), 3U);
    EXPECT_EQ(all.cell("outcome", 2), "no, \"that\"");
    EXPECT_EQ(all.cell("member", 2), "");
}

TEST(MergeTables, RefuseOtherFiles) {
    EXPECT_THROW((void)table("a,b\n1,2\n"), Failure);
    EXPECT_THROW((void)table("case,outcome,exit_code,x\nw.yaml,complete\n"), Failure);
    EXPECT_THROW((void)read_table("no_such.csv"), Failure);
}

}  // namespace
}  // namespace perdure::merge_tables_test
