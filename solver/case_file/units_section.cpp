// The section units, and lengths and times that are given in other units: they become numbers before the sections are read.
#include "solver/case_file/units_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>

#include "solver/case_file/number_of_text.hpp"
#include "solver/case_file/other_words.hpp"
#include "solver/case_file/yaml_reader.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/in_words.hpp"

namespace perdure {
namespace {

enum class Quantity { length, time };

/// `many` / `parts` of a metre or a second.
struct Unit {
    Quantity quantity;
    std::string_view name;
    std::int64_t many, parts;
};

constexpr std::int64_t thousand = 1'000, million = 1'000'000, billion = 1'000'000'000;
constexpr std::array known_units{Unit{Quantity::length, name(LengthUnit::nm), 1, billion},
                                 Unit{Quantity::length, name(LengthUnit::um), 1, million},
                                 Unit{Quantity::length, name(LengthUnit::mm), 1, thousand},
                                 Unit{Quantity::length, name(LengthUnit::cm), 1, 100},
                                 Unit{Quantity::length, name(LengthUnit::m), 1, 1},
                                 Unit{Quantity::length, name(LengthUnit::km), thousand, 1},
                                 Unit{Quantity::time, name(TimeUnit::ns), 1, billion},
                                 Unit{Quantity::time, name(TimeUnit::us), 1, million},
                                 Unit{Quantity::time, name(TimeUnit::ms), 1, thousand},
                                 Unit{Quantity::time, name(TimeUnit::s), 1, 1},
                                 Unit{Quantity::time, name(TimeUnit::min), 60, 1},
                                 Unit{Quantity::time, name(TimeUnit::h), 3600, 1},
                                 Unit{Quantity::time, name(TimeUnit::d), 86400, 1}};

const Unit *find_unit(std::string_view name) {
    const auto found = std::ranges::find(known_units, name, &Unit::name);
    return found == known_units.end() ? nullptr : &*found;
}

/// The number in another unit of the same quantity: rounded as seldom as the two units allow.
double converted(double number, const Unit &from, const Unit &to) {
    std::int64_t many = from.many * to.parts, parts = from.parts * to.many;
    const std::int64_t common = std::gcd(many, parts);
    many /= common;
    parts /= common;
    return number * static_cast<double>(many) / static_cast<double>(parts);
}

struct Amount {
    double number = 0.0;
    std::string unit;
};

/// Of "33 min", "0.5mm", "1/3 h" and "355 ft"; nothing where no word stands behind a number, or one that formulas know.
std::optional<Amount> amount_of(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const std::size_t end = text.find_last_not_of(blanks);
    std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
    while (begin > 0 && (std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                         static_cast<unsigned char>(text[begin - 1]) >= 0x80U)) {
        --begin;
    }
    std::string unit(text.substr(begin, end + 1 - begin));
    const std::size_t last = begin == 0 ? std::string_view::npos : text.find_last_not_of(blanks, begin - 1);
    if (unit.empty() || last == std::string_view::npos || formulas::find_built_in(unit) != nullptr) {
        return std::nullopt;
    }
    const auto number = number_of_text(std::string(text.substr(0, last + 1)));
    return number ? std::optional(Amount{*number, std::move(unit)}) : std::nullopt;
}

std::vector<std::string> names_of_units(Quantity quantity) {
    std::vector<std::string> names;
    for (const Unit &unit : known_units) {
        if (unit.quantity == quantity) {
            names.emplace_back(unit.name);
        }
    }
    return names;
}

std::string_view base_of(Quantity quantity) {
    return quantity == Quantity::length ? name(LengthUnit::m) : name(TimeUnit::s);
}

std::string_view section_of(Quantity quantity) {
    return quantity == Quantity::length ? "length" : "time";
}

struct MeasuredKey {
    std::string_view path;
    Quantity quantity;
};

/// Keys that have a unit; those of probes besides, whose names are the case's own.
constexpr std::array measured_keys{
    MeasuredKey{"grid.spacing", Quantity::length}, MeasuredKey{"grid.length", Quantity::length},
    MeasuredKey{"grid.origin", Quantity::length},  MeasuredKey{"time.start", Quantity::time},
    MeasuredKey{"time.end", Quantity::time},       MeasuredKey{"time.dt", Quantity::time},
    MeasuredKey{"time.snapshots", Quantity::time}, MeasuredKey{"time.snapshots.every", Quantity::time},
    MeasuredKey{"watch.every", Quantity::time}};

bool is_axis(std::string_view key) {
    return key == "x" || key == "y" || key == "z";
}

/// Nothing of a key without a unit.
std::optional<Quantity> quantity_of(std::string_view path) {
    if (path.starts_with("watch.probes.") && is_axis(path.substr(path.rfind('.') + 1))) {
        return Quantity::length;
    }
    const auto found = std::ranges::find(measured_keys, path, &MeasuredKey::path);
    return found == measured_keys.end() ? std::nullopt : std::optional(found->quantity);
}

/// Replaces amounts by numbers at the places where a case has lengths and times.
class Conversion {
  public:
    /// `section`: `units` of the case; may be null.
    Conversion(const DeclaredUnits &units, const YamlNode *section, Findings &findings)
        : findings_(findings),
          has_declaration_{section != nullptr && section->find("length") != nullptr,
                           section != nullptr && section->find("time") != nullptr} {
        declared_[0] = units.length ? find_unit(name(*units.length)) : nullptr;
        declared_[1] = units.time ? find_unit(name(*units.time)) : nullptr;
    }

