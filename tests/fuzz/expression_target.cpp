// Expressions: parsed, sampled on a small grid by make_problem(), time factors evaluated.
// Input: one line, an expression in x, y, z; a second line is the factor in t of a source.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <random>
#include <string>

#include "solver/case_file/config.hpp"
#include "solver/problem/problem.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace {

using namespace perdure;
using Random = std::minstd_rand;

constexpr std::array leaves{"x",   "y",   "z",   "t",    "pi", "e",     "0",    "1",
                            "2",   "0.5", "1e3", "1e-9", "7",  "1e308", ".5",   "3.25",
                            "_pi", "100", "-1",  "u",    "1.", "1e999", "0x1f", "x1"};
constexpr std::array operators{
    "+", "-", "*", "/", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "=", "%", ","};
constexpr std::array functions{"sin",  "cos",   "tan",   "asin",  "acos", "atan",  "atan2", "sinh", "cosh",
                               "tanh", "asinh", "acosh", "atanh", "log2", "log10", "log",   "ln",   "exp",
                               "sqrt", "sign",  "rint",  "abs",   "min",  "max",   "sum",   "avg",  "f"};

template <class Table>
std::string pick(const Table &table, Random &random) {
    return table[random() % table.size()];
}

/// A random expression of the grammar that muParser reads, at most `depth` deep.
std::string make_expression(int depth, Random &random) {
    if (depth == 0 || random() % 4 == 0) {
        return pick(leaves, random);
    }
    const auto part = [&] { return make_expression(depth - 1, random); };
    switch (random() % 8) {
        case 0:
            return "(" + part() + ")";
        case 1:
            return "-" + part();
        case 2:
            return part() + " ? " + part() + " : " + part();
        case 3: {
            std::string call = pick(functions, random) + "(" + part();
            while (random() % 2 == 0) {
                call += ", " + part();
            }
            return call + ")";
        }
        case 4:
            return pick(functions, random) + "(" + part() + ")";
        default:
            return part() + " " + pick(operators, random) + " " + part();
    }
}

/// The end of the word, number or bracketed part that begins at `at`.
std::size_t part_end(const std::string &text, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth <= 0 && std::isalnum(static_cast<unsigned char>(text[i])) == 0 && text[i] != '.') {
            return i + (text[i] == ')' && depth == 0 ? 1 : 0);
        }
    }
    return text.size();
}

std::string mutate(std::string text, Random &random) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const std::size_t end = part_end(text, at);
    const std::string part = text.substr(at, end - at);
    switch (random() % 6) {
        case 0:
            return text.replace(at, end - at, make_expression(2, random));
        case 1:
            return text.replace(at, end - at,
                                "(" + part + ")" + pick(operators, random) + make_expression(1, random));
        case 2:
            return text.replace(at, end - at, pick(functions, random) + "(" + part + ")");
        case 3:
            return text.erase(at, end - at);
        case 4:
            return text.insert(at, part);
        default:
            return text + pick(operators, random) + make_expression(2, random);
    }
}

Config config_of(const std::string &expression, const std::string &factor) {
    Config config;
    const bool box = expression.find('z') != std::string::npos;
    config.path = "case.yaml";
    config.text = "problem:\n  f: " + expression + "\n";
    config.type = ProblemType::heat;
    config.grid.dimensions = box ? 3 : 2;
    config.grid.cells = {3, 2, box ? 2 : 1};
    config.a.number = 1.0;
    ValueSource source;
    source.kind = ValueSource::Kind::expression;
    source.expression = expression;
    source.time_factor = factor;
    source.position = {"case.yaml", 2, 6};
    (factor.empty() ? config.a : config.f) = source;
    config.sides[0].kind = SideKind::value;
    if (expression.size() % 2 == 0) {
        config.sides[0].values = source;
    }
    return config;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    const std::size_t line = text.find('\n');
    const std::string expression = text.substr(0, line);
    const std::string factor = line == std::string::npos ? "" : text.substr(line + 1);
    try {
        make_problem(config_of(expression, factor));
    } catch (const Failure &failure) {
        if (failure.code() != ExitCode::case_or_usage && failure.code() != ExitCode::bad_input) {
            throw;
        }
    }
    try {
        evaluate_time_factor(factor, {0.0, 0.5});
    } catch (const Failure &failure) {
        if (failure.code() != ExitCode::case_or_usage) {
            throw;
        }
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
        text = make_expression(4, random) + "\n" + make_expression(3, random);
    }
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
        text = mutate(std::move(text), random);
    }
    text.resize(std::min(text.size(), most));
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
