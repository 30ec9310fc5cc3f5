#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <utility>

#include "solver/systems/arrange.hpp"
#include "solver/systems/divide_rates.hpp"
#include "solver/systems/formula_findings.hpp"
#include "solver/systems/jumps.hpp"
#include "solver/systems/lowering.hpp"
#include "solver/systems/side_terms.hpp"
#include "solver/systems/system.hpp"
#include "solver/systems/units.hpp"

namespace perdure::systems {
namespace {

/// Checks and lowers the formulas of a system, one kind after the other; all findings are kept.
class SystemMaker {
  public:
    SystemMaker(const SystemConfig &config, const Grid &grid)
        : config_(config),
          grid_(grid),
          symbols_(config, grid.axes(), findings_),
          rates_(symbols_, static_cast<int>(config.parameters.size()), grid.axes(), findings_),
          sides_(symbols_, static_cast<int>(config.parameters.size()), grid.axes(), findings_) {}

    System make() {
        check_parts(symbols_, rates_, findings_);
        lower_rates();
        lower_sides();
        look_at_initial_values();
        findings_.throw_if_any();
        arrange_rates();
        findings_.throw_if_any();
        order_sides();
        warn_of_unused_names();
        warn_of_jumps(config_, symbols_, findings_);
        warn_of_units(config_, symbols_, grid_.axes(), findings_);
        fill_in_names();
        system_.warnings = findings_.warnings();
        return std::move(system_);
    }

  private:
    /// The term of a formula, -1 with a finding.
    int lower(Lowering &lowering, const FormulaText &text, FormulaUse use, int field) {
        formulas::Node &tree = trees_.emplace_back();
        if (!parse_formula(text, tree, findings_)) {
            return -1;
        }
        use_names(tree);
        symbols_.check(text, tree, use, findings_);
        return lowering.scalar_formula(text, tree, field);
    }

    void use_names(const formulas::Node &tree) {
        for (const formulas::Node *name : formulas::names_in(tree)) {
            used_names_.insert(name->name);
        }
    }

    void lower_rates() {
        for (std::size_t field = 0; field < config_.fields.size(); ++field) {
            system_.rate_of.push_back(
                lower(rates_, config_.fields[field].rate, FormulaUse::rate, static_cast<int>(field)));
            if (!config_.implicit_terms.empty() && system_.rate_of.back() >= 0) {
                const DividedRate divided =
                    ImplicitTerms(config_, static_cast<int>(field)).divide(trees_.back(), rates_);
                system_.implicit_of.push_back(divided.implicit);
                system_.explicit_of.push_back(divided.others);
                named_as_implicit_.insert(divided.names.begin(), divided.names.end());
            }
        }
        if (findings_.errors() == 0) {
            refuse_names_without_terms(config_, named_as_implicit_, findings_);
        }
    }

    void lower_sides() {
        for (const SystemField &field : config_.fields) {
            std::array<SystemSideTerms, 6> &terms = system_.sides_of.emplace_back();
            for (int side = 0; side < 2 * grid_.dimensions; ++side) {  // of a line the closed ones, too
                const SystemSide &given = field.sides[side];
                terms[side].kind = given.kind;
                if (given.kind != SideKind::periodic) {
                    terms[side].values = lower(sides_, given.values, FormulaUse::side, -1);
                }
                if (given.kind == SideKind::exchange) {
                    terms[side].coefficient = lower(sides_, given.coefficient, FormulaUse::side, -1);
                }
            }
        }
    }

    void look_at_initial_values() {
        Lowering scratch(symbols_, static_cast<int>(config_.parameters.size()), grid_.axes(), findings_);
        for (const SystemField &field : config_.fields) {
            if (field.initial.kind == ValueSource::Kind::expression) {
                const FormulaText &text = initial_texts_.emplace_back(
                    FormulaText{field.initial.expression, field.initial.position});
                lower(scratch, text, FormulaUse::initial, -1);
            }
        }
    }

