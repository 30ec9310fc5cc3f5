#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <utility>

#include "solver/case_file/config.hpp"
#include "solver/systems/arrange.hpp"
#include "solver/systems/formula_findings.hpp"
#include "solver/systems/lowering.hpp"
#include "solver/systems/probe_points.hpp"
#include "solver/systems/reductions.hpp"
#include "solver/systems/watch.hpp"
#include "solver/systems/watched_faces.hpp"

namespace perdure::systems {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// Checks and lowers what is watched, one kind after the other; all findings are kept.
class WatchMaker {
  public:
    WatchMaker(const SystemConfig &config, const Grid &grid)
        : config_(config),
          grid_(grid),
          symbols_(config, grid.axes(), findings_),
          cells_(symbols_, static_cast<int>(config.parameters.size()), grid.axes(), findings_),
          reductions_(cells_.builder(), grid),
          points_(symbols_, static_cast<int>(config.parameters.size()), grid.axes(), findings_) {}

    Watch make(const std::optional<FormulaText> &stop_when) {
        check_parts(symbols_, cells_, findings_);
        lower_integrals();
        lower_errors();
        lower_probes();
        if (stop_when) {
            lower_stop(*stop_when);
        }
        findings_.throw_if_any();
        arrange_all();
        watch_.every = config_.watch.every;
        watch_.every_steps = config_.watch.every_steps > 0
                                 ? static_cast<std::uint32_t>(config_.watch.every_steps)
                             : watch_.every > 0.0 ? 0
                             : stop_when          ? 1  // else it could be true long before it is looked at
                                                  : never;
        watch_.position = config_.watch.position;
        return std::move(watch_);
    }

  private:
    /// The term of a formula, -1 with a finding.
    int lower(Lowering &lowering, const FormulaText &text, FormulaUse use) {
        formulas::Node &tree = trees_.emplace_back();
        if (!parse_formula(text, tree, findings_)) {
            return -1;
        }
        symbols_.check(text, tree, use, findings_);
        const int term = lowering.scalar_formula(text, tree);
        if (term >= 0) {
            refuse_reach(text, reach_of(lowering.graph(), {term}), grid_, findings_);
        }
        return term;
    }

    void take_name(const std::string &name, const TextPosition &position) {
        static const std::set<std::string> reserved{"time", "step"};
        if (reserved.contains(name) || !names_.insert(name).second) {
            findings_.error(position,
                            fmt::format("the series has two columns named '{}'; time, step, integrals, "
                                        "errors and values at probes need different names",
                                        name));
        }
    }

    void lower_integrals() {
        for (const IntegralConfig &asked : config_.watch.integrals) {
            take_name(asked.name, asked.position);
            if (asked.through) {
                lower_flux(asked);
                continue;
            }
            const int value = lower(cells_, asked.of, FormulaUse::watched);
            const int condition = asked.where ? lower(cells_, *asked.where, FormulaUse::watched) : -1;
            if (value >= 0 && (condition >= 0 || !asked.where)) {
                watch_.integrals.push_back(
                    {asked.name,
                     fmt::format("{} of {}{}", name(asked.quantity), asked.of.text,
                                 asked.where ? fmt::format(" where {}", asked.where->text) : ""),
                     units_of(asked), reductions_.made_of(asked.quantity, value, condition)});
            }
        }
    }

