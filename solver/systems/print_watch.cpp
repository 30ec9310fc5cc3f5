#include <fmt/format.h>

#include <algorithm>

#include "kernels/run.h"
#include "solver/systems/system.hpp"
#include "solver/systems/watch.hpp"

namespace perdure::systems {
namespace {

std::string case_of(std::size_t number, const std::string &statements) {
    return fmt::format("case {}: {{\n{}break; }}\n", number, statements);
}

void append(const RowProgram &program, std::uint32_t begin, WatchPrograms &all) {
    const auto at = begin + static_cast<std::uint32_t>(all.instructions.size());
    all.instructions.insert(all.instructions.end(), program.instructions.begin(), program.instructions.end());
    all.programs.push_back({at, at + static_cast<std::uint32_t>(program.instructions.size())});
    all.registers = std::max(all.registers, program.registers);
}

}  // namespace

std::vector<std::vector<std::size_t>> passes_of(const Watch &watch) {
    std::vector<std::vector<std::size_t>> passes;
    for (std::size_t i = 0; i < watch.reductions.size(); ++i) {
        if (i % MAX_SUMS == 0) {
            passes.emplace_back();
        }
        passes.back().push_back(i);
    }
    return passes;
}

std::vector<std::string> column_names(const Watch &watch) {
    std::vector<std::string> columns{"time", "step"};
    for (const Watch::Integral &integral : watch.integrals) {
        columns.push_back(integral.name);
    }
    for (const Watch::Probe &probe : watch.probes) {
        for (const Watch::ProbedFormula &of : probe.of) {
            for (std::size_t i = 0; i < probe.points.size(); ++i) {
                columns.push_back(probe.is_line ? fmt::format("{}_{}_{}", probe.name, of.name, i)
                                                : fmt::format("{}_{}", probe.name, of.name));
            }
        }
    }
    return columns;
}

std::vector<std::pair<std::string, std::string>> print_watch(const Watch &watch) {
    std::string watched, probed, stop;
    const auto passes = passes_of(watch);
    for (std::size_t pass = 0; pass < passes.size(); ++pass) {
        std::vector<int> roots;
        std::string reduced;
        for (const std::size_t number : passes[pass]) {
            const Watch::Reduction &reduction = watch.reductions[number];
            roots.push_back(reduction.term);
            reduced += fmt::format("WATCH_REDUCE({}u, {}u, r{});\n", number % MAX_SUMS, reduction.kind,
                                   reduction.term);
        }
        watched += case_of(pass, print_terms(watch.cells, roots) + reduced);
    }
    for (std::size_t i = 0; i < watch.formulas.size(); ++i) {
        probed += case_of(i, print_terms(watch.at_points, {watch.formulas[i]}) +
                                 fmt::format("PROBED(r{});\n", watch.formulas[i]));
    }
    if (watch.stop_when >= 0) {
        stop = print_terms(watch.stop, {watch.stop_when}) + fmt::format("STOP_WHEN(r{});\n", watch.stop_when);
    }
    return {{"SYSTEM_WATCHED", watched}, {"SYSTEM_PROBED", probed}, {"SYSTEM_STOP", stop}};
}

WatchPrograms watch_programs(const Watch &watch, std::uint32_t begin, std::uint32_t fields) {
    WatchPrograms all;
    for (const std::vector<std::size_t> &pass : passes_of(watch)) {
        std::vector<std::pair<int, int>> results;
        for (const std::size_t number : pass) {
            results.emplace_back(watch.reductions[number].term, static_cast<int>(fields + number));
        }
        append(program_of(watch.cells, results), begin, all);
    }
    const auto of_point = static_cast<int>(fields + watch.reductions.size());
    for (const int formula : watch.formulas) {
        append(program_of(watch.at_points, {{formula, of_point}}), begin, all);
    }
    append(watch.stop_when < 0 ? RowProgram() : program_of(watch.stop, {{watch.stop_when, 0}}), begin, all);
    return all;
}

}  // namespace perdure::systems
