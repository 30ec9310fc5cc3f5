// The section units, and lengths and times that are given in other units: they become numbers before the sections are read.
#include "solver/case_file/units_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "solver/case_file/number_of_text.hpp"
#include "solver/case_file/yaml_reader.hpp"

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
    const Unit *unit = nullptr;
};

/// Of "33 min", "0.5mm" and "1/3 h"; nothing where no known unit stands behind a number.
std::optional<Amount> amount_of(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const std::size_t end = text.find_last_not_of(blanks);
    const std::size_t before = text.find_last_not_of("abcdefghijklmnopqrstuvwxyz", end);
    if (end == std::string_view::npos || before == std::string_view::npos) {
        return std::nullopt;
    }
    const Unit *const unit = find_unit(text.substr(before + 1, end - before));
    const std::size_t last = text.find_last_not_of(blanks, before);
    const auto number =
        unit != nullptr ? number_of_text(std::string(text.substr(0, last + 1))) : std::nullopt;
    return number ? std::optional(Amount{*number, unit}) : std::nullopt;
}

std::string_view section_of(Quantity quantity) {
    return quantity == Quantity::length ? "length" : "time";
}

/// Replaces amounts by numbers at the places where a case has lengths and times.
class Conversion {
  public:
    Conversion(const DeclaredUnits &units, Findings &findings) : findings_(findings) {
        declared_[0] = units.length ? find_unit(name(*units.length)) : nullptr;
        declared_[1] = units.time ? find_unit(name(*units.time)) : nullptr;
    }

    void in_case(YamlNode &root) {
        for (const char *const key : {"spacing", "length", "origin"}) {
            at(root, "grid", key, Quantity::length);
        }
        for (const char *const key : {"start", "end", "dt", "snapshots"}) {
            at(root, "time", key, Quantity::time);
        }
        if (YamlEntry *const time = root.find_entry("time")) {
            at(time->value, "snapshots", "every", Quantity::time, "time.");
        }
        at(root, "watch", "every", Quantity::time);
        if (YamlEntry *const watch = root.find_entry("watch")) {
            in_probes(watch->value);
            in_planes(watch->value);
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
                YamlEntry *const plane = flux != nullptr ? flux->value.find_entry(axis) : nullptr;
                if (plane != nullptr) {
                    convert(plane->value, fmt::format("watch.integrals.{}.flux.{}", integral.key, axis),
                            Quantity::length);
                }
            }
        }
    }

    static bool is_axis(const std::string &key) { return key == "x" || key == "y" || key == "z"; }

    void at(YamlNode &above, const std::string &section, const std::string &key, Quantity quantity,
            const std::string &path = "") {
        YamlEntry *const map = above.find_entry(section);
        if (YamlEntry *const entry = map != nullptr ? map->value.find_entry(key) : nullptr) {
            convert(entry->value, fmt::format("{}{}.{}", path, section, key), quantity);
        }
    }

    void convert(YamlNode &node, const std::string &path, Quantity quantity) {
        for (YamlNode &item : node.items) {
            convert(item, path, quantity);
        }
        const auto amount = node.kind == YamlNode::Kind::scalar ? amount_of(node.text) : std::nullopt;
        if (!amount) {
            return;
        }
        const Unit *const to = declared_[static_cast<std::size_t>(quantity)];
        if (amount->unit->quantity != quantity) {
            findings_.error(node.position,
                            fmt::format("{}: expected a {}, found '{}', which is a {}", path,
                                        section_of(quantity), node.text, section_of(amount->unit->quantity)));
        } else if (to == nullptr) {
            findings_.error(
                node.position,
                fmt::format("{}: found '{}', and the case does not say in which unit its {}s are: write "
                            "units: {{{}: {}}} at the top, say, and all numbers of the case in such units",
                            path, node.text, section_of(quantity), section_of(quantity),
                            quantity == Quantity::length ? name(LengthUnit::m) : name(TimeUnit::s)));
        } else {
            node.text = fmt::format("{}", converted(amount->number, *amount->unit, *to));
            return;
        }
        node.text = "1";  // what the section says of it would be a second error about one mistake
    }

    Findings &findings_;
    std::array<const Unit *, 2> declared_{};
};

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
    Conversion(units, findings).in_case(root);
    return units;
}

}  // namespace perdure
