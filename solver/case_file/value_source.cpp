#include "solver/case_file/value_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/case_file/yaml_scalar.hpp"

namespace perdure {
namespace {

constexpr const char *what_is_expected =
    "a number, an expression or a map such as {file: data.h5, dataset: /a}";

bool is_truth_word(const std::string &text) {
    static const std::array<const char *, 6> words{"yes", "no", "on", "off", "true", "false"};
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// An expression's text. What looks like a mistyped number is refused; the expression itself is parsed later.
std::optional<std::string> read_expression(const YamlValue &value, const std::string &what) {
    auto text = value.text(what);
    const std::string mistake = text ? number_mistake(*text) : "";
    if (!mistake.empty()) {
        value.error(fmt::format("expected {}, found {} ({})", what, describe(value.node()), mistake));
        return std::nullopt;
    }
    if (text && is_truth_word(*text)) {
        value.expected(what);
        return std::nullopt;
    }
    return text;
}

void read_scalar(const YamlValue &value, ValueSource &source) {
    const YamlNode &node = value.node();
    if (const auto number = parse_number(node.text); number) {
        source.number = *number;
    } else if (const auto expression = read_expression(value, what_is_expected)) {
        source.kind = ValueSource::Kind::expression;
        source.expression = *expression;
    }
}

/// A tensor: its diagonal, NaN for an axis that the case does not name, and xy, xz, yz.
struct LabelTensor {
    std::array<double, 3> diagonal{};
    std::array<double, 3> cross{};
};

/// Whether the tensor is positive definite, by Sylvester's criterion: in 2D without z.
bool is_positive_definite(const LabelTensor &tensor) {
    const auto [x, y, z] = tensor.diagonal;
    const auto [xy, xz, yz] = tensor.cross;
    const double of_two = x * y - xy * xy;
    const double of_three = z * of_two - x * yz * yz - y * xz * xz + 2.0 * xy * xz * yz;
    return x > 0.0 && y > 0.0 && of_two > 0.0 && (std::isnan(z) || of_three > 0.0);
}

/// Findings about the off-diagonal entries, where all axes that they belong to are named.
void check_tensor(const YamlValue &value, const LabelTensor &tensor) {
    const auto [xy, xz, yz] = tensor.cross;
    if ((xy == 0.0 && xz == 0.0 && yz == 0.0) || std::isnan(tensor.diagonal[0]) ||
        std::isnan(tensor.diagonal[1])) {
        return;
    }
    if (std::isnan(tensor.diagonal[2]) && (xz != 0.0 || yz != 0.0)) {
        value.error("xz and yz need z: in a 3D image give z too, in a 2D image leave xz and yz out");
    } else if (!is_positive_definite(tensor)) {
        const double most = std::sqrt(tensor.diagonal[0] * tensor.diagonal[1]);
        value.error(fmt::format(
            "the tensor is not positive definite, as a conductivity must be; {}",
            std::abs(xy) >= most
                ? fmt::format("expected xy between -{0:.6g} and {0:.6g}, which is sqrt(x y); found {1:.6g}",
                              most, xy)
                : "expected xy, xz and yz small enough for all its eigenvalues to be above 0"));
    }
}

/// {x: 5, y: 5, z: 1}, or with off-diagonal entries {x: 8, y: 2, z: 1, xy: 0.5}.
LabelTensor read_by_axis(const YamlValue &value) {
    constexpr std::array off_diagonal{"xy", "xz", "yz"};
    LabelTensor found;
    const std::size_t findings = value.findings().size();
    found.diagonal.fill(std::numeric_limits<double>::quiet_NaN());
    for (const YamlEntry &entry : value.node().entries) {
        const YamlValue along(entry.value, join_path(value.path(), entry.key), entry.key_position,
                              value.findings());
        const auto *const cross = std::find(off_diagonal.begin(), off_diagonal.end(), entry.key);
        if (const auto axis = value_named<Axis>(entry.key)) {
            found.diagonal[static_cast<std::size_t>(*axis)] =
                along.number("a number > 0", [](double given) { return given > 0.0; }).value_or(1.0);
        } else if (cross != off_diagonal.end()) {
            found.cross[static_cast<std::size_t>(cross - off_diagonal.begin())] =
                along.number().value_or(0.0);
        } else {
            value.findings().error(
                entry.key_position,
                fmt::format("{}: expected x, y or z, or xy, xz or yz of a symmetric tensor, found '{}'",
                            value.path(), shorten(entry.key)));
        }
    }
    if (value.findings().size() == findings) {
        check_tensor(value, found);
    }
    return found;
}

/// label: value, ...
void read_labels(const YamlValue &labels, const ValueRules &rules, ValueSource &source) {
    std::map<std::int64_t, double> &result = source.labels;
    if (labels.node().kind != YamlNode::Kind::map || labels.node().entries.empty()) {
        labels.expected("a map from labels to values, such as {0: 1.0, 1: 0.0}");
        return;
    }
    for (const YamlEntry &entry : labels.node().entries) {
        const auto report = [&](const std::string &message) {
            labels.findings().error(entry.key_position, labels.path() + ": " + message);
        };
        const YamlValue value(entry.value, join_path(labels.path(), entry.key), entry.key_position,
                              labels.findings());
        const bool by_axis = rules.labels_by_axis && entry.value.kind == YamlNode::Kind::map;
        const double number = by_axis ? 1.0 : value.number().value_or(0.0);
        const auto label = entry.plain_key ? parse_whole_number(entry.key) : std::nullopt;
        if (!label) {
            report(fmt::format("expected a whole number as a label, found '{}'", shorten(entry.key)));
        } else if (result.count(label.value()) > 0) {
            report(fmt::format("label {} is given twice", label.value()));
        } else {
            result[label.value()] = number;
            if (by_axis) {
                const LabelTensor tensor = read_by_axis(value);
                source.labels_by_axis[label.value()] = tensor.diagonal;
                if (tensor.cross != std::array<double, 3>{}) {
                    source.labels_cross[label.value()] = tensor.cross;
                }
            }
        }
    }
}

void read_dataset(YamlMap &map, const YamlValue &file, const ValueRules &rules, ValueSource &source) {
    source.kind = ValueSource::Kind::dataset;
    if (const auto name = file.text("the name of an HDF5 file")) {
        source.file = rules.folder / *name;
    }
    if (const auto dataset = map.require("dataset", "the path of the dataset in the file, such as /image")) {
        source.dataset = dataset->text("the path of a dataset, such as /image").value_or("");
    }
    if (const auto labels = map.take("labels")) {
        source.kind = ValueSource::Kind::labels;
        read_labels(*labels, rules, source);
    }
}

void read_factor(YamlMap &map, const ValueRules &rules, ValueSource &source) {
    if (!rules.factor_refusal.empty()) {
        map.refuse("factor", rules.factor_refusal);
    } else if (const auto factor = map.take("factor")) {
        source.time_factor = read_expression(*factor, "an expression in t").value_or("");
    }
}

/// Keys that name where the values come from, as far as they are given.
std::vector<std::string> given_kinds(const YamlMap &map) {
    std::vector<std::string> given;
    for (const char *kind : {"number", "expression", "file"}) {
        if (map.has(kind)) {
            given.emplace_back(kind);
        }
    }
    return given;
}

void read_map(const YamlValue &value, const ValueRules &rules, ValueSource &source) {
    YamlMap map(value);
    const auto kinds = given_kinds(map);
    const auto number = map.take("number");
    const auto expression = map.take("expression");
    const auto file = map.take("file");
    if (kinds.empty()) {
        value.error("expected one of the keys number, expression or file");
    } else if (kinds.size() > 1) {
        value.error(fmt::format("found both '{}' and '{}': expected one of them", kinds[0], kinds[1]));
    }
    if (number) {
        source.number = number->number().value_or(0.0);
    }
    if (expression) {
        source.kind = ValueSource::Kind::expression;
        source.expression = read_expression(*expression, "an expression in x, y, z").value_or("");
    }
    if (file) {
        read_dataset(map, *file, rules, source);
    } else {
        for (const char *key : {"dataset", "labels"}) {
            map.refuse(key, "this key needs 'file', which is not given");
        }
    }
    read_factor(map, rules, source);
    for (const char *const key : {"number", "expression", "file", "dataset", "labels"}) {
        const YamlNode *const part = value.node().find(key);
        if (part != nullptr && part->kind != YamlNode::Kind::null &&
            part->position.file != value.position().file) {
            source.position = part->position;  // --set gave this part of it
        }
    }
    map.finish();
}

}  // namespace

ValueSource read_value_source(const YamlValue &value, const ValueRules &rules) {
    ValueSource source = default_value_source(0.0, value.position());
    switch (value.node().kind) {
        case YamlNode::Kind::scalar:
            read_scalar(value, source);
            break;
        case YamlNode::Kind::map:
            read_map(value, rules, source);
            break;
        case YamlNode::Kind::list:
        case YamlNode::Kind::null:
            value.expected(what_is_expected);
            break;
    }
    return source;
}

ValueSource default_value_source(double number, const TextPosition &position) {
    ValueSource source;
    source.number = number;
    source.position = position;
    return source;
}

}  // namespace perdure
