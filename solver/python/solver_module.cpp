// The extension module perdure._solver: runs a case and gives its answers as arrays. What a user calls is written in Python around it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/hdf5/probe.hpp"
#include "solver/messages.hpp"
#include "solver/output/report_text.hpp"
#include "solver/output/series.hpp"
#include "solver/python/run_in_memory.hpp"
#include "solver/version.hpp"

namespace nb = nanobind;

namespace perdure::python {
namespace {

using namespace std::chrono_literals;
using Array = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

template <typename Number>
ArrayValues values_at(const Array &array) {
    return std::span(static_cast<const Number *>(array.data()), array.size());
}

ArrayValues values_in(const Array &array) {
    const nb::dlpack::dtype type = array.dtype();
    const bool is_signed = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
    if (type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float)) {
        return type.bits == 32 ? values_at<float>(array) : values_at<double>(array);
    }
    switch (type.bits) {
        case 8:
            return is_signed ? values_at<std::int8_t>(array) : values_at<std::uint8_t>(array);
        case 16:
            return is_signed ? values_at<std::int16_t>(array) : values_at<std::uint16_t>(array);
        case 32:
            return is_signed ? values_at<std::int32_t>(array) : values_at<std::uint32_t>(array);
        default:
            return is_signed ? values_at<std::int64_t>(array) : values_at<std::uint64_t>(array);
    }
}

MemoryArray memory_array(const std::string &name, const Array &array) {
    std::vector<std::int64_t> shape;
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
        shape.push_back(static_cast<std::int64_t>(array.shape(axis)));
    }
    return {name, std::move(shape), values_in(array)};
}

/// A NumPy array that keeps `values`, without a copy.
template <typename Values>
nb::object to_array(Values values, const std::vector<std::size_t> &shape) {
    auto *const kept = new Values(std::move(values));
    const nb::capsule owner(kept, [](void *pointer) noexcept { delete static_cast<Values *>(pointer); });
    return nb::cast(
        nb::ndarray<nb::numpy, typename Values::value_type>(kept->data(), shape.size(), shape.data(), owner));
}

template <typename Values>
nb::object to_list(Values values) {
    const std::size_t size = values.size();
    return to_array(std::move(values), {size});
}

nb::dict to_python(FieldResult field, const Grid &grid) {
    std::vector<std::size_t> shape;
    for (int axis = grid.axes(); axis-- > 0;) {
        shape.push_back(static_cast<std::size_t>(grid.cells[axis]));
    }
    if (field.components > 1) {
        shape.push_back(static_cast<std::size_t>(field.components));
    }
    nb::dict made;
    made["name"] = field.name;
    made["units"] = field.unit;
    made["values"] =
        std::visit([&](auto &values) { return to_array(std::move(values), shape); }, field.values);
    return made;
}

nb::dict to_python(const SeriesLine &line, int dimensions) {
    nb::dict made;
    made["name"] = line.name;
    made["distance"] = to_list(line.distances());
    for (int axis = 0; axis < dimensions; ++axis) {
        std::vector<double> coordinates;
        for (const auto &point : line.points) {
            coordinates.push_back(point[axis]);
        }
        made[name(static_cast<Axis>(axis))] = to_list(std::move(coordinates));
    }
    return made;
}

nb::dict to_python(const Series &series) {
    nb::dict made;
    made["time"] = to_list(series.times);
    made["step"] = to_list(series.steps);
    nb::list lines, variables;
    for (const SeriesLine &line : series.lines) {
        lines.append(to_python(line, series.dimensions));
    }
    for (const SeriesVariable &variable : series.variables) {
        std::vector<std::size_t> shape{series.times.size()};
        nb::dict one;
        one["name"] = variable.name;
        one["long_name"] = variable.meaning;
        one["units"] = variable.units.empty() ? "1" : variable.units;
        one["line"] = nb::none();
        if (variable.line >= 0) {
            one["line"] = series.lines[variable.line].name;
            shape.push_back(variable.width);
        }
        for (int axis = 0; axis < series.dimensions && variable.is_at_point; ++axis) {
            one[name(static_cast<Axis>(axis))] = variable.at[axis];
        }
        one["values"] = to_array(variable.values, shape);
        variables.append(one);
    }
    made["lines"] = lines;
    made["variables"] = variables;
    return made;
}

nb::dict to_python(const Diagnostic &diagnostic) {
    nb::dict made;
    made["file"] = diagnostic.position.file;
    made["line"] = diagnostic.position.line;
    made["column"] = diagnostic.position.column;
    made["message"] = diagnostic.message;
    made["text"] = to_text(diagnostic);
    return made;
}

nb::list to_python(const std::vector<Diagnostic> &diagnostics) {
    nb::list made;
    for (const Diagnostic &diagnostic : diagnostics) {
        made.append(to_python(diagnostic));
    }
    return made;
}