    void lower_flux(const IntegralConfig &asked) {
        const FacesConfig &faces = *asked.through;
        const std::string why_not = why_no_faces(faces, grid_);
        if (!why_not.empty()) {
            findings_.error(faces.position, fmt::format("watch.integrals.{}.flux: {}", asked.name, why_not));
            return;
        }
        formulas::Node &tree = trees_.emplace_back();
        if (!parse_formula(asked.of, tree, findings_)) {
            return;
        }
        symbols_.check(asked.of, tree, FormulaUse::watched, findings_);
        const int value = cells_.through_face(asked.of, tree, faces.axis, faces.upper);
        const int where = asked.where ? lower(cells_, *asked.where, FormulaUse::watched) : -1;
        if (value < 0 || (where < 0 && asked.where)) {
            return;
        }
        refuse_reach(asked.of, reach_of(cells_.graph(), {value}), grid_, findings_);
        TermBuilder &build = cells_.builder();
        const int at_faces = is_at_faces(faces, grid_, build);
        const int condition = where < 0 ? at_faces : build.apply(Operation::AND, at_faces, where);
        watch_.integrals.push_back(
            {asked.name,
             fmt::format("flux of {} through {}{}", asked.of.text, faces_in_words(faces),
                         asked.where ? fmt::format(" where {}", asked.where->text) : ""),
             asked.units, reductions_.sum_of(value, condition, area_of_face(faces, grid_))});
    }

    void lower_errors() {
        for (std::size_t i = 0; i < config_.fields.size(); ++i) {
            const SystemField &field = config_.fields[i];
            const int exact = field.exact ? lower(cells_, *field.exact, FormulaUse::exact) : -1;
            if (exact < 0) {
                continue;
            }
            const int error = cells_.builder().difference(
                cells_.builder().leaf(Operation::FIELD, static_cast<int>(i)), exact);
            Watch::ErrorNorms norms{field.name, {}};
            constexpr std::array quantities{WatchedQuantity::L1, WatchedQuantity::L2, WatchedQuantity::Linf};
            for (std::size_t k = 0; k < quantities.size(); ++k) {
                const std::string column = fmt::format("error_{}_{}", name(quantities[k]), field.name);
                take_name(column, field.position);
                norms.integrals[k] = watch_.integrals.size();
                watch_.integrals.push_back(
                    {column,
                     fmt::format("{} of {} - ({})", name(quantities[k]), field.name, field.exact->text), "",
                     reductions_.made_of(quantities[k], error, -1)});
            }
            watch_.errors.push_back(std::move(norms));
        }
    }

    int place_of_formula(int term) {
        const auto found = std::find(watch_.formulas.begin(), watch_.formulas.end(), term);
        if (found == watch_.formulas.end()) {
            watch_.formulas.push_back(term);
            return static_cast<int>(watch_.formulas.size() - 1);
        }
        return static_cast<int>(found - watch_.formulas.begin());
    }

    void lower_probes() {
        check_parts_at_points();
        for (const ProbeConfig &asked : config_.watch.probes) {
            Watch::Probe probe{asked.name, asked.is_line(), points_of(asked), {}};
            check_point(asked, asked.from, asked.from_position);
            if (asked.is_line()) {
                check_point(asked, asked.to, asked.to_position);
            }
            for (const auto &[name, text] : asked.of.empty() ? all_fields() : asked.of) {
                const int term = lower(points_, text, FormulaUse::watched);
                take_name(fmt::format("{}_{}", asked.name, name), asked.position);
                if (term >= 0) {
                    probe.of.push_back(
                        {asked.name, name, text.text, units_of(text.text), place_of_formula(term)});
                }
            }
            for (const Watch::ProbedFormula &of : probe.of) {
                for (const std::array<double, 3> &point : probe.points) {
                    watch_.probed.push_back(probe_at(grid_, config_, point, of.formula));
                }
            }
            watch_.probes.push_back(std::move(probe));
        }
    }

    /// What is wrong with them was said before.
    void check_parts_at_points() {
        FormulaFindings said;
        check_parts(symbols_, points_, said);
    }

    [[nodiscard]] std::vector<std::pair<std::string, FormulaText>> all_fields() const {
        std::vector<std::pair<std::string, FormulaText>> all;
        for (const SystemField &field : config_.fields) {
            all.emplace_back(field.name, FormulaText{field.name, field.position});
        }
        return all;
    }

    [[nodiscard]] std::string units_of(const IntegralConfig &integral) const {
        return integral.units.empty() && is_one_of_values(integral.quantity) ? units_of(integral.of.text)
                                                                             : integral.units;
    }

