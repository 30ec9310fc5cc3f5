// A small run's case, grid and solution with every part of the report filled in.
#pragma once

#include <cmath>
#include <filesystem>
#include <limits>

#include "solver/output/check_output.hpp"
#include "solver/output/result_writer.hpp"

namespace perdure::tests {

struct SampleRun {
    Config config;
    Grid grid;
    Solution solution;
};

/// u of cell i is i + 1/8, NaN in cell 1; cells 4 x 3 (x, y) or 4 x 3 x 2 (x, y, z); step 120 at time 0.5.
template <typename Number>
SampleRun sample_run(const std::filesystem::path &folder, int dimensions) {
    SampleRun run;
    run.config.path = "cases/plate.yaml";
    run.config.text = "title: Plate\n# a comment with an umlaut: \xc3\xa4\n";
    run.config.title = "Plate";
    run.config.type = ProblemType::heat;
    run.config.output.directory = folder;
    run.grid = {dimensions, {4, 3, dimensions == 3 ? 2 : 1}, {0.5, 0.25, 2.0}, {10.0, 20.0, 30.0}};
    std::vector<Number> u(static_cast<std::size_t>(run.grid.count()));
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = static_cast<Number>(i) + Number(0.125);
    }
    u[1] = std::numeric_limits<Number>::quiet_NaN();
    run.solution.fields.push_back({"u", u, 1, "K"});
    run.solution.time = 0.5;
    run.solution.step = 120;
    Report &report = run.solution.report;
    report.version = "0.1.0";
    report.backend = "host";
    report.device = "2 threads";
    report.model = "persistent";
    report.barrier = "counter";
    report.precision = sizeof(Number) == 4 ? "float32" : "float64";
    report.method = "explicit Euler";
    report.norm = "max |u|";
    report.cells = run.grid.count();
    report.excluded_cells = 1;
    report.launches = 1;
    report.barriers = 240;
    report.iterations = 120;
    report.residual = 1.5e-9;
    report.time = 0.5;
    report.stop = StopReason::complete;
    report.history = {{10, 1.0, 0.001}, {120, 1.5e-9, std::numeric_limits<double>::quiet_NaN()}};
    report.effective = {2, 1.0, 1.0, 0.25, 0.5, 2.0};
    report.notes = {"first note", "second note"};
    return run;
}

/// Writes the snapshot as a run would; the result's path.
inline std::filesystem::path write_result(const SampleRun &run, bool replace = true) {
    const auto claim = claim_output(run.config, false);
    ResultWriter writer(run.config, run.grid, replace);
    writer.write(run.solution);
    return writer.finish(run.solution);
}

}  // namespace perdure::tests
