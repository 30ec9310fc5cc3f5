#include "solver/output/series_columns.hpp"

#include <fmt/format.h>

namespace perdure {

Series series_without_rows(const systems::Watch &watch, int dimensions) {
    Series series;
    series.dimensions = dimensions;
    for (const systems::Watch::Integral &integral : watch.integrals) {
        SeriesVariable &variable = series.variables.emplace_back();
        variable.name = integral.name;
        variable.meaning = integral.meaning;
        variable.units = integral.units;
    }
    for (const systems::Watch::Probe &probe : watch.probes) {
        if (probe.is_line) {
            series.lines.push_back({probe.name, probe.points});
        }
        for (const systems::Watch::ProbedFormula &of : probe.of) {
            SeriesVariable &variable = series.variables.emplace_back();
            variable.name = fmt::format("{}_{}", probe.name, of.name);
            variable.meaning = fmt::format("{} at {}", of.meaning, probe.name);
            variable.units = of.units;
            variable.width = probe.points.size();
            variable.is_at_point = !probe.is_line;
            variable.at = probe.points.front();
            variable.line = probe.is_line ? static_cast<int>(series.lines.size()) - 1 : -1;
        }
    }
    return series;
}

}  // namespace perdure