    [[nodiscard]] std::string units_of(const std::string &formula) const {
        const auto field = std::find_if(config_.fields.begin(), config_.fields.end(),
                                        [&](const SystemField &of) { return of.name == formula; });
        return field == config_.fields.end() ? "" : field->units;
    }

    void check_point(const ProbeConfig &asked, const std::array<double, 3> &point,
                     const TextPosition &position) {
        const std::string outside = why_outside(grid_, point);
        if (!outside.empty()) {
            findings_.error(position, fmt::format("watch.probes.{}: {}", asked.name, outside));
        }
    }

    /// Columns of a row are the fields of its own symbols.
    void lower_stop(const FormulaText &text) {
        SystemConfig columns;
        columns.parameters = config_.parameters;
        for (const std::string &column : column_names(watch_)) {
            SystemField &field = columns.fields.emplace_back();
            field.name = column;
        }
        FormulaFindings findings;
        const Symbols symbols(columns, grid_.axes(), findings);
        Lowering lowering(symbols, static_cast<int>(columns.parameters.size()), grid_.axes(), findings);
        formulas::Node &tree = trees_.emplace_back();
        int term = -1;
        if (parse_formula(text, tree, findings_)) {
            symbols.check(text, tree, FormulaUse::stop, findings_);
            term = lowering.scalar_formula(text, tree);
        }
        findings.throw_if_any();
        if (term < 0) {
            return;
        }
        const std::vector<char> needed = needed_terms(lowering.graph(), {term});
        for (std::size_t i = 0; i < needed.size(); ++i) {
            const Operation operation = lowering.graph().terms()[i].operation;
            if (needed[i] != 0 && (operation == Operation::COORDINATE || operation == Operation::RANDOM)) {
                findings_.error(text, 0,
                                "time.stop_when is evaluated once per row and not in a cell, so it has no x, "
                                "y, z and no random(); use an integral or a value at a probe");
                return;
            }
        }
        Arranged arranged = arrange(lowering.graph(), {term});
        watch_.stop = std::move(arranged.graph);
        watch_.stop_when = arranged.roots[0];
    }

    void arrange_all() {
        std::vector<int> roots;
        watch_.reductions = reductions_.all();
        for (const Watch::Reduction &reduction : watch_.reductions) {
            roots.push_back(reduction.term);
        }
        Arranged cells = arrange(cells_.graph(), roots);
        watch_.cells = std::move(cells.graph);
        for (std::size_t i = 0; i < roots.size(); ++i) {
            watch_.reductions[i].term = cells.roots[i];
        }
        Arranged points = arrange(points_.graph(), watch_.formulas);
        watch_.at_points = std::move(points.graph);
        watch_.formulas = std::move(points.roots);
        const std::array<int, 3> one = reach_of(watch_.cells, cells.roots),
                                 other = reach_of(watch_.at_points, watch_.formulas);
        for (int axis = 0; axis < 3; ++axis) {
            watch_.reach[axis] = std::max(one[axis], other[axis]);
        }
    }

    const SystemConfig &config_;
    const Grid &grid_;
    FormulaFindings findings_;
    Symbols symbols_;
    Lowering cells_;
    Reductions reductions_;
    Lowering points_;
    std::deque<formulas::Node> trees_;
    std::set<std::string> names_;
    Watch watch_;
};

}  // namespace

std::optional<Watch> make_watch(const SystemConfig &config, const std::optional<FormulaText> &stop_when,
                                const Grid &grid) {
    const bool has_exact = std::any_of(config.fields.begin(), config.fields.end(),
                                       [](const SystemField &field) { return field.exact.has_value(); });
    if (config.watch.integrals.empty() && config.watch.probes.empty() && !has_exact && !stop_when) {
        return std::nullopt;
    }
    return WatchMaker(config, grid).make(stop_when);
}

}  // namespace perdure::systems