    void in_case(YamlNode &root) {
        for (const MeasuredKey &key : measured_keys) {
            YamlEntry *entry = nullptr;
            YamlNode *above = &root;
            for (std::string_view rest = key.path; above != nullptr && !rest.empty();) {
                const std::string_view part = rest.substr(0, rest.find('.'));
                rest.remove_prefix(std::min(rest.size(), part.size() + 1));
                entry = above->find_entry(std::string(part));
                above = entry != nullptr ? &entry->value : nullptr;
            }
            if (above != nullptr) {
                convert(*above, std::string(key.path), key.quantity);
            }
        }
        if (YamlEntry *const watch = root.find_entry("watch")) {
            in_probes(watch->value);
            in_planes(watch->value);
        }
    }

    /// The values that a sweep gives to lengths and times: of lists, and the ends of ranges.
    void in_sweep(YamlNode &sweep, const std::string &path) {
        for (YamlNode &member : sweep.items) {
            in_sweep(member, path);
        }
        for (YamlEntry &entry : sweep.entries) {
            const std::string here = fmt::format("{}.{}", path, entry.key);
            if (entry.key == "zip" || entry.key == "sample" || here == "sweep.sample.keys") {
                in_sweep(entry.value, here);
            } else if (const auto quantity = quantity_of(entry.key)) {
                convert(entry.value, here, *quantity);
                for (YamlEntry &end : entry.value.entries) {
                    if (end.key == "from" || end.key == "to") {
                        convert(end.value, here + "." + end.key, *quantity);
                    }
                }
            }
        }
    }

  private:
    void in_probes(YamlNode &watch) {
        YamlEntry *const probes = watch.find_entry("probes");
        if (probes == nullptr) {
            return;
        }
        for (YamlEntry &probe : probes->value.entries) {
            for (YamlEntry &part : probe.value.entries) {
                const std::string path = fmt::format("watch.probes.{}.{}", probe.key, part.key);
                if (is_axis(part.key)) {
                    convert(part.value, path, Quantity::length);
                }
                for (YamlEntry &end : part.value.entries) {
                    if ((part.key == "from" || part.key == "to") && is_axis(end.key)) {
                        convert(end.value, path + "." + end.key, Quantity::length);
                    }
                }
            }
        }
    }

    void in_planes(YamlNode &watch) {
        YamlEntry *const integrals = watch.find_entry("integrals");
        if (integrals == nullptr) {
            return;
        }
        for (YamlEntry &integral : integrals->value.entries) {
            YamlEntry *const flux = integral.value.find_entry("flux");
            for (const char *const axis : {"x", "y", "z"}) {
                if (YamlEntry *const plane = flux != nullptr ? flux->value.find_entry(axis) : nullptr) {
                    convert(plane->value, fmt::format("watch.integrals.{}.flux.{}", integral.key, axis),
                            Quantity::length);
                }
            }
        }
    }

