#include <fmt/format.h>

#include <array>
#include <utility>

#include "solver/problem/problem_makers.hpp"
#include "solver/row_where.hpp"
#include "solver/time_spent.hpp"

namespace perdure {

namespace {

struct MakerOfType {
    ProblemType type;
    ProblemMaker make;
};

#define PERDURE_MAKER(word, problem, solves) MakerOfType{ProblemType::word, make_problem_of_##problem},
constexpr std::array makers{PERDURE_EQUATIONS(PERDURE_MAKER)};
#undef PERDURE_MAKER

}  // namespace

std::string largest_of(const Problem &problem) {
    std::string names;
    for (const Field &field : problem.fields) {
        names += fmt::format("{}|{}|", names.empty() ? "" : ", ", field.name);
    }
    return "max " + names;
}

namespace {

/// Of the formulas in which heat is watched: what the case has sampled for its own kernels.
std::vector<Samples> coefficients_of_watched(const SystemConfig &formulas, const Field &field) {
    std::vector<Samples> all;
    for (const auto &[name, source] : formulas.coefficients) {
        const std::string value = name.substr(0, name.find('_'));
        all.push_back(value == "a"       ? field.a
                      : value == "sigma" ? field.sigma
                      : value == "f"     ? field.f
                                         : field.capacity);
    }
    return all;
}

}  // namespace

Problem make_problem(const Config &config, std::vector<ActiveCells> &cells,
                     std::vector<CellRange> initial_cells) {
    const TimeSpent::Scope sampling(Activity::sample);
    ProblemFindings findings(config);
    Problem problem;
    problem.grid = grid_of(config.grid);
    problem.start_time = config.time ? config.time->start : 0.0;
    problem.initial_cells = std::move(initial_cells);
    cells.clear();
    row_where(makers, &MakerOfType::type, config.type, "internal error: nothing makes problems of this type")
        .make(config, findings, problem, cells);
    findings.throw_if_any();
    if (config.watched_as) {
        problem.watched = config.watched_as;
        problem.coefficients = coefficients_of_watched(*problem.watched, problem.fields.front());
    }
    problem.warnings.insert(problem.warnings.end(), findings.warnings().begin(), findings.warnings().end());
    return problem;
}

Problem make_problem(const Config &config) {
    std::vector<ActiveCells> cells;
    return make_problem(config, cells);
}

}  // namespace perdure
