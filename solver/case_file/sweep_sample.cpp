// Ranges of a sweep, and samples of them: random ones and Latin hypercubes.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "solver/case_file/amount_text.hpp"
#include "solver/case_file/random_numbers.hpp"
#include "solver/case_file/sweep_axes.hpp"

namespace perdure {

enum class SweepScale { linear, logarithmic };
template <>
inline constexpr std::array enum_names<SweepScale>{NamedValue{SweepScale::linear, "linear"},
                                                   NamedValue{SweepScale::logarithmic, "log"}};
enum class Sampling { random, latin_hypercube };
template <>
inline constexpr std::array enum_names<Sampling>{NamedValue{Sampling::random, "random"},
                                                 NamedValue{Sampling::latin_hypercube, "latin_hypercube"}};

namespace {

/// What samples of one key are drawn from: a range, or the values of a list.
struct Population {
    std::string key;
    TextPosition key_position, position;
    std::optional<SweepRange> range;
    std::vector<YamlNode> list;

    /// At a part in [0, 1).
    [[nodiscard]] YamlNode at(double part) const {
        return range ? number_node(range->text_at(part), position)
                     : list[static_cast<std::size_t>(part * static_cast<double>(list.size()))];
    }
};

std::optional<Population> read_population(const YamlEntry &entry, const std::string &path,
                                          Findings &findings) {
    const YamlValue value(entry.value, join_path(path, entry.key), entry.key_position, findings);
    if (!check_swept_key(entry.key, entry.key_position, findings)) {
        return std::nullopt;
    }
    Population population{entry.key, entry.key_position, value.position(), std::nullopt, {}};
    if (entry.value.kind == YamlNode::Kind::list && !entry.value.items.empty()) {
        for (const YamlNode &item : entry.value.items) {
            population.list.push_back(in_shortest_form(item));
        }
        return population;
    }
    if (entry.value.kind != YamlNode::Kind::map) {
        value.expected("a range to draw from, such as {from: 1, to: 100, scale: log}, or a list");
        return std::nullopt;
    }
    YamlMap map(value);
    population.range = read_range(map);
    map.refuse("count", "a sample has one count for all of its keys; give sweep.sample.count instead");
    map.finish();
    return population.range ? std::optional(population) : std::nullopt;
}

std::vector<Population> read_populations(YamlMap &map, Findings &findings) {
    std::vector<Population> populations;
    const auto keys = map.require("keys", "the keys to draw, such as {problem.a: {from: 1, to: 2}}");
    if (keys && (keys->node().kind != YamlNode::Kind::map || keys->node().entries.empty())) {
        keys->expected("a map of keys and ranges, such as {problem.a: {from: 1, to: 2}}");
    } else if (keys) {
        for (const YamlEntry &entry : keys->node().entries) {
            if (auto population = read_population(entry, keys->path(), findings)) {
                populations.push_back(std::move(*population));
            }
        }
    }
    return populations;
}

}  // namespace

YamlNode number_node(std::string text, const TextPosition &position) {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = std::move(text);
    node.position = position;
    return in_shortest_form(std::move(node));
}

std::string SweepRange::text_at(double part) const {
    if (part == 0.0 || part == 1.0) {
        return fmt::format("{}{}", part == 0.0 ? from : to, units);
    }
    return fmt::format("{:.12g}{}",
                       logarithmic ? from * std::pow(to / from, part) : from + (to - from) * part, units);
}

std::optional<SweepRange> read_range(YamlMap &map) {
    const auto is_positive = [](double number) { return number > 0.0; };
    const auto scale = map.take("scale");
    const auto word = scale ? scale->word<SweepScale>() : std::optional(SweepScale::linear);
    const bool logarithmic = word == SweepScale::logarithmic;
    std::array<std::string, 2> units;
    const auto end = [&](const char *key, const char *purpose) {
        const auto value = map.require(key, purpose);
        const auto amount = value && value->node().kind == YamlNode::Kind::scalar
                                ? split_amount(value->node().text)
                                : std::nullopt;
        if (amount && (!logarithmic || amount->number > 0.0)) {
            units[std::string_view(key) == "to" ? 1 : 0] = amount->units;
            return std::optional(amount->number);
        }
        return !value        ? std::nullopt
               : logarithmic ? value->number("a number > 0, because scale: log needs one", is_positive)
                             : value->number();
    };
    const auto from = end("from", "the first value of the range");
    const auto to = end("to", "the last value of the range");
    if (!from || !to || !word) {
        return std::nullopt;
    }
    if (units[0] != units[1]) {
        map.value().error(
            fmt::format("from is in '{}' and to in '{}'; give both in the same units", units[0], units[1]));
        return std::nullopt;
    }
    if (*from == *to) {
        map.value().error("from and to are the same number; expected a range");
        return std::nullopt;
    }
    return SweepRange{*from, *to, logarithmic, units[0].empty() ? "" : " " + units[0]};
}

std::optional<SweepAxis> axis_of_sample(const YamlEntry &entry, Findings &findings) {
    const std::size_t before = findings.size();
    YamlMap map(YamlValue(entry.value, "sweep.sample", entry.key_position, findings));
    const auto word = map.take("method");
    const auto method = word ? word->word<Sampling>() : std::optional(Sampling::random);
    const auto number = map.require("count", "the number of samples to draw");
    constexpr std::int64_t first_seed = 1;
    const std::int64_t count =
        number ? number->whole_number(1, static_cast<std::int64_t>(most_sweep_members)).value_or(0) : 0;
    const auto given_seed = map.take("seed");
    const std::int64_t seed =
        given_seed
            ? given_seed->whole_number(0, std::numeric_limits<std::int64_t>::max()).value_or(first_seed)
            : first_seed;
    const auto populations = std::make_shared<std::vector<Population>>(read_populations(map, findings));
    map.finish();
    if (findings.size() > before) {
        return std::nullopt;
    }
    SweepAxis axis;
    axis.size = static_cast<std::size_t>(count);
    const auto numbers = std::make_shared<std::vector<RandomNumbers>>();
    const auto strata = std::make_shared<std::vector<std::vector<std::uint32_t>>>();
    for (const Population &population : *populations) {
        axis.keys.emplace_back(population.key, population.key_position);
        numbers->emplace_back(seed, population.key);
        if (method == Sampling::latin_hypercube) {
            strata->push_back(numbers->back().permutation(axis.size));
        }
    }
    axis.values = [populations, numbers, strata, size = static_cast<double>(axis.size)](std::size_t index) {
        SweepMember member;
        for (std::size_t i = 0; i < populations->size(); ++i) {
            const Population &from = (*populations)[i];
            const double part = (*numbers)[i].uniform(index);
            const double drawn = strata->empty() ? part : ((*strata)[i][index] + part) / size;
            member.push_back({from.key, from.key_position, from.at(drawn)});
        }
        return member;
    };
    return with_distinct_values(std::move(axis), findings);
}

}  // namespace perdure
