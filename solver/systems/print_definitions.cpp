#include <array>

#include <fmt/format.h>

#include "solver/systems/reuse.hpp"
#include "solver/systems/system_memory.hpp"

namespace perdure::systems {
namespace {

/// Whether nothing has to be computed there: terms are 0 where a side has none.
bool is_closed(const System &system, const SystemSideTerms &side) {
    return side.kind == SideKind::flux && side.values >= 0 &&
           system.sides.terms()[side.values].operation == Operation::NUMBER &&
           system.sides.terms()[side.values].number == 0.0;
}

/// A text of several lines as the body of a macro.
std::string as_macro(const std::string &name, const std::string &text) {
    std::string body;
    for (const char character : text) {
        body += character == '\n' ? " \\\n" : std::string(1, character);
    }
    return fmt::format("#define {} {}\n", name, body);
}

/// Of linearised().
std::string macros_of_results(const System &system, const SystemSteps &steps) {
    if (steps.implicit == nullptr) {
        return {};
    }
    return fmt::format("#define SYSTEM_RESULTS {}\n#define SYSTEM_KNOWN_RESULTS {}u\n", system.rate_of.size(),
                       steps.implicit->divides ? 3 * (system.fields.size() / 2) : 0);
}

std::string role_macro(const std::vector<std::uint32_t> &roles) {
    std::string choices;
    for (std::size_t field = 0; field < roles.size(); ++field) {
        if (roles[field] != ROLE_NONE) {
            choices += fmt::format("(field) == {}u ? {}u : ", field, roles[field]);
        }
    }
    return fmt::format("#define SYSTEM_ROLE(field) ({}ROLE_NONE)\n", choices);
}

/// Explicit steps go through cells along the last axis.
std::string macros_of_reuse(const System &system, const SystemSteps &steps, int dimensions,
                            std::int64_t bytes_of_value) {
    if (steps.implicit != nullptr || dimensions < 2) {
        return {};
    }
    const ReusingText text = print_reusing_rates(system, dimensions - 1, bytes_of_value);
    return text.values == 0 ? std::string()
                            : fmt::format("#define SYSTEM_REUSED {}u\n#define SYSTEM_DIMENSIONS {}u\n",
                                          text.values, dimensions) +
                                  as_macro("SYSTEM_FIRST_VALUES", text.first) +
                                  as_macro("SYSTEM_REUSING_RATES", text.rates);
}

}  // namespace

std::string printed_definitions(const System &system, const SystemSteps &steps, int dimensions,
                                std::int64_t bytes_of_value) {
    std::array<std::string, 3> cases;
    for (std::size_t field = 0; field < system.sides_of.size(); ++field) {
        for (std::size_t side = 0; side < 6; ++side) {
            if (is_closed(system, system.sides_of[field][side])) {
                continue;
            }
            const std::string text = print_side(system, static_cast<int>(field), static_cast<int>(side));
            if (!text.empty()) {
                cases[side / 2] += fmt::format("case {}: {{\n{}break; }}\n", 6 * field + side, text);
            }
        }
    }
    std::string watched;
    if (system.watch) {
        for (const auto &[name, text] : print_watch(*system.watch)) {
            watched += as_macro(name, text);
        }
    }
    return fmt::format(
               "#define SYSTEM_FIELDS {}\n#define SYSTEM_STAGES {}u\n#define SYSTEM_NUMBERS {}u\n"
               "#define SYSTEM_REACH_X {}u\n#define SYSTEM_REACH_Y {}u\n#define SYSTEM_REACH_Z {}u\n",
               system.fields.size(), steps.tableau.stages, system.parameters.size(), system.reach[0],
               system.reach[1], system.reach[2]) +
           macros_of_results(system, steps) +
           fmt::format("#define SYSTEM_OPEN_X {}u\n#define SYSTEM_OPEN_Y {}u\n#define SYSTEM_OPEN_Z {}u\n",
                       cases[0].empty() ? 0 : 1, cases[1].empty() ? 0 : 1, cases[2].empty() ? 0 : 1) +
           role_macro(roles_of(system, steps)) +
           (steps.follows_waves ? as_macro("SYSTEM_WAVES", print_waves(system)) : "") +
           as_macro("SYSTEM_RATES", print_rates(system)) +
           macros_of_reuse(system, steps, dimensions, bytes_of_value) + as_macro("SYSTEM_X_SIDES", cases[0]) +
           as_macro("SYSTEM_Y_SIDES", cases[1]) + as_macro("SYSTEM_Z_SIDES", cases[2]) + watched;
}

}  // namespace perdure::systems