    void arrange_rates() {
        std::vector<int> roots = system_.rate_of;
        roots.insert(roots.end(), system_.implicit_of.begin(), system_.implicit_of.end());
        roots.insert(roots.end(), system_.explicit_of.begin(), system_.explicit_of.end());
        Arranged arranged = arrange(rates_.graph(), roots);
        system_.rates = std::move(arranged.graph);
        auto next = arranged.roots.begin();
        for (std::vector<int> *places : {&system_.rate_of, &system_.implicit_of, &system_.explicit_of}) {
            std::copy_n(next, places->size(), places->begin());
            next += std::ssize(*places);
        }
        if (const int fastest = rates_.fastest_wave(); fastest >= 0) {
            arrange_others();
            arrange_waves(fastest);
        }
        for (std::size_t field = 0; field < config_.fields.size(); ++field) {
            const Term &rate = system_.rates.terms()[system_.rate_of[field]];
            if (rate.operation == Operation::NUMBER && rate.number == 0.0) {
                findings_.warn(config_.fields[field].rate, 0,
                               fmt::format("the rate of '{}' is 0, so the field keeps its initial value",
                                           config_.fields[field].name));
            }
            check_reach(config_.fields[field].rate, system_.rate_of[field]);
        }
        for (const Term &term : system_.rates.terms()) {
            system_.depends_on_time = system_.depends_on_time || term.operation == Operation::TIME ||
                                      term.operation == Operation::NOISE;
        }
    }

    void arrange_waves(int fastest) {
        if (std::ranges::any_of(system_.others.terms(),
                                [](const Term &term) { return term.operation == Operation::FIELD; })) {
            system_.parameter_of_others =
                static_cast<int>(config_.parameters.size() + spacing_parameters(grid_).size());
            TermBuilder &to = rates_.builder();
            fastest = to.add(fastest, to.leaf(Operation::PARAMETER, system_.parameter_of_others));
        }
        Arranged waves = arrange(rates_.graph(), {fastest});
        system_.waves = std::move(waves.graph);
        system_.fastest_wave = waves.roots[0];
    }

    /// Of formulas without findings.
    void arrange_others() {
        Lowering others(symbols_, static_cast<int>(config_.parameters.size()), grid_.axes(), findings_);
        others.leave_out_waves();
        std::vector<int> roots;
        for (std::size_t field = 0; field < config_.fields.size(); ++field) {
            roots.push_back(
                others.scalar_formula(config_.fields[field].rate, trees_[field], static_cast<int>(field)));
        }
        Arranged arranged = arrange(others.graph(), roots);
        system_.others = std::move(arranged.graph);
        system_.other_of = std::move(arranged.roots);
    }

    void check_reach(const FormulaText &rate, int root) {
        const std::array<int, 3> reach = reach_of(system_.rates, {root});
        refuse_reach(rate, reach, grid_, findings_);
        for (int axis = 0; axis < 3; ++axis) {
            system_.reach[axis] = std::max(system_.reach[axis], reach[axis]);
        }
    }

    void order_sides() {
        system_.sides = arrange_sides(sides_.graph(), system_.sides_of);
        for (const Term &term : system_.sides.terms()) {
            system_.depends_on_time = system_.depends_on_time || term.operation == Operation::TIME;
        }
    }

    /// Parts may use those before them alone: the last first.
    void warn_of_unused_names() {
        const std::vector<Part> &parts = symbols_.parts();
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            if (used_names_.contains(part->name)) {
                use_names(part->tree);
            } else {
                findings_.warn(part->text, 0, fmt::format("no formula uses the part '{}'", part->name));
            }
        }
        for (const auto &[name, value] : config_.parameters) {
            const auto position = config_.parameter_positions.find(name);
            if (!used_names_.contains(name) && position != config_.parameter_positions.end()) {
                findings_.warn({name, position->second}, 0,
                               fmt::format("no formula uses the parameter '{}'", name));
            }
        }
    }

