// The watched values of a system, checked and lowered to operations in each cell.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/watch_setup.h"
#include "solver/problem/problem.hpp"
#include "solver/systems/graph.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure::systems {

/// kernels/watch.h: a row of the series is time, step, integrals, values at probes.
struct Watch {
    struct Reduction {
        std::uint32_t kind = REDUCE_SUM;
        int term = -1;  // of `cells`
    };
    struct Integral {
        std::string name, meaning, units;
        watch_integral_t made{};
    };
    /// A formula at one point, or at each of the points of a line.
    struct ProbedFormula {
        std::string probe, name, meaning, units;
        int formula = -1;  // a place in `formulas`
    };
    struct Probe {
        std::string name;
        bool is_line = false;
        std::vector<std::array<double, 3>> points;
        std::vector<ProbedFormula> of;
    };
    struct ErrorNorms {
        std::string field;
        std::array<std::size_t, 3> integrals{};  // L1, L2, Linf: places in `integrals`
    };

    Graph cells;
    std::vector<Reduction> reductions;
    std::vector<Integral> integrals;
    Graph at_points;
    std::vector<int> formulas;  // terms of `at_points`
    std::vector<Probe> probes;
    std::vector<watch_probe_t>
        probed;          // values at probes: of each probe, of each of its formulas, of each of its points
    Graph stop;          // FIELDs are columns of a row
    int stop_when = -1;  // its term
    std::vector<ErrorNorms> errors;
    std::uint32_t every_steps =
        0;  // 0: in intervals of time; the largest number: at the beginning and the end alone
    double every = 0.0;
    std::array<int, 3> reach{0, 0, 0};  // cells that formulas look away along x, y, z
    TextPosition position;

    [[nodiscard]] std::size_t columns() const { return 2 + integrals.size() + probed.size(); }
};

/// Parses, checks and lowers what the case watches: the `watch` of the system, the errors of fields with an exact solution, and
/// `stop_when`, a condition of integrals, values at points, parameters and t. Nothing where nothing is watched. `end`: of the run.
/// Throws Failure(case_or_usage) with every finding.
std::optional<Watch> make_watch(const SystemConfig &config, const std::optional<FormulaText> &stop_when,
                                const Grid &grid);

/// Names of its columns in their order; those without a name of their own, of points on a line, have one that no formula has.
std::vector<std::string> column_names(const Watch &watch);

/// What kernels/watch_printed.h needs, by the names of its macros.
std::vector<std::pair<std::string, std::string>> print_watch(const Watch &watch);

/// Instructions for host threads, whose programs follow each other from `begin` on: of each pass, of each formula at points, and of
/// stop_when. `fields`: indices of RATE behind those are reductions.
struct WatchPrograms {
    std::vector<system_instruction_t> instructions;
    std::vector<watch_program_t> programs;
    int registers = 0;
};
WatchPrograms watch_programs(const Watch &watch, std::uint32_t begin, std::uint32_t fields);

/// Reductions that one pass over the cells takes, by their numbers.
std::vector<std::vector<std::size_t>> passes_of(const Watch &watch);

}  // namespace perdure::systems
