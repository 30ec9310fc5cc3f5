#include "solver/case_file/formula_text.hpp"

#include <cstddef>
#include <vector>

namespace perdure {
namespace {

/// Of a text that goes over lines, or that YAML writes in another way than it is read: where its pieces stand. Characters are looked for
/// one after the other; between them only what lays them out may stand. None where that does not lead to the end.
std::vector<FormulaText::Piece> pieces_of(const YamlValue &value, const TextPosition &first) {
    const std::vector<std::string> &lines = value.findings().lines();
    const std::string &text = value.node().text;
    auto line = static_cast<std::size_t>(first.line - 1), column = static_cast<std::size_t>(first.column - 1);
    if (first.line < 1 || line >= lines.size()) {
        return {};
    }
    const std::size_t begin = static_cast<std::size_t>(value.position().column - 1);
    if (!value.node().plain && begin < lines[line].size() &&
        (lines[line][begin] == '|' || lines[line][begin] == '>')) {
        ++line;  // what stands behind it in its line is no part of the text
        column = 0;
    }
    std::vector<FormulaText::Piece> pieces;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '\n') {
            continue;
        }
        while (line < lines.size() && (column >= lines[line].size() || lines[line][column] == ' ' ||
                                       lines[line][column] == '\t' || lines[line][column] == '\\')) {
            const bool ends = column >= lines[line].size();
            line += ends ? 1 : 0;
            column = ends ? 0 : column + 1;
        }
        if (line >= lines.size() || lines[line][column] != text[i]) {
            return {};
        }
        const TextPosition place{first.file, static_cast<int>(line + 1), static_cast<int>(column + 1)};
        const bool follows =
            !pieces.empty() && pieces.back().position.line == place.line &&
            place.column - pieces.back().position.column == static_cast<int>(i) - pieces.back().begin;
        if (!follows) {
            pieces.push_back({static_cast<int>(i), place});
        }
        ++column;
    }
    return pieces;
}

}  // namespace

FormulaText read_formula(const YamlValue &value, const std::string &what) {
    FormulaText formula{"0", value.position()};
    if (value.node().kind != YamlNode::Kind::scalar || value.node().text.empty()) {
        value.expected(what);
        return formula;
    }
    formula.text = value.node().text;
    formula.position.column += value.node().plain ? 0 : 1;
    formula.pieces = pieces_of(value, formula.position);
    return formula;
}

}  // namespace perdure
