// The table of keys is what the reader takes, what `perdure new` shows and what inputs/REFERENCE.md prints.
#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/starting_cases.hpp"
#include "solver/case_file/time_tables.hpp"
#include "solver/case_file/watch_keys.hpp"
#include "solver/equations/equation.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/solver/case_file/case_files.hpp"

namespace perdure::case_keys_test {
namespace {

using CaseKeys = CaseFileTest;

std::string replaced(std::string text, const std::string &name, const std::string &by) {
    if (const std::size_t at = text.find(name); at != std::string::npos) {
        text.replace(at, name.size(), by);
    }
    return text;
}

TEST_F(CaseKeys, AreAllRead) {
    for (const CaseKey &key : case_keys()) {
        const std::string path =
            replaced(replaced(std::string(key.path), "SIDE", "x-"), "VALUE", "problem.f");
        bool is_read = false;
        for (const ProblemType type : all_values<ProblemType>()) {
            const std::string problem =
                std::string("problem: {type: ") + name(type) + ", a: 1}\ngrid: {shape: [8, 8]}\n";
            const Texts found = errors(problem, {path + "={}"});
            is_read = is_read || std::none_of(found.begin(), found.end(), [&](const std::string &error) {
                          return error.find("unknown key '" + path + "'") != std::string::npos;
                      });
        }
        EXPECT_TRUE(is_read) << path;
    }
}

TEST_F(CaseKeys, AreFoundByTheirPlace) {
    EXPECT_EQ(listed_form("boundary.x-.exchange.ambient.file"), "VALUE.file");
    EXPECT_EQ(listed_form("problem.velocity[1].expression"), "VALUE.expression");
    EXPECT_EQ(listed_form("boundary.z+.flux"), "boundary.SIDE.flux");
    EXPECT_EQ(listed_form("watch.integrals.mass.where"), "watch.integrals.NAME.where");
    EXPECT_EQ(listed_form("watch.probes.cut.from.x"), "watch.probes.NAME.from");
    EXPECT_EQ(listed_form("solver.tolerance"), "");
}

bool is_of_one_equation(const CaseKey &key) {
    const auto equations = all_equations();
    const auto is_key = [&](const CaseKey &own) { return own.path == key.path; };
    return std::any_of(watch_keys().begin(), watch_keys().end(), is_key) ||
           std::any_of(table_keys().begin(), table_keys().end(), is_key) ||
           std::any_of(equations.begin(), equations.end(), [&](const Equation &equation) {
               return std::any_of(equation.keys.begin(), equation.keys.end(), is_key);
           });
}

TEST_F(CaseKeys, AreShownInTheStartingCases) {
    const std::string shown = starting_case() + starting_effective_case();
    for (const CaseKey &key : case_keys()) {
        const std::string path(key.path);
        const std::string name = path.substr(path.rfind('.') + 1);
        const bool is_word_of_syntax = name == "SIDE" || path == "VALUE.number";
        const bool is_removed = key.meaning.starts_with("removed");
        EXPECT_TRUE(is_word_of_syntax || is_removed || is_of_one_equation(key) ||
                    shown.find(name) != std::string::npos)
            << path;
    }
    EXPECT_EQ(shown.find("#@"), std::string::npos);
    EXPECT_NE(shown.find("\n  norm: l2                  # norm of the residual (l2 or max)\n"),
              std::string::npos);
    EXPECT_NE(shown.find("\n  atol: 0.0\n"), std::string::npos);
}

TEST_F(CaseKeys, AreInTheReference) {
    std::ifstream file(std::string(PERDURE_SOURCE_DIR) + "/inputs/REFERENCE.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), case_reference()) << "perdure keys > inputs/REFERENCE.md";
}

}  // namespace
}  // namespace perdure::case_keys_test
