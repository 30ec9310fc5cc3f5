#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "solver/case_file/yaml_tree.hpp"
#include "solver/systems/lowering.hpp"

namespace perdure::systems {
namespace {

using formulas::Node;
using formulas::NodeKind;

constexpr int most_levels = 1000;              // of parts, brackets and derivatives in one another
constexpr std::int64_t most_work = 2'000'000;  // nodes that are visited for all formulas of a system

/// Thrown where a formula takes too much.
struct TooLarge {
    const char *message;
};

/// a + b + c .. is a tree as deep as it is long: what stands on the left is gone through by a loop.
bool is_chain(const Node &node) {
    static constexpr std::array<std::string_view, 6> chains{"+", "-", "*", "/", "and", "or"};
    return node.kind == NodeKind::call && node.children.size() == 2 &&
           std::find(chains.begin(), chains.end(), node.name) != chains.end();
}

}  // namespace

std::vector<std::pair<std::string, double>> spacing_parameters(const Grid &grid) {
    std::vector<std::pair<std::string, double>> parameters;
    double volume = 1.0;
    for (int axis = 0; axis < grid.axes(); ++axis) {
        const char name = "xyz"[axis];
        const double h = grid.spacing[axis];
        parameters.emplace_back(fmt::format("1 / h{}", name), 1.0 / h);
        parameters.emplace_back(fmt::format("1 / (2 h{})", name), 1.0 / (2.0 * h));
        parameters.emplace_back(fmt::format("1 / h{}^2", name), 1.0 / (h * h));
        parameters.emplace_back(fmt::format("h{} / 2", name), 0.5 * h);
        volume *= h;
    }
    parameters.emplace_back("1 / sqrt(cell)", 1.0 / std::sqrt(volume));
    return parameters;
}

Shift moved(Shift shift, int axis, int cells) {
    shift.cells[axis] += cells;
    return shift;
}

Lowered Lowering::formula(const FormulaText &text, const Node &tree, int field) {
    return within_limits(text, field, [&] { return lower(tree, {}); });
}

Lowered Lowering::within_limits(const FormulaText &text, int field,
                                const std::function<Lowered()> &lower_text) {
    text_ = &text;
    field_ = field;
    inside_part_ = false;
    too_far_ = false;
    depth_ = 0;
    try {
        return lower_text();
    } catch (const TooLarge &reason) {
        findings_.error(text, 0, reason.message);
        return {};
    }
}

int Lowering::scalar_formula(const FormulaText &text, const Node &tree, int field) {
    const Lowered value = formula(text, tree, field);
    return is_scalar(tree, value) ? value.terms[0] : -1;
}

void Lowering::count_work() {
    if (static_cast<int>(graph().terms().size()) > most_terms) {
        throw TooLarge{
            "the formulas have more than 100000 terms after derivatives are replaced by differences; use "
            "fewer nested derivatives, or make a part a field of its own"};
    }
    if (++work_ > most_work) {
        throw TooLarge{
            "the formulas are too large to expand, because parts that use each other several times multiply; "
            "use fewer nested derivatives, or make a part a field of its own"};
    }
}

Lowered Lowering::lower(const Node &node, const Shift &shift) {
    std::vector<const Node *> chain;
    const Node *first = &node;
    for (; is_chain(*first) && !known_.contains({first, shift}); first = &first->children[0]) {
        chain.push_back(first);
    }
    Lowered value = lower_whole(*first, shift, nullptr);
    for (; !chain.empty(); chain.pop_back()) {
        value = lower_whole(*chain.back(), shift, &value);
    }
    return value;
}

Lowered Lowering::lower_whole(const Node &node, const Shift &shift, const Lowered *first) {
    const auto known = known_.find({&node, shift});
    if (known != known_.end()) {
        return known->second;
    }
    count_work();
    for (int axis = 0; axis < 3; ++axis) {
        const int beside = std::abs(shift.face) == axis + 1 ? 1 : 0;  // slopes at a face
        if (std::abs(shift.cells[axis]) + beside > largest_radius) {
            if (!too_far_) {
                findings_.error(
                    *text_, 0,
                    fmt::format("this formula reaches more than {} cells away along {}; use fewer nested "
                                "derivatives, or make what is differentiated a field of its own",
                                largest_radius, "xyz"[axis]));
            }
            too_far_ = true;
            return {};
        }
    }
    if (++depth_ > most_levels) {
        throw TooLarge{"too many parts and derivatives are nested; make some of them fields of their own"};
    }
    Lowered value;
    if (node.kind == NodeKind::number) {
        value = {1, {builder_.number(node.number), -1, -1}};
    } else if (node.kind == NodeKind::name) {
        value = lower_name(node, shift);
    } else if (node.kind == NodeKind::vector) {
        value = lower_vector(node, shift);
    } else {
        value = checked(node, lower_call(node, shift, first));
    }
    --depth_;
    known_[{&node, shift}] = value;
    return value;
}

Lowered Lowering::lower_name(const Node &node, const Shift &shift) {
    const Symbol *symbol = symbols_.find(node.name);
    if (symbol == nullptr) {
        return {};
    }
    const auto scalar_of = [](int term) { return Lowered{1, {term, -1, -1}}; };
    switch (symbol->kind) {
        case Symbol::Kind::number:
            return {1, {builder_.number(symbol->number), -1, -1}};
        case Symbol::Kind::time:
            return scalar_of(builder_.leaf(Operation::TIME));
        case Symbol::Kind::parameter:
            return scalar_of(builder_.leaf(Operation::PARAMETER, symbol->index));
        case Symbol::Kind::coordinate:
            return scalar_of(coordinate(symbol->index, shift));
        case Symbol::Kind::field:
            return scalar_of(in_cell(Operation::FIELD, symbol->index, shift));
        case Symbol::Kind::coefficient:
            return scalar_of(in_cell(Operation::COEFFICIENT, symbol->index, shift));
        case Symbol::Kind::part:
            break;
    }
    const Part &part = symbols_.parts()[symbol->index];
    if (!part.usable) {
        return {};
    }
    const bool outside = inside_part_;
    inside_part_ = true;
    const Lowered value = lower(part.tree, shift);
    inside_part_ = outside;
    return value;
}

/// Of a field or a coefficient.
int Lowering::in_cell(Operation operation, int index, const Shift &shift) {
    return shift.face == 0 ? builder_.leaf(operation, index, shift.cells) : limited(operation, index, shift);
}

int Lowering::coordinate(int axis, const Shift &shift) {
    std::array<int, 3> along{0, 0, 0};  // x is the same in cells that differ in y alone
    along[axis] = shift.cells[axis];
    const int centre = builder_.leaf(Operation::COORDINATE, axis, along);
    if (std::abs(shift.face) != axis + 1) {
        return centre;
    }
    const int half = spacing(axis, SpacingFactor::half);
    return shift.face > 0 ? builder_.add(centre, half) : builder_.subtract(centre, half);
}

Lowered Lowering::lower_vector(const Node &node, const Shift &shift) {
    Lowered value;
    bool usable = static_cast<int>(node.children.size()) == dimensions_;
    if (!usable) {
        fail(node, fmt::format("this vector has {} components, but the grid has {} dimensions; write one "
                               "component for each dimension",
                               node.children.size(), dimensions_));
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const int term = scalar(node.children[i], shift);
        usable = usable && term >= 0;
        if (usable) {
            value.terms[i] = term;
        }
    }
    value.components = usable ? dimensions_ : 0;
    return value;
}

Lowered Lowering::checked(const Node &node, const Lowered &value) {
    for (int i = 0; i < value.components; ++i) {
        const Term &term = builder_.term(value.terms[i]);
        if (term.operation == Operation::NUMBER && !std::isfinite(term.number)) {
            return fail(node, fmt::format("'{}' has no finite value", excerpt(node)));
        }
    }
    return value;
}

int Lowering::scalar(const Node &node, const Shift &shift) {
    const Lowered value = lower(node, shift);
    return is_scalar(node, value) ? value.terms[0] : -1;
}

bool Lowering::is_scalar(const Node &node, const Lowered &value) {
    if (value.components > 1) {
        fail(node, fmt::format("'{}' is a vector, but a scalar is needed; use div(..), dot(.., ..) or a "
                               "single component such as dx(..)",
                               excerpt(node)));
    }
    return value.components == 1;
}

bool Lowering::is_vector(const Node &node, const Lowered &value) {
    if (value.components == 1 && dimensions_ > 1) {
        fail(node, fmt::format("'{}' is a scalar, but a vector is needed; write {} or grad(..)",
                               excerpt(node), dimensions_ == 2 ? "(a, b)" : "(a, b, c)"));
    }
    return value.components == dimensions_;
}

int Lowering::components_of(const Node &node) {
    int components = 1;
    for (const Node *at = &node;;) {
        const auto known = components_.find(at);
        if (known != components_.end()) {
            components = known->second;
            break;
        }
        if (at->kind == NodeKind::name) {
            const Symbol *symbol = symbols_.find(at->name);
            if (symbol == nullptr || symbol->kind != Symbol::Kind::part ||
                !symbols_.parts()[symbol->index].usable) {
                break;
            }
            at = &symbols_.parts()[symbol->index].tree;
        } else if (at->kind == NodeKind::vector || (at->kind == NodeKind::call && at->name == "grad")) {
            components = dimensions_;
            break;
        } else if (at->kind == NodeKind::call && (is_chain(*at) || at->name == "negate")) {
            if (at->name == "*" && components_of(at->children[1]) > 1) {
                components = dimensions_;
                break;
            }
            at = &at->children[0];
        } else {
            break;
        }
    }
    components_[&node] = components;
    return components;
}

Lowered Lowering::fail(const Node &node, const std::string &message) {
    if (!inside_part_) {
        findings_.error(*text_, node.begin, message);
    }
    return {};
}

std::string Lowering::excerpt(const Node &node) const {
    if (inside_part_) {
        return {};  // of another text; and nobody sees it
    }
    const auto size = static_cast<int>(text_->text.size());
    const int begin = std::clamp(node.begin, 0, size);
    return shorten(text_->text.substr(begin, std::clamp(node.end, begin, size) - begin));
}

}  // namespace perdure::systems
