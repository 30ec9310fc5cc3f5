#include "solver/formulas/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "solver/case_file/config.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/formulas/walk.hpp"

namespace perdure::formulas {
namespace {

constexpr std::size_t most_listed = 30;  // names in a message

struct OtherWord {
    std::string_view word, name;
};
/// What other languages call our functions, where the spelling alone does not lead there.
constexpr std::array other_words{
    OtherWord{"laplace", "lap"},       OtherWord{"laplacian", "lap"}, OtherWord{"gradient", "grad"},
    OtherWord{"divergence", "div"},    OtherWord{"inner", "dot"},     OtherWord{"mean", "avg"},
    OtherWord{"fabs", "abs"},          OtherWord{"sgn", "sign"},      OtherWord{"arcsin", "asin"},
    OtherWord{"arccos", "acos"},       OtherWord{"arctan", "atan"},   OtherWord{"fmod", "mod"},
    OtherWord{"remainder", "mod"},     OtherWord{"where", "if"},      OtherWord{"select", "if"},
    OtherWord{"power", "pow"},         OtherWord{"advect", "upwind"}, OtherWord{"rand", "random"},
    OtherWord{"white_noise", "noise"}, OtherWord{"dW", "noise"},      OtherWord{"derivative_x", "dx"},
    OtherWord{"ceiling", "ceil"}};

std::string list(const std::vector<std::string> &names) {
    const auto shown = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_listed));
    return fmt::format("{}{}", fmt::join(names.begin(), shown, ", "),
                       shown == names.end() ? "" : fmt::format(" and {} more", names.end() - shown));
}

class NameCheck {
  public:
    explicit NameCheck(const AllowedNames &allowed) : allowed_(allowed) {
        for (const Function &function : functions()) {
            if (function.role != FunctionRole::operation && why_not_here(function).empty()) {
                functions_.emplace_back(function.name);
            }
        }
        names_ = allowed.names;
        for (const BuiltIn &built_in : built_ins()) {
            if (why_not_here(built_in).empty()) {
                names_.emplace_back(built_in.name);
            }
        }
    }

    std::vector<FormulaError> errors(const Node &tree) && {
        std::set<const Node *> options;
        for (const Node *node : all_nodes(tree)) {  // a call before what stands in its brackets
            if (node->kind == NodeKind::call) {
                options.insert(option_of(*node));
            }
            if (options.contains(node)) {
                continue;
            }
            if (node->kind == NodeKind::name) {
                check_name(*node);
            } else if (node->kind == NodeKind::call) {
                check_call(*node);
            }
        }
        return std::move(errors_);
    }

  private:
    void error(const Node &node, int end, const std::string &message) {
        errors_.emplace_back(message, node.begin, end);
    }

    [[nodiscard]] std::string why_not_here(const BuiltIn &built_in) const {
        if (built_in.name == "t" && !allowed_.time) {
            return fmt::format("the time t cannot be used in {}", allowed_.place);
        }
        if (!allowed_.places && (built_in.name == "x" || built_in.name == "y" || built_in.name == "z")) {
            return fmt::format("the coordinate {} cannot be used in {}", built_in.name, allowed_.place);
        }
        const bool is_across = built_in.name == "y" || built_in.name == "z";
        return is_across ? why_no_axis(built_in.name.front(), built_in.name) : std::string();
    }

    [[nodiscard]] std::string why_not_here(const Function &function) const {
        if (function.role == FunctionRole::noise && !allowed_.noise) {
            return fmt::format("noise, which differs from step to step, cannot be used in {}",
                               allowed_.place);
        }
        if (function.role == FunctionRole::random && !allowed_.places) {
            return fmt::format("random numbers, which differ from cell to cell, cannot be used in {}",
                               allowed_.place);
        }
        if (function.role != FunctionRole::differential) {
            return {};
        }
        if (!allowed_.derivatives) {
            return fmt::format("the derivative {} cannot be used in {}", function.usage, allowed_.place);
        }
        const char axis = function.name[1];  // of dx and dxx
        return function.name[0] == 'd' && axis >= 'x' ? why_no_axis(axis, function.usage) : "";
    }

    /// Empty where the grid has the axis that `what` stands for.
    [[nodiscard]] std::string why_no_axis(char axis, std::string_view what) const {
        const char *const axes = allowed_.dimensions == 1 ? "1 dimension, x" : "2 dimensions, x and y";
        return axis - 'x' < allowed_.dimensions ? ""
                                                : fmt::format("the grid has {}: there is no {}", axes, what);
    }

    /// What the name is, when it is of the case file and may not stand here; empty otherwise.
    [[nodiscard]] std::string elsewhere(const std::string &name) const {
        for (const auto &[other, what] : allowed_.elsewhere) {
            if (other == name) {
                return what;
            }
        }
        return {};
    }

    [[nodiscard]] bool is_allowed(const std::string &name) const {
        return std::find(allowed_.names.begin(), allowed_.names.end(), name) != allowed_.names.end();
    }

    void check_name(const Node &node) {
        if (is_allowed(node.name) || !seen_names_.insert(node.name).second) {
            return;
        }
        const std::string shown = shorten(node.name);
        if (const BuiltIn *const built_in = find_built_in(node.name)) {
            const std::string why = why_not_here(*built_in);
            if (!why.empty()) {
                error(node, node.end, why);
            }
        } else if (const std::string what = elsewhere(node.name); !what.empty()) {
            error(node, node.end,
                  fmt::format("'{}' is {}, which cannot be used in {}", shown, what, allowed_.place));
        } else if (const Function *const function = find_function(node.name)) {
            error(node, node.end, fmt::format("'{}' is a function; write {}", shown, function->usage));
        } else if (const Function *const owner = find_function_with_word(node.name)) {
            error(node, node.end,
                  fmt::format("'{}' is allowed only as the last argument after the ';' of {}()", shown,
                              owner->name));
        } else {
            const std::string near = closest(node.name, names_);
            error(node, node.end,
                  near.empty()
                      ? fmt::format("unknown name '{}'; the names known here are {}", shown, list(names_))
                      : fmt::format("unknown name '{}'; did you mean '{}'?", shown, near));
        }
    }

