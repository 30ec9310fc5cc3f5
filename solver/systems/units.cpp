#include "solver/systems/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace perdure::systems {
namespace {

struct NamedUnits {
    const char *name;
    Units units;
    UnitFactor factor{};
};

constexpr UnitFactor tens(double power) {
    return {power, 0.0, power};
}

const std::vector<NamedUnits> &derived_units() {
    static const std::vector<NamedUnits> table{
        {"m", {{"m", 1}}},
        {"s", {{"s", 1}}},
        {"g", {{"kg", 1}}, tens(-3)},
        {"A", {{"A", 1}}},
        {"K", {{"K", 1}}},
        {"mol", {{"mol", 1}}},
        {"cd", {{"cd", 1}}},
        {"N", {{"kg", 1}, {"m", 1}, {"s", -2}}},
        {"Pa", {{"kg", 1}, {"m", -1}, {"s", -2}}},
        {"J", {{"kg", 1}, {"m", 2}, {"s", -2}}},
        {"W", {{"kg", 1}, {"m", 2}, {"s", -3}}},
        {"Hz", {{"s", -1}}},
        {"C", {{"A", 1}, {"s", 1}}},
        {"V", {{"kg", 1}, {"m", 2}, {"s", -3}, {"A", -1}}},
        {"F", {{"kg", -1}, {"m", -2}, {"s", 4}, {"A", 2}}},
        {"Ohm", {{"kg", 1}, {"m", 2}, {"s", -3}, {"A", -2}}},
        {"S", {{"kg", -1}, {"m", -2}, {"s", 3}, {"A", 2}}},
        {"T", {{"kg", 1}, {"s", -2}, {"A", -1}}},
        {"L", {{"m", 3}}, tens(-3)},
        {"l", {{"m", 3}}, tens(-3)},
        {"bar", {{"kg", 1}, {"m", -1}, {"s", -2}}, tens(5)},
        {"min", {{"s", 1}}, {2, 1, 1}},
        {"h", {{"s", 1}}, {4, 2, 2}},
        {"d", {{"s", 1}}, {7, 3, 2}},
        {"rad", {}},
    };
    return table;
}

struct Prefix {
    char letter;
    double power;  // of ten
};

constexpr std::array prefixes{Prefix{'Y', 24},  Prefix{'Z', 21},  Prefix{'E', 18},  Prefix{'P', 15},
                              Prefix{'T', 12},  Prefix{'G', 9},   Prefix{'M', 6},   Prefix{'k', 3},
                              Prefix{'h', 2},   Prefix{'d', -1},  Prefix{'c', -2},  Prefix{'m', -3},
                              Prefix{'u', -6},  Prefix{'n', -9},  Prefix{'p', -12}, Prefix{'f', -15},
                              Prefix{'a', -18}, Prefix{'z', -21}, Prefix{'y', -24}};

const NamedUnits *find_units(const std::string &name) {
    const auto found =
        std::ranges::find_if(derived_units(), [&](const auto &known) { return name == known.name; });
    return found == derived_units().end() ? nullptr : &*found;
}

void multiply_by(UnitsInDetail &units, const UnitsInDetail &more, double power) {
    multiply_units(units.units, more.units, power);
    for (std::size_t prime = 0; prime < units.factor.size(); ++prime) {
        units.factor[prime] += power * more.factor[prime];
    }
    units.names.insert(units.names.end(), more.names.begin(), more.names.end());
    units.unknown.insert(units.unknown.end(), more.unknown.begin(), more.unknown.end());
}

/// Perhaps with a prefix.
UnitsInDetail units_named(const std::string &name) {
    const auto prefix = std::ranges::find(prefixes, name.front(), &Prefix::letter);
    const NamedUnits *known = find_units(name);
    UnitsInDetail found{{}, {}, {name}, {}};
    if (known == nullptr && prefix != prefixes.end()) {
        known = find_units(name.substr(1));
        found.factor = tens(prefix->power);
    }
    if (known == nullptr) {
        return {{{name, 1.0}}, {}, {name}, {name}};
    }
    multiply_by(found, {known->units, known->factor, {}, {}}, 1.0);
    return found;
}

/// A dot between units, as in W.m-1 and W·m-1: the bytes of one there; 0 where there is none.
std::size_t dot_at(std::string_view text, std::size_t at) {
    for (const std::string_view dot : {".", "\u00b7", "\u22c5"}) {
        if (text.substr(at).starts_with(dot)) {
            return dot.size();
        }
    }
    return 0;
}

bool is_digit_at(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

class UnitsReader {
  public:
    explicit UnitsReader(const std::string &text) : text_(text) {}

    std::optional<UnitsInDetail> whole() {
        UnitsInDetail units;
        return product(units, false) && at_ == text_.size() ? std::optional(units) : std::nullopt;
    }

    /// Why the text cannot be read, where more can be said than that.
    [[nodiscard]] const std::string &mistake() const { return mistake_; }

  private:
    bool refuse(std::string mistake) {
        mistake_ = std::move(mistake);
        return false;
    }

    /// Blanks, and at most one sign of a product among them.
    void skip_separators() {
        const auto skip_spaces = [&] {
            while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
                ++at_;
            }
        };
        skip_spaces();
        if (at_ < text_.size()) {
            at_ += text_[at_] == '*' ? 1 : dot_at(text_, at_);
        }
        skip_spaces();
    }

    /// `below`: the line of a fraction.
    bool product(UnitsInDetail &units, bool below) {
        bool divides = false, has_divided = false;
        for (skip_separators(); at_ < text_.size() && text_[at_] != ')'; skip_separators()) {
            if (text_[at_] == '/') {
                if (divides) {
                    return false;
                }
                ++at_;
                divides = has_divided = true;
                continue;
            }
            if (has_divided && !divides) {
                return refuse("a product behind '/' needs brackets, as in W/(m K)");
            }
            if (!factor(units, divides, below)) {
                return false;
            }
            divides = false;
        }
        return !divides;
    }

    bool factor(UnitsInDetail &units, bool divides, bool below) {
        UnitsInDetail one;
        double exponent = 1.0;
        if (text_[at_] == '(') {
            ++at_;
            if (!product(one, below != divides) || at_ == text_.size()) {
                return false;
            }
            ++at_;
            exponent = power();
        } else if (text_[at_] == '1') {
            ++at_;
            if (is_digit_at(text_, at_) || dot_at(text_, at_) == 1) {
                return refuse("no number but 1 stands among units: multiply the number before them by it");
            }
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() &&
                   (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '%')) {
                ++at_;
            }
            if (at_ == begin) {
                return refuse(mistake_in_character());
            }
            const std::string name = text_.substr(begin, at_ - begin);
            if (divides != below && name == "mK") {
                return refuse("mK is millikelvin; write W/(m K)");
            }
            one = units_named(name);
            exponent = power();
        }
        multiply_by(units, one, divides ? -exponent : exponent);
        return true;
    }

