#include "solver/systems/reuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "solver/systems/apply.hpp"
#include "solver/systems/arrange.hpp"

namespace perdure::systems {
namespace {

/// Larger graphs are left as they are: finding what to reuse takes time that grows with the square of their terms.
constexpr std::size_t most_terms_compared = 2000;
/// An item of a GPU has 64 registers of 4 bytes, most of which formulas need themselves. Shallow water in float64, which needs more for what it
/// reuses, took 246 us a step of 2048^2 on an H100, and 193 without; in float32 95, and 114.
constexpr std::int64_t most_registers = 12;
constexpr int most_rounds = 4;
/// What it costs to keep a value: a register pair and, where there is none left, a store and a load.
constexpr double cost_of_keeping = 4.0;
/// Texts that save less than this part are not worth the statements before the first cell. Columns along y, in 2D, are other cells than
/// a lane has elsewhere (column_of_lane() of kernels/chunks.h): warps load at different times what they share.
constexpr double least_saving = 0.1;
constexpr double least_saving_along_y = 0.22;

/// About how many instructions of a GPU a term takes. Fields of the cell itself are loaded anyway, to be advanced.
double cost_of(const Term &term) {
    switch (term.operation) {
        case Operation::NUMBER:
        case Operation::PARAMETER:
        case Operation::TIME:
        case Operation::NEGATE:
        case Operation::ABSOLUTE:
            return 0.0;
        case Operation::ADD:
        case Operation::SUBTRACT:
        case Operation::MULTIPLY:
        case Operation::FUSED_PRODUCT:
            return 1.0;
        case Operation::FIELD:
            return term.offset == std::array<int, 3>{0, 0, 0} ? 0.0 : 6.0;
        case Operation::COEFFICIENT:
            return 6.0;
        case Operation::MINIMUM:
        case Operation::MAXIMUM:
        case Operation::FLOOR:
        case Operation::LESS:
        case Operation::LESS_OR_EQUAL:
        case Operation::EQUAL:
        case Operation::AND:
        case Operation::OR:
        case Operation::NOT:
        case Operation::SELECT:
            return 3.0;
        case Operation::COORDINATE:
            return 10.0;
        case Operation::DIVIDE:
        case Operation::SQUARE_ROOT:
            return 20.0;
        case Operation::NOISE:
            return 150.0;
        default:
            return 40.0;
    }
}

/// Of each term its counterpart in the cell ahead, -1: the graph has none; the term itself where its value is the same in all cells.
class TermsAhead {
  public:
    TermsAhead(const Graph &graph, int axis) : axis_(axis), ahead_(graph.terms().size(), -1) {
        const std::vector<Term> &terms = graph.terms();
        for (std::size_t i = 0; i < terms.size(); ++i) {
            places_.emplace(Graph::key_of(terms[i]), static_cast<int>(i));
        }
        for (std::size_t i = 0; i < terms.size(); ++i) {
            ahead_[i] = find(terms[i]);
        }
    }

    [[nodiscard]] int of(int term) const { return ahead_[term]; }

  private:
    [[nodiscard]] int find(Term term) const {
        switch (term.operation) {
            case Operation::FIELD:
            case Operation::COEFFICIENT:
            case Operation::RANDOM:
            case Operation::NOISE:
                ++term.offset[axis_];
                break;
            case Operation::COORDINATE:
                term.offset[axis_] += term.index == axis_ ? 1 : 0;
                break;
            default:
                for (int k = 0; k < arguments_of(term.operation); ++k) {
                    term.arguments[k] = ahead_[term.arguments[k]];
                    if (term.arguments[k] < 0) {
                        return -1;
                    }
                }
        }
        const auto found = places_.find(Graph::key_of(term));
        return found == places_.end() ? -1 : found->second;
    }

    int axis_;
    std::map<Graph::Key, int> places_;
    std::vector<int> ahead_;
};

/// What a cell computes where some terms are reused.
class Selection {
  public:
    Selection(const Graph &graph, const std::vector<int> &roots, const TermsAhead &ahead)
        : graph_(graph), roots_(roots), ahead_(ahead) {}

    /// Marks of terms: those that are computed, and those of `reusable` that are needed.
    struct Marks {
        std::vector<char> computed, reused;
    };