nb::dict to_python(const Failure &failure) {
    nb::dict made;
    made["code"] = static_cast<int>(failure.code());
    made["message"] = std::string(failure.what());
    made["diagnostics"] = to_python(failure.diagnostics());
    return made;
}

nb::dict to_python(const Grid &grid) {
    nb::dict made;
    for (int axis = 0; axis < grid.axes(); ++axis) {
        std::vector<double> centres;
        for (std::int64_t i = 0; i < grid.cells[axis]; ++i) {
            centres.push_back(grid.centre(axis, i));
        }
        made[name(static_cast<Axis>(axis))] = to_list(std::move(centres));
    }
    return made;
}

nb::dict to_python(RunInMemory run) {
    Solution &last = run.solutions.back();
    nb::dict made;
    made["exit_code"] = static_cast<int>(exit_code(last.report));
    made["report"] =
        to_json(last.report).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    made["summary"] = to_text(last.report, run.grid);
    made["title"] = run.config.title;
    made["case"] = case_text(run.config);
    made["in_time"] = run.config.time.has_value();
    made["warnings"] = to_python(run.warnings);
    made["file"] = run.file;
    made["grid"] = to_python(run.grid);
    made["length_units"] = unit_attribute(run.config.units.length);
    made["time_units"] = unit_attribute(run.config.units.time);
    made["series"] = last.series ? nb::object(to_python(*last.series)) : nb::none();
    nb::list snapshots;
    for (Solution &solution : run.solutions) {
        nb::list fields;
        for (FieldResult &field : solution.fields) {
            fields.append(to_python(std::move(field), run.grid));
        }
        nb::dict snapshot;
        snapshot["time"] = solution.time;
        snapshot["step"] = solution.step;
        snapshot["fields"] = fields;
        snapshots.append(snapshot);
    }
    made["snapshots"] = snapshots;
    return made;
}

/// Tells `progress` what the run told since the last time. Throws what it throws.
void tell(RunningCase &running, const nb::object &progress) {
    const std::optional<Watched> seen = running.watched();
    if (seen && !progress.is_none()) {
        progress(seen->point.iteration, seen->point.value, seen->point.fraction, seen->unit, seen->value,
                 seen->part);
    }
}

bool wait_without_lock(RunningCase &running) {
    const nb::gil_scoped_release release;
    return running.wait(50ms);
}

/// A signal whose handler raises, and a callback that does, stop the run; it is raised once the run has ended.
void wait_for_end(RunningCase &running, const nb::object &progress) {
    std::optional<nb::python_error> raised;
    while (!wait_without_lock(running)) {
        if (raised) {
            continue;
        }
        try {
            if (PyErr_CheckSignals() != 0) {
                throw nb::python_error();
            }
            tell(running, progress);
        } catch (nb::python_error &error) {
            raised.emplace(std::move(error));
            running.stop();
        }
    }
    if (raised) {
        throw std::move(*raised);
    }
    if (PyErr_CheckSignals() != 0) {
        throw nb::python_error();
    }
    tell(running, progress);
}

nb::dict run(const std::optional<std::string> &text, const std::string &path,
             const std::vector<std::string> &overrides, const std::map<std::string, Array> &arrays,
             bool writes, bool replaces, const nb::object &progress) {
    nb::dict outcome;
    try {
        GivenCase given{text, path, overrides, {}, writes, replaces};
        for (const auto &[name, array] : arrays) {
            given.arrays.push_back(memory_array(name, array));
        }
        RunningCase running(std::move(given));
        wait_for_end(running, progress);
        outcome["run"] = to_python(running.take());
    } catch (const Failure &failure) {
        outcome["failure"] = to_python(failure);
    }
    return outcome;
}

}  // namespace
}  // namespace perdure::python

NB_MODULE(_solver, module) {
    using namespace nb::literals;
    module.doc() = "The solver of perdure. Use the functions of the package perdure.";
    perdure::leave_out_notices();
    module.def("use_helper", &perdure::probe_by, "program"_a,
               "Sets the program that checks HDF5 files before this process reads them.");
    module.def("run", &perdure::python::run, "text"_a.none(), "path"_a, "overrides"_a, "arrays"_a, "writes"_a,
               "replaces"_a, "progress"_a.none(),
               "Runs a case. Returns {'run': results} or {'failure': description}.");
    module.def(
        "end_runs",
        [] {
            const nb::gil_scoped_release release;
            perdure::python::end_runs();
        },
        "Stops the runs in other threads and waits until they have ended. Called when the interpreter "
        "exits.");
    module.def("version", &perdure::version, "The version of perdure.");
    module.def("built_with", &perdure::built_with, "The available back ends, as text.");
}
