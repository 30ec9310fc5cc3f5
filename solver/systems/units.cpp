#include "solver/systems/units.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace perdure::systems {
namespace {

struct NamedUnits {
    const char *name;
    Units units;
};

const std::vector<NamedUnits> &derived_units() {
    static const std::vector<NamedUnits> table{
        {"m", {{"m", 1}}},
        {"s", {{"s", 1}}},
        {"g", {{"kg", 1}}},
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
        {"L", {{"m", 3}}},
        {"l", {{"m", 3}}},
        {"bar", {{"kg", 1}, {"m", -1}, {"s", -2}}},
        {"min", {{"s", 1}}},
        {"h", {{"s", 1}}},
        {"d", {{"s", 1}}},
        {"rad", {}},
    };
    return table;
}

const Units *find_units(const std::string &name) {
    for (const NamedUnits &known : derived_units()) {
        if (name == known.name) {
            return &known.units;
        }
    }
    return nullptr;
}

/// With a prefix, which is left out.
Units units_named(const std::string &name) {
    if (const Units *const known = find_units(name)) {
        return *known;
    }
    const bool prefixed =
        name.size() > 1 && std::string("YZEPTGMkhdcmunpfazy").find(name[0]) != std::string::npos;
    const Units *const known = prefixed ? find_units(name.substr(1)) : nullptr;
    return known != nullptr ? *known : Units{{name, 1.0}};
}

void multiply_by(Units &units, const Units &more, double power) {
    for (const auto &[name, exponent] : more) {
        units[name] += power * exponent;
        if (std::fabs(units[name]) < 1.0e-9) {
            units.erase(name);
        }
    }
}

class UnitsReader {
  public:
    explicit UnitsReader(const std::string &text) : text_(text) {}

    std::optional<Units> whole() {
        Units units;
        return product(units) && at_ == text_.size() ? std::optional(units) : std::nullopt;
    }

  private:
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '*')) {
            ++at_;
        }
    }

    bool product(Units &units) {
        double sign = 1.0;
        for (skip_spaces(); at_ < text_.size() && text_[at_] != ')'; skip_spaces()) {
            if (text_[at_] == '/') {
                ++at_;
                sign = -1.0;
                continue;
            }
            if (!factor(units, sign)) {
                return false;
            }
            sign = 1.0;
        }
        return sign > 0.0;
    }

    bool factor(Units &units, double sign) {
        Units one;
        if (text_[at_] == '(') {
            ++at_;
            if (!product(one) || at_ == text_.size()) {
                return false;
            }
            ++at_;
        } else if (text_[at_] == '1') {
            ++at_;
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() &&
                   (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '%')) {
                ++at_;
            }
            if (at_ == begin) {
                return false;
            }
            one = units_named(text_.substr(begin, at_ - begin));
        }
        multiply_by(units, one, sign * power());
        return true;
    }

    /// Behind a unit: 2, -1, ^2, ^-0.5.
    double power() {
        const std::size_t begin = at_ < text_.size() && text_[at_] == '^' ? at_ + 1 : at_;
        std::size_t end = begin < text_.size() && text_[begin] == '-' ? begin + 1 : begin;
        const std::size_t digits = end;
        while (end < text_.size() &&
               (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.')) {
            ++end;
        }
        if (end == digits) {
            return 1.0;
        }
        at_ = end;
        return std::strtod(text_.substr(begin, end - begin).c_str(), nullptr);
    }

    const std::string &text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Units> read_units(const std::string &text) {
    return UnitsReader(text).whole();
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