    /// Of a character that no unit begins with; empty where it is plain.
    [[nodiscard]] std::string mistake_in_character() const {
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (rest.starts_with("\u00b0")) {
            return "degrees have an offset; write K, or a number without units";
        }
        return static_cast<unsigned char>(rest.front()) < 0x80U
                   ? ""
                   : "write um for micrometres, powers as in m2 and s-1, and plain blanks";
    }

    /// Behind a unit: 2, -1, ^2, ^-0.5. A dot belongs to it between digits only.
    double power() {
        const std::size_t begin = at_ < text_.size() && text_[at_] == '^' ? at_ + 1 : at_;
        std::size_t end = begin < text_.size() && text_[begin] == '-' ? begin + 1 : begin;
        if (!is_digit_at(text_, end)) {
            return 1.0;
        }
        while (is_digit_at(text_, end) || (text_[end] == '.' && is_digit_at(text_, end + 1))) {
            ++end;
        }
        at_ = end;
        return std::strtod(text_.substr(begin, end - begin).c_str(), nullptr);
    }

    const std::string &text_;
    std::size_t at_ = 0;
    std::string mistake_;
};

}  // namespace

void multiply_units(Units &units, const Units &more, double power) {
    for (const auto &[name, exponent] : more) {
        units[name] += power * exponent;
        if (std::fabs(units[name]) < 1.0e-9) {
            units.erase(name);
        }
    }
}

std::optional<Units> read_units(const std::string &text) {
    const auto found = read_units_in_detail(text);
    return found ? std::optional(found->units) : std::nullopt;
}

std::optional<UnitsInDetail> read_units_in_detail(const std::string &text) {
    return UnitsReader(text).whole();
}

std::string mistake_in_units(const std::string &text) {
    UnitsReader reader(text);
    (void)reader.whole();
    return reader.mistake();
}

std::string to_text(const Units &units) {
    std::string text;
    for (const auto &[name, exponent] : units) {
        text += fmt::format("{}{}", text.empty() ? "" : " ", name);
        text += exponent == 1.0 ? "" : fmt::format("{}", exponent);
    }
    return text.empty() ? "1" : text;
}

}  // namespace perdure::systems
