#include "solver/case_file/sections.hpp"
#include "solver/case_file/value_source.hpp"

namespace perdure {
namespace {

constexpr std::array problem_types{ProblemType::diffusion, ProblemType::heat};

ValueSource read_optional(YamlMap &problem, const std::string &key, const ValueRules &rules) {
    const auto value = problem.take(key);
    return value ? read_value_source(*value, rules)
                 : default_value_source(0.0, problem.value().key_position());
}

}  // namespace

std::optional<ProblemType> read_problem(YamlMap &root, const std::filesystem::path &folder, Config &config) {
    const auto section = root.require("problem", "what to solve, such as {type: diffusion, a: 1.0, f: 1.0}");
    if (!section) {
        return std::nullopt;
    }
    YamlMap problem(*section);
    std::optional<ProblemType> type;
    if (const auto value = problem.require("type", "diffusion or heat")) {
        type = value->word(problem_types);
    }
    const ValueRules constant{folder, "only f and the values of sides may have a factor in time"};
    ValueRules scaled{folder, {}};
    if (type == ProblemType::diffusion) {
        scaled.factor_refusal = "a factor scales in time, and a diffusion problem is steady";
    }
    config.type = type.value_or(ProblemType::diffusion);
    config.a = default_value_source(0.0, section->key_position());
    if (const auto a = problem.require("a", "the coefficient of div(a grad u)")) {
        config.a = read_value_source(*a, constant);
    }
    config.sigma = read_optional(problem, "sigma", constant);
    config.f = read_optional(problem, "f", scaled);
    config.initial = read_optional(problem, "initial", constant);
    problem.finish();
    return type;
}

}  // namespace perdure
