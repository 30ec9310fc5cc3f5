#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "solver/case_file/sections.hpp"
#include "solver/in_words.hpp"

namespace perdure {
namespace {

void read_name(const YamlValue &value, std::string &name) {
    const auto text = value.text("a file name");
    if (text && text->find('/') != std::string::npos) {
        value.error("expected a file name without '/'; set the folder with output.directory");
    } else if (text) {
        name = *text;
    }
}

/// What a steady problem writes holds each of its fields, unless it is the report alone.
void check_own_fields(const YamlValue &value, const Config &config, const std::vector<std::string> &given) {
    const std::vector<std::string> own = field_names(config), all = output_fields(config);
    std::string choices = fmt::format("[{}]", fmt::join(own, ", "));
    if (all.size() > own.size()) {
        choices += fmt::format(", [{}]", fmt::join(all, ", "));
    }
    for (const std::string &field : own) {
        if (std::find(given.begin(), given.end(), field) == given.end()) {
            value.error(fmt::format("expected {} in the list of fields: {}, or [] to write only the report",
                                    field, choices));
        }
    }
}

void read_compression(const YamlValue &value, Compression &compression) {
    constexpr const char *old_word = "gzip";
    if (value.node().kind == YamlNode::Kind::scalar && value.node().text == old_word) {
        compression = Compression::fast;
        value.findings().warn(
            value.position(),
            fmt::format("{}: '{}' is now called '{}', and '{}' makes smaller files; write '{}'", value.path(),
                        old_word, name(Compression::fast), name(Compression::small),
                        name(Compression::fast)));
        return;
    }
    compression = value.word<Compression>().value_or(compression);
}

void read_fields(const YamlValue &value, const Equation *equation, Config &config) {
    const auto items = value.list("a list of fields, such as [u]");
    if (!items) {
        return;
    }
    const std::vector<std::string> own = output_fields(config);
    const auto holds = [](const std::vector<std::string> &names, const std::string &name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<std::string> given;
    for (const YamlValue &item : *items) {
        const auto field = item.text("the name of a field");
        if (field && equation != nullptr && !holds(own, *field)) {
            item.error(fmt::format("a {} problem has no field '{}'; it has {}", name(equation->type),
                                   shorten(*field), in_words(own, "and")));
        } else if (field && holds(given, *field)) {
            item.error(fmt::format("field '{}' is listed twice", *field));
        } else if (field) {
            given.push_back(*field);
        }
    }
    if (equation != nullptr && !equation->in_time && !given.empty()) {
        check_own_fields(value, config, given);
    }
    config.output.fields = std::move(given);
}

}  // namespace

void read_output(YamlMap &root, const Equation *equation, Config &config) {
    OutputConfig &output = config.output;
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
        read_fields(*value, equation, config);
    }
    if (const auto value = map.take("compression")) {
        read_compression(*value, output.compression);
    }
    if (equation != nullptr && !equation->in_time) {
        map.refuse("series", "a steady problem has no snapshots to store; remove the key");
    } else if (const auto value = map.take("series")) {
        output.series = value->word<SeriesLayout>().value_or(output.series);
    }
    read_checkpoint(map, equation, output.checkpoint);
    if (const auto value = map.take("units")) {
        output.units = value->text("the units of the fields, such as K");
    }
    map.finish();
}

}  // namespace perdure
