#include <fmt/format.h>

#include <algorithm>

#include "solver/case_file/sections.hpp"

namespace perdure {
namespace {

void read_name(const YamlValue &value, std::string &name) {
    const auto text = value.text("a file name");
    if (text && text->find('/') != std::string::npos) {
        value.error("expected a file name without '/'; the folder is given by output.directory");
    } else if (text) {
        name = *text;
    }
}

void read_fields(const YamlValue &value, std::optional<ProblemType> type, std::vector<std::string> &fields) {
    const auto items = value.list("a list of fields, such as [u]");
    if (!items) {
        return;
    }
    std::vector<std::string> given;
    for (const YamlValue &item : *items) {
        const auto field = item.text("the name of a field");
        if (field == "flux" && type == ProblemType::heat) {
            item.error("a heat problem has no field 'flux'; a steady one has");
        } else if (field && *field != "u" && *field != "flux") {
            item.error(fmt::format("there is no field '{}'; there are u and flux", shorten(*field)));
        } else if (field && std::find(given.begin(), given.end(), *field) != given.end()) {
            item.error(fmt::format("field '{}' is named twice", *field));
        } else if (field) {
            given.push_back(*field);
        }
    }
    if (!given.empty() && std::find(given.begin(), given.end(), "u") == given.end()) {
        value.error(fmt::format("expected u among the fields: {} or [], the report alone",
                                type == ProblemType::heat ? "[u]" : "[u], [u, flux]"));
    }
    fields = given;
}

}  // namespace

void read_output(YamlMap &root, std::optional<ProblemType> type, OutputConfig &output) {
    const auto section = root.take("output");
    output.position = section ? section->key_position() : root.value().key_position();
    if (!section) {
        return;
    }
    YamlMap map(*section);
    if (const auto value = map.take("directory")) {
        output.directory = value->text("the name of a folder").value_or(output.directory.string());
    }
    if (const auto value = map.take("name")) {
        read_name(*value, output.name);
    }
    if (const auto value = map.take("fields")) {
        read_fields(*value, type, output.fields);
    }
    if (const auto value = map.take("compression")) {
        output.compression = value->word<Compression>().value_or(output.compression);
    }
    if (type && *type != ProblemType::heat) {
        map.refuse("series",
                   "it says how snapshots of a heat problem are kept; a steady problem has one answer");
    } else if (const auto value = map.take("series")) {
        output.series = value->word<SeriesLayout>().value_or(output.series);
    }
    if (const auto value = map.take("units")) {
        output.units = value->text("the units of u, such as K");
    }
    map.finish();
}

}  // namespace perdure