    void check_call(const Node &node) {
        const Function *const function = find_function(node.name);
        if (function == nullptr) {
            check_unknown_function(node);
            return;
        }
        if (function->role == FunctionRole::operation) {
            return;  // the parser gives operators what they need
        }
        const std::string why = why_not_here(*function);
        if (!why.empty()) {
            error(node, end_of_name(node), why);
        } else {
            check_arguments(node, *function);
        }
    }

    [[nodiscard]] static int end_of_name(const Node &node) {
        return node.begin + static_cast<int>(node.name.size());
    }

    void check_unknown_function(const Node &node) {
        if (!seen_functions_.insert(node.name).second) {
            return;
        }
        const std::string shown = shorten(node.name);
        if (is_allowed(node.name) || find_built_in(node.name) != nullptr || !elsewhere(node.name).empty()) {
            error(node, end_of_name(node),
                  fmt::format("'{0}' is not a function; write {0}*(...) for a product", shown));
            return;
        }
        const auto *const other = std::find_if(other_words.begin(), other_words.end(),
                                               [&](const OtherWord &word) { return word.word == node.name; });
        const std::string near =
            other != other_words.end() ? std::string(other->name) : closest(node.name, functions_);
        error(node, end_of_name(node),
              fmt::format("unknown function '{}'{}; the functions are {}", shown,
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                          fmt::join(functions_, ", ")));
    }

    void check_arguments(const Node &node, const Function &function) {
        const int before = arguments_before_semicolon(node), behind = arguments_behind_semicolon(node);
        if (behind < function.fewest_behind || behind > function.most_behind) {
            error(node, node.end,
                  function.most_behind == 0
                      ? fmt::format("'{}' has no ';'; write {}", function.name, function.usage)
                      : fmt::format("'{}' takes {} after a ';', found {}; write {}", function.name,
                                    count(function.fewest_behind, function.most_behind), found(behind),
                                    function.usage));
        } else if (before < function.fewest || before > function.most) {
            const std::string expected = count(function.fewest, function.most);
            const char *const before_semicolon = function.most_behind > 0 ? " before the ';'" : "";
            error(node, node.end,
                  fmt::format("'{}' takes {}{}, found {}; write {}", function.name, expected,
                              before_semicolon, found(before), function.usage));
        } else if (function.role == FunctionRole::random || function.role == FunctionRole::noise) {
            check_seed(node.children.front(), function);
        }
    }

    void check_seed(const Node &seed, const Function &function) {
        constexpr double largest = 2147483647.0;
        if (seed.kind == NodeKind::number &&
            (seed.number > largest || std::floor(seed.number) != seed.number)) {
            error(seed, seed.end,
                  fmt::format("the seed of {}() must be a whole number from 0 to 2147483647", function.name));
        }
    }

    static std::string count(int fewest, int most) {
        if (most == any_number) {
            return fmt::format("{} or more arguments", fewest);
        }
        const std::string arguments = fmt::format("{} argument{}", most, most == 1 ? "" : "s");
        return fewest == most ? arguments
                              : fmt::format("{} {} {}", fewest, most - fewest == 1 ? "or" : "to", arguments);
    }
    static std::string found(int arguments) { return arguments == 0 ? "none" : fmt::to_string(arguments); }

    const AllowedNames &allowed_;
    std::vector<std::string> names_, functions_;  // that may stand here
    std::set<std::string> seen_names_, seen_functions_;
    std::vector<FormulaError> errors_;
};

}  // namespace

std::vector<FormulaError> check_names(const Node &tree, const AllowedNames &allowed) {
    return NameCheck(allowed).errors(tree);
}

const Node *option_of(const Node &call) {
    const Function *const function = find_function(call.name);
    const bool has_option = function != nullptr && call.behind_semicolon > 0 &&
                            call.children.back().kind == NodeKind::name &&
                            call.children.back().name == function->word;
    return has_option ? &call.children.back() : nullptr;
}

int arguments_before_semicolon(const Node &call) {
    return static_cast<int>(call.children.size()) - call.behind_semicolon;
}

int arguments_behind_semicolon(const Node &call) {
    return call.behind_semicolon - (option_of(call) != nullptr ? 1 : 0);
}

std::string why_not_a_name(const std::string &name) {
    const std::string shown = shorten(name);
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (name.empty()) {
        return "a name must have at least one letter";
    }
    if (!is_letter(name.front()) ||
        !std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); })) {
        return fmt::format(
            "'{}' cannot be used in formulas: a name consists of the letters a to z and A to Z, digits and "
            "_, and does not begin with a digit",
            shown);
    }
    if (name.size() > longest_name) {
        return fmt::format("'{}' has {} characters, but a name has at most {}", shown, name.size(),
                           longest_name);
    }
    if (const BuiltIn *const built_in = find_built_in(name)) {
        return fmt::format("'{}' is {} in every formula; choose another name", name, built_in->meaning);
    }
    if (const Function *const function = find_function(name)) {
        return fmt::format("'{}' is a reserved word of formulas: {}, {}; choose another name", name,
                           function->usage, function->meaning);
    }
    if (const Function *const function = find_function_with_word(name)) {
        return fmt::format("'{}' is a reserved word of {}; choose another name", name, function->usage);
    }
    return {};
}

}  // namespace perdure::formulas