    [[nodiscard]] Marks marks(const std::vector<char> &reusable) const {
        Marks marks{std::vector<char>(reusable.size(), 0), std::vector<char>(reusable.size(), 0)};
        std::vector<int> open = roots_;
        while (!open.empty()) {
            const int term = open.back();
            open.pop_back();
            if (marks.computed[term] != 0 || marks.reused[term] != 0) {
                continue;
            }
            if (reusable[term] != 0) {
                marks.reused[term] = 1;
                open.push_back(ahead_.of(term));
                continue;
            }
            marks.computed[term] = 1;
            const Term &of = graph_.terms()[term];
            open.insert(open.end(), of.arguments.begin(), of.arguments.begin() + arguments_of(of.operation));
        }
        return marks;
    }

    [[nodiscard]] double cost(const Marks &marks, double keeping = cost_of_keeping) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < marks.computed.size(); ++i) {
            sum += marks.computed[i] != 0 ? cost_of(graph_.terms()[i]) : 0.0;
            sum += marks.reused[i] != 0 ? keeping : 0.0;
        }
        return sum;
    }

    /// Gives up the values that cost more than they save, one by one, in a few rounds: what one of them saves depends on the others.
    [[nodiscard]] std::vector<char> worth_keeping(std::vector<char> reusable) const {
        Marks best = marks(reusable);
        double least = cost(best);
        bool improved = true;
        for (int round = 0; round < most_rounds && improved; ++round) {
            improved = false;
            for (std::size_t i = 0; i < reusable.size(); ++i) {
                if (best.reused[i] == 0) {
                    continue;
                }
                reusable[i] = 0;
                Marks without = marks(reusable);
                if (const double of_these = cost(without); of_these < least) {
                    least = of_these;
                    best = std::move(without);
                    improved = true;
                } else {
                    reusable[i] = 1;
                }
            }
        }
        return best.reused;
    }

  private:
    const Graph &graph_;
    const std::vector<int> &roots_;
    const TermsAhead &ahead_;
};

}  // namespace

std::vector<ReusedValue> reused_values(const Graph &graph, const std::vector<int> &roots, int axis,
                                       std::int64_t bytes_of_value) {
    const std::size_t count = graph.terms().size();
    if (count > most_terms_compared) {
        return {};
    }
    const TermsAhead ahead(graph, axis);
    const Selection selection(graph, roots, ahead);
    const std::vector<char> nothing(count, 0);
    std::vector<char> reusable(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const int counterpart = ahead.of(static_cast<int>(i));
        reusable[i] = counterpart >= 0 && counterpart != static_cast<int>(i) ? 1 : 0;
    }
    const std::vector<char> reused = selection.worth_keeping(reusable);
    constexpr std::int64_t bytes_of_register = 4;
    if (std::count(reused.begin(), reused.end(), 1) * bytes_of_value > most_registers * bytes_of_register) {
        return {};
    }
    const double all = selection.cost(selection.marks(nothing), 0.0);
    const double least = axis == 1 ? least_saving_along_y : least_saving;
    if (selection.cost(selection.marks(reused), 0.0) > (1.0 - least) * all) {
        return {};
    }
    std::vector<ReusedValue> values;
    for (int i = 0; i < static_cast<int>(count); ++i) {
        if (reused[i] != 0) {
            values.push_back({i, ahead.of(i)});
        }
    }
    return values;
}

ReusingText print_reusing_rates(const System &system, int axis, std::int64_t bytes_of_value) {
    const std::vector<ReusedValue> reused = reused_values(system.rates, system.rate_of, axis, bytes_of_value);
    std::vector<int> first, known, roots = system.rate_of;
    std::string to_reuse_first, to_reuse;
    ReusingText text;
    if (reused.empty()) {
        return text;
    }
    for (const ReusedValue &one : reused) {
        first.push_back(one.value);
        known.push_back(one.value);
        roots.push_back(one.ahead);
        to_reuse_first += fmt::format("VALUE_TO_REUSE({}, r{});\n", text.values, one.value);
        to_reuse += fmt::format("VALUE_TO_REUSE({}, r{});\n", text.values, one.ahead);
        text.rates += fmt::format("const real_t r{} = VALUE_REUSED({});\n", one.value, text.values);
        ++text.values;
    }
    text.first = print_terms(system.rates, first) + to_reuse_first;
    text.rates += print_terms(system.rates, roots, known) + print_results(system) + to_reuse;
    return text;
}

}  // namespace perdure::systems