    void fill_in_names() {
        for (const SystemField &field : config_.fields) {
            system_.fields.push_back(field.name);
        }
        for (const auto &[name, source] : config_.coefficients) {
            system_.coefficients.push_back(name);
        }
        system_.parameters = config_.parameters;
        const auto of_grid = spacing_parameters(grid_);
        system_.parameters.insert(system_.parameters.end(), of_grid.begin(), of_grid.end());
        if (system_.parameter_of_others >= 0) {
            system_.parameters.emplace_back("what other terms add to the fastest wave", 0.0);
        }
    }

    const SystemConfig &config_;
    const Grid &grid_;
    FormulaFindings findings_;
    Symbols symbols_;
    Lowering rates_, sides_;
    std::deque<formulas::Node> trees_;  // those of rates first
    std::deque<FormulaText> initial_texts_;
    std::set<std::string> used_names_, named_as_implicit_;
    System system_;
};

}  // namespace

void check_parts(Symbols &symbols, Lowering &lowering, FormulaFindings &findings) {
    std::vector<Part> &parts = symbols.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].parsed) {
            continue;
        }
        const std::size_t before = findings.errors();
        symbols.check(parts[i].text, parts[i].tree, FormulaUse::part, findings, static_cast<int>(i));
        const bool has_value = lowering.formula(parts[i].text, parts[i].tree).components > 0;
        parts[i].usable = has_value && findings.errors() == before;
    }
}

void refuse_reach(const FormulaText &formula, const std::array<int, 3> &reach, const Grid &grid,
                  FormulaFindings &findings) {
    for (int axis = 0; axis < 3; ++axis) {
        if (reach[axis] > grid.cells[axis]) {
            findings.error(formula, 0,
                           fmt::format("this formula reaches {} cells away along {}, but the grid has only "
                                       "{} there; use at least {}",
                                       reach[axis], "xyz"[axis], grid.cells[axis], reach[axis]));
        }
    }
}

System make_system(const SystemConfig &config, const Grid &grid) {
    return SystemMaker(config, grid).make();
}

namespace {

/// The term of a formula that belongs to no equation. Throws Failure with all findings, those before it too.
int lower_alone(const FormulaText &formula, FormulaUse use, const Symbols &symbols, Lowering &lowering,
                FormulaFindings &findings) {
    formulas::Node tree;
    int value = -1;
    if (parse_formula(formula, tree, findings)) {
        symbols.check(formula, tree, use, findings);
        value = lowering.scalar_formula(formula, tree);
    }
    findings.throw_if_any();
    return value;
}

}  // namespace

CellFormula make_cell_formula(const SystemConfig &config, const FormulaText &formula, const Grid &grid) {
    FormulaFindings findings;
    Symbols symbols(config, grid.axes(), findings);
    Lowering lowering(symbols, static_cast<int>(config.parameters.size()), grid.axes(), findings);
    check_parts(symbols, lowering, findings);
    const int value = lower_alone(formula, FormulaUse::initial, symbols, lowering, findings);
    Arranged arranged = arrange(lowering.graph(), {value});
    return {std::move(arranged.graph), arranged.roots[0], config.parameters};
}

Expression make_expression(const FormulaText &formula, int dimensions, ExpressionOf of) {
    FormulaFindings findings;
    const SystemConfig nothing;
    const Symbols symbols(nothing, dimensions, findings);
    Lowering lowering(symbols, 0, dimensions, findings);
    const FormulaUse use = of == ExpressionOf::time     ? FormulaUse::factor
                           : of == ExpressionOf::places ? FormulaUse::value
                                                        : FormulaUse::exact;
    const int value = lower_alone(formula, use, symbols, lowering, findings);
    return {lowering.graph(), value};
}

}  // namespace perdure::systems
