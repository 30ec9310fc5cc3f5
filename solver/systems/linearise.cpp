#include "solver/systems/linearise.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "solver/systems/arrange.hpp"
#include "solver/systems/side_terms.hpp"
#include "solver/systems/tangents.hpp"

namespace perdure::systems {
namespace {

/// Field f has field n + f for its direction.
Direction towards_directions(int fields) {
    return [fields](const Term &field, TermBuilder &to) {
        return to.leaf(Operation::FIELD, fields + field.index, field.offset);
    };
}

Direction towards_itself(int field) {
    return [field](const Term &term, TermBuilder &to) {
        const bool is_it = term.index == field && term.offset == std::array<int, 3>{0, 0, 0};
        return is_it ? to.number(1.0) : -1;
    };
}

void linearise_rates(const System &system, System &out) {
    const auto fields = static_cast<int>(system.fields.size());
    TermBuilder to;
    Tangents tangents(system.rates, to);
    const std::vector<int> &rates = system.implicit_of.empty() ? system.rate_of : system.implicit_of;
    std::vector<int> roots;
    for (const int rate : rates) {
        roots.push_back(tangents.place(rate));
    }
    std::ranges::copy(tangents.along(towards_directions(fields), rates), std::back_inserter(roots));
    for (int field = 0; field < fields; ++field) {
        roots.push_back(tangents.along(towards_itself(field), {rates[field]}).front());
    }
    for (const int rate : system.explicit_of) {
        roots.push_back(tangents.place(rate));
    }
    Arranged arranged = arrange(to.graph(), roots);
    out.rates = std::move(arranged.graph);
    out.rate_of = std::move(arranged.roots);
}

/// The place of h / 2 of an axis among the parameters of a system (solver/systems/lowering.hpp).
int half_spacing(const System &system, int axis) {
    const std::string name = fmt::format("h{} / 2", "xyz"[axis]);
    const auto found = std::ranges::find(system.parameters, name, &std::pair<std::string, double>::first);
    return static_cast<int>(found - system.parameters.begin());
}

/// Sides of fields and of their directions.
class LinearisedSides {
  public:
    LinearisedSides(const System &system, System &out)
        : system_(system), out_(out), tangents_(system.sides, to_) {}

    void make() {
        const auto fields = static_cast<int>(system_.fields.size());
        for (const bool of_directions : {false, true}) {
            for (int field = 0; field < fields; ++field) {
                std::array<SystemSideTerms, 6> &sides = out_.sides_of.emplace_back();
                for (int side = 0; side < 6; ++side) {
                    const SystemSideTerms &of = system_.sides_of[field][side];
                    sides[side] = of_directions ? of_direction(of, field, side) : copy(of);
                }
            }
        }
        out_.sides = arrange_sides(to_.graph(), out_.sides_of);
    }

  private:
    [[nodiscard]] SystemSideTerms copy(const SystemSideTerms &of) const {
        return {of.kind, tangents_.place(of.values), tangents_.place(of.coefficient)};
    }

    SystemSideTerms of_direction(const SystemSideTerms &of, int field, int side) {
        if (of.values < 0) {
            return of;
        }
        const Direction direction = towards_directions(static_cast<int>(system_.fields.size()));
        SystemSideTerms found{of.kind, tangents_.along(direction, {of.values}).front(),
                              tangents_.place(of.coefficient)};
        if (of.coefficient >= 0) {
            const int change = tangents_.along(direction, {of.coefficient}).front();
            if (!to_.is_number(change, 0.0)) {
                found.values = to_.add(found.values, to_.multiply(relative(change, found.coefficient),
                                                                  drop_at_face(copy(of), field, side)));
            }
        }
        return found;
    }

    /// change / coefficient; 0 where nothing is exchanged.
    int relative(int change, int coefficient) {
        const int none = to_.apply(Operation::EQUAL, coefficient, to_.number(0.0));
        return to_.apply(Operation::SELECT, none, to_.number(0.0), to_.divide(change, coefficient));
    }

    /// values - u at the face, with u_inside and what kernels/system_sides.h continues it by to the first cell beyond.
    int drop_at_face(const SystemSideTerms &side, int field, int number) {
        const int half = to_.leaf(Operation::PARAMETER, half_spacing(system_, number / 2));
        const int inside = to_.leaf(Operation::FIELD, field);
        const int below = to_.add(to_.number(1.0), to_.multiply(half, side.coefficient));
        return to_.divide(to_.subtract(side.values, inside), below);
    }

    const System &system_;
    System &out_;
    TermBuilder to_;
    Tangents tangents_;
};

bool depends_on_fields_below(const Graph &graph, const std::vector<int> &roots, int fields) {
    const std::vector<char> needed = needed_terms(graph, roots);
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Term &term = graph.terms()[i];
        if (needed[i] != 0 && term.operation == Operation::FIELD && term.index < fields) {
            return true;
        }
    }
    return false;
}

}  // namespace

System linearised(const System &system) {
    System out = system;
    out.sides_of.clear();
    out.implicit_of.clear();
    out.explicit_of.clear();
    for (const std::string &field : system.fields) {
        out.fields.push_back("change of " + field);
    }
    linearise_rates(system, out);
    LinearisedSides(system, out).make();
    return out;
}

bool has_constant_derivative(const System &linearised) {
    const auto fields = static_cast<int>(linearised.fields.size() / 2);
    const auto first = linearised.rate_of.begin() + fields;
    const std::vector<int> derivatives(first, first + 2 * fields);
    std::vector<int> at_sides;
    for (std::size_t field = fields; field < linearised.sides_of.size(); ++field) {
        for (const SystemSideTerms &side : linearised.sides_of[field]) {
            for (const int place : {side.values, side.coefficient}) {
                if (place >= 0) {
                    at_sides.push_back(place);
                }
            }
        }
    }
    return !depends_on_fields_below(linearised.rates, derivatives, fields) &&
           !depends_on_fields_below(linearised.sides, at_sides, fields);
}

}  // namespace perdure::systems