    void convert(YamlNode &node, const std::string &path, Quantity quantity) {
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            convert(node.items[i], fmt::format("{}[{}]", path, i), quantity);
        }
        const auto amount = node.kind == YamlNode::Kind::scalar ? amount_of(node.text) : std::nullopt;
        if (!amount) {
            return;
        }
        const Unit *const from = find_unit(amount->unit);
        const Unit *const declared = declared_[static_cast<std::size_t>(quantity)];
        const Unit *const to = declared != nullptr ? declared : find_unit(base_of(quantity));
        if (from == nullptr) {
            const std::vector<std::string> known = names_of_units(quantity);
            const std::string suggestion = meant(amount->unit, known);
            findings_.error(
                node.position,
                fmt::format("{}: '{}' is not a unit that perdure knows in '{}'; the units of {} are {}{}",
                            path, amount->unit, node.text, section_of(quantity), in_words(known, "and"),
                            suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", suggestion)));
        } else if (from->quantity != quantity) {
            findings_.error(node.position,
                            fmt::format("{}: expected a {}, found '{}', which is a {}", path,
                                        section_of(quantity), node.text, section_of(from->quantity)));
        } else if (declared == nullptr && !has_declaration_[static_cast<std::size_t>(quantity)]) {
            findings_.error(
                node.position,
                fmt::format("{}: found '{}', and the case does not say in which unit its {}s are: write "
                            "units: {{{}: {}}} at the top, say, and all numbers of the case in such units",
                            path, node.text, section_of(quantity), section_of(quantity), base_of(quantity)));
        }
        // A number in any case: what the section says of the text would be a second error about one mistake.
        const bool fits = from != nullptr && from->quantity == quantity;
        node.text = fmt::format("{}", fits ? converted(amount->number, *from, *to) : amount->number);
    }

    Findings &findings_;
    std::array<const Unit *, 2> declared_{};
    std::array<bool, 2> has_declaration_{};  // perhaps of a unit that does not exist, which is told already
};

/// Whether a part of the sweep declares the units themselves; then each member converts its own values.
bool sets_units(const YamlNode &sweep) {
    return std::ranges::any_of(sweep.items, sets_units) ||
           std::ranges::any_of(sweep.entries, [](const YamlEntry &entry) {
               return entry.key == "units" || entry.key.starts_with("units.") ||
                      ((entry.key == "zip" || entry.key == "sample" || entry.key == "keys") &&
                       sets_units(entry.value));
           });
}

}  // namespace

DeclaredUnits read_declared_units(YamlNode &root, const TextPosition &start, Findings &findings) {
    DeclaredUnits units;
    if (root.kind != YamlNode::Kind::map) {
        return units;
    }
    if (const auto section = YamlMap(YamlValue(root, "", start, findings)).take("units")) {
        YamlMap map(*section);
        if (const auto value = map.take("length")) {
            units.length = value->word<LengthUnit>();
        }
        if (const auto value = map.take("time")) {
            units.time = value->word<TimeUnit>();
        }
        map.finish();
    }
    Conversion(units, root.find("units"), findings).in_case(root);
    return units;
}

void convert_units_of_sweep(YamlNode &root, Findings &findings) {
    YamlEntry *const sweep = root.find_entry("sweep");
    if (sweep == nullptr || sets_units(sweep->value)) {
        return;
    }
    const YamlNode *const section = root.find("units");
    const auto text_of = [&](const char *key) {
        const YamlNode *const value = section != nullptr ? section->find(key) : nullptr;
        return value != nullptr ? value->text : std::string();
    };
    const DeclaredUnits units{value_named<LengthUnit>(text_of("length")),
                              value_named<TimeUnit>(text_of("time"))};
    Conversion(units, section, findings).in_sweep(sweep->value, "sweep");
}

}  // namespace perdure
