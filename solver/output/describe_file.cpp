#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "solver/hdf5/probe.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/result_format.hpp"
#include "solver/output/solution.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

std::string plain(const Json &value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_null()) {
        return "not finite";
    }
    if (!value.is_array()) {
        return json_text(value);
    }
    std::vector<std::string> parts;
    for (const Json &part : value) {
        parts.push_back(plain(part));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string entries(const Json &object) {
    std::string text;
    for (const auto &[name, value] : object.items()) {
        text += fmt::format("  {:<22} {}\n", name, plain(value));
    }
    return text;
}

std::string describe_grid(const Json &grid) {
    return fmt::format("  {:<22} {} ({})\n  {:<22} {}\n  {:<22} {}\n", "cells", plain(grid.at("cells")),
                       plain(grid.at("order")), "spacing", plain(grid.at("spacing")), "origin",
                       plain(grid.at("origin")));
}

std::string describe_fields(const Json &fields) {
    std::string text;
    for (const Json &field : fields) {
        const bool is_vector = field.at("mean").is_array();
        text += fmt::format("  {} ({}, units {}{})\n", plain(field.at("name")), plain(field.at("type")),
                            plain(field.at("units")),
                            is_vector ? "; of a vector its components along x, y and z in this order" : "");
        for (const char *name : {"min", "max", "mean", "cells", "excluded_cells"}) {
            text += fmt::format("    {:<20} {}\n", name, plain(field.at(name)));
        }
    }
    return text;
}

std::string describe_history(const Json &history) {
    std::string text = fmt::format("  {:<22} {}\n", "entries", plain(history.at("entries")));
    for (const char *end : {"first", "last"}) {
        if (history.contains(end)) {
            const Json &entry = history.at(end);
            const Json &time = entry.at("device_time");
            text += fmt::format("  {:<22} iteration {}, residual {}{}\n", end, plain(entry.at("iteration")),
                                plain(entry.at("residual")),
                                time.is_null() ? "" : fmt::format(", after {} s", plain(time)));
        }
    }
    return text;
}

std::string describe_series(const Json &series) {
    std::string text = fmt::format("  {:<22} {}\n", "times", plain(series.at("times")));
    for (const Json &variable : series.at("variables")) {
        const std::string ends =
            variable.contains("last")
                ? fmt::format("from {} to {}", plain(variable.at("first")), plain(variable.at("last")))
                : fmt::format("({})", plain(variable.at("shape")));
        text +=
            fmt::format("  {:<22} {}: {}\n", plain(variable.at("name")), ends, plain(variable.at("meaning")));
    }
    return text;
}

std::string indented(const std::string &text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        result += fmt::format("  {}\n", line);
    }
    return result;
}

std::string describe_output(const Json &contents) {
    std::string text = fmt::format("{}: result of perdure\n", plain(contents.at("file")));
    for (const char *name : {"title", "source", "history", "format_version", "time", "step"}) {
        text += fmt::format("  {:<22} {}\n", name, plain(contents.at(name)));
    }
    if (contents.contains("snapshots")) {
        text += fmt::format("  {:<22} {}, from time {}; the fields listed are those of the last one\n",
                            "snapshots", plain(contents.at("snapshots")), plain(contents.at("first_time")));
    }
    text += "grid\n" + describe_grid(contents.at("grid"));
    text += "fields\n" + describe_fields(contents.at("fields"));
    text += "report\n" + entries(contents.at("report"));
    if (contents.contains("effective")) {
        text += "effective properties\n" + entries(contents.at("effective"));
    }
    if (contents.contains("series")) {
        text += "series\n" + describe_series(contents.at("series"));
    }
    text += "residual history\n" + describe_history(contents.at("residual_history"));
    if (!contents.at("manifest").is_null()) {
        text += "manifest\n" + entries(contents.at("manifest"));
    }
    return text + "case\n" + indented(plain(contents.at("case_text")));
}

std::string describe_datasets(const Json &contents) {
    std::string text = fmt::format("{}: {}\n", plain(contents.at("file")),
                                   contents.at("kind") == "HDF5"
                                       ? "HDF5 file that perdure did not write"
                                       : "table of a perdure batch; each list has one entry per case");
    for (const Json &dataset : contents.at("datasets")) {
        text += fmt::format("  {:<22} ({}) {}\n", plain(dataset.at("name")), plain(dataset.at("shape")),
                            plain(dataset.at("type")));
    }
    return text;
}

}  // namespace

nlohmann::ordered_json describe_file(const std::filesystem::path &file) {
    Json contents = hdf5::probe({hdf5::ProbeRequest::description, file, {}, {}});
    if (const std::string newer = later_format(contents); !newer.empty()) {
        throw Failure(ExitCode::input_output, newer);
    }
    contents["file"] = file.string();  // its bytes, which the helper's JSON may not hold
    return contents;
}

std::string describe(const Json &contents) {
    return contents.at("kind") == "perdure output" ? describe_output(contents) : describe_datasets(contents);
}

}  // namespace perdure
