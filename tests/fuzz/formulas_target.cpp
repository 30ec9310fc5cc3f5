// Formulas: parsed, printed and read again, names checked.
// Input: a formula.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "solver/formulas/diagnostic.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/formulas/names.hpp"
#include "solver/formulas/to_text.hpp"
#include "tests/solver/formulas/same_tree.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace {

using namespace perdure;
using Random = std::minstd_rand;

constexpr std::size_t longest = 20000;

constexpr std::array leaves{"x",   "t",  "pi",   "u",     "v",     "Du", "0", "1",
                            "2.5", ".5", "1e-3", "1e308", "1e999", "2x", "q"};
constexpr std::array operators{
    "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", " and ", " or ", "&&", "||", ",", ";", "="};
constexpr std::array prefixes{"-", "+", "!", "not "};

template <class Table>
auto pick(const Table &table, Random &random) {
    return table[random() % table.size()];
}

/// A random formula, at most `depth` deep, at times with a mistake.
std::string make_formula(int depth, Random &random) {
    if (depth == 0 || random() % 5 == 0) {
        return pick(leaves, random);
    }
    const auto part = [&] { return make_formula(depth - 1, random); };
    switch (random() % 8) {
        case 0:
            return "(" + part() + ")";
        case 1:
            return pick(prefixes, random) + part();
        case 2:
            return part() + " ? " + part() + " : " + part();
        case 3:
            return "(" + part() + ", " + part() + ")";
        case 4: {
            std::string call = std::string(pick(formulas::functions(), random).name) + "(" + part();
            while (random() % 2 == 0) {
                call += (random() % 4 == 0 ? "; " : ", ") + part();
            }
            return call + ")";
        }
        default:
            return part() + pick(operators, random) + part();
    }
}

std::string mutate(std::string text, Random &random) {
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t length = random() % 8;
    switch (random() % 5) {
        case 0:
            return text.replace(at, length, make_formula(2, random));
        case 1:
            return text.insert(at, pick(operators, random) + make_formula(1, random));
        case 2:
            return text.erase(at, length);
        case 3:
            return text.insert(at, text.substr(at, random() % 64));
        default:
            return "(" + text + ")" + pick(operators, random) + make_formula(2, random);
    }
}

[[noreturn]] void fail(const char *what, const std::string &text) {
    std::fprintf(stderr, "%s: %s\n", what, text.c_str());
    std::abort();
}

void check_place(const formulas::FormulaError &error, std::size_t size) {
    if (error.begin() < 0 || error.begin() > error.end() || static_cast<std::size_t>(error.end()) > size) {
        fail("an error outside of the formula", error.what());
    }
    to_text(to_diagnostic(error, {"case.yaml", 1, 1}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    try {
        const formulas::Node tree = formulas::parse(text);
        formulas::AllowedNames allowed;
        allowed.names = {"u", "v", "Du"};
        allowed.derivatives = size % 2 == 0;
        allowed.dimensions = size % 3 == 0 ? 2 : 3;
        for (const formulas::FormulaError &error : check_names(tree, allowed)) {
            check_place(error, size);
        }
        const std::string printed = to_text(tree);
        if (printed.size() <= longest && !same_tree(formulas::parse(printed), tree)) {
            fail("printed as another formula", printed);
        }
    } catch (const formulas::FormulaError &error) {
        check_place(error, size);
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    Random random(seed);
    if (random() % 5 == 0) {
        return LLVMFuzzerMutate(data, size, most);
    }
    std::string text(reinterpret_cast<const char *>(data), size);
    if (random() % 16 == 0) {
        text = make_formula(5, random);
    }
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
        text = mutate(std::move(text), random);
    }
    text.resize(std::min(text.size(), most));
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
