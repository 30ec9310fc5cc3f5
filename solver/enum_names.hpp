// Names of enumeration values: one table per enumeration, from which name(), value_named() and lists of choices are derived.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace perdure {

template <class Enum>
struct NamedValue {
    Enum value;
    const char *name;
};
template <class Enum>
NamedValue(Enum, const char *) -> NamedValue<Enum>;

/// The values of `Enum` and their words, in the order in which lists of choices give them. Specialised for each enumeration that has
/// words: std::array enum_names<Norm>{NamedValue{Norm::l2, "l2"}, NamedValue{Norm::max, "max"}}.
template <class Enum>
inline constexpr std::array<NamedValue<Enum>, 0> enum_names{};

template <class Enum>
concept HasNames = !enum_names<Enum>.empty();

/// Whether the table has each of the values 0, 1, ... once.
template <HasNames Enum>
consteval bool is_gapless() {
    std::array<bool, enum_names<Enum>.size()> seen{};
    for (const NamedValue<Enum> &known : enum_names<Enum>) {
        const auto index = static_cast<std::size_t>(known.value);
        if (index >= seen.size() || seen[index]) {
            return false;
        }
        seen[index] = true;
    }
    return true;
}

/// Throws std::logic_error for a value outside the enumeration.
template <HasNames Enum>
constexpr const char *name(Enum value) {
    static_assert(is_gapless<Enum>());
    for (const NamedValue<Enum> &known : enum_names<Enum>) {
        if (known.value == value) {
            return known.name;
        }
    }
    throw std::logic_error("an enumeration holds no known value");
}

/// Nothing for other words.
template <HasNames Enum>
constexpr std::optional<Enum> value_named(std::string_view word) {
    for (const NamedValue<Enum> &known : enum_names<Enum>) {
        if (known.name == word) {
            return known.value;
        }
    }
    return std::nullopt;
}

/// "a, b or c": the words of an enumeration as text that ends with 0.
template <HasNames Enum>
inline constexpr auto words_of = [] {
    constexpr std::size_t count = enum_names<Enum>.size();
    constexpr auto link = [](std::size_t i) -> std::string_view {
        return i == 0 ? "" : i + 1 == count ? " or " : ", ";
    };
    constexpr std::size_t length = [=] {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += link(i).size() + std::string_view(enum_names<Enum>[i].name).size();
        }
        return sum;
    }();
    std::array<char, length + 1> text{};
    std::size_t end = 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::string_view part : {link(i), std::string_view(enum_names<Enum>[i].name)}) {
            for (const char letter : part) {
                text[end++] = letter;
            }
        }
    }
    return text;
}();

template <HasNames Enum>
constexpr auto all_values() {
    std::array<Enum, enum_names<Enum>.size()> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = enum_names<Enum>[i].value;
    }
    return values;
}

/// All values but one.
template <HasNames Enum>
constexpr auto values_without(Enum left_out) {
    std::array<Enum, enum_names<Enum>.size() - 1> values{};
    std::size_t count = 0;
    for (const NamedValue<Enum> &known : enum_names<Enum>) {
        if (known.value != left_out) {
            values.at(count++) = known.value;
        }
    }
    return values;
}

}  // namespace perdure
