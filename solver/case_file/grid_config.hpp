// The cells of a case, and in which units its lengths and times are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "solver/enum_names.hpp"
#include "solver/failure.hpp"

namespace perdure {

enum class LengthUnit { nm, um, mm, cm, m, km };
enum class TimeUnit { ns, us, ms, s, min, h, d };

template <>
inline constexpr std::array enum_names<LengthUnit>{
    NamedValue{LengthUnit::nm, "nm"}, NamedValue{LengthUnit::um, "um"}, NamedValue{LengthUnit::mm, "mm"},
    NamedValue{LengthUnit::cm, "cm"}, NamedValue{LengthUnit::m, "m"},   NamedValue{LengthUnit::km, "km"}};
template <>
inline constexpr std::array enum_names<TimeUnit>{
    NamedValue{TimeUnit::ns, "ns"}, NamedValue{TimeUnit::us, "us"},   NamedValue{TimeUnit::ms, "ms"},
    NamedValue{TimeUnit::s, "s"},   NamedValue{TimeUnit::min, "min"}, NamedValue{TimeUnit::h, "h"},
    NamedValue{TimeUnit::d, "d"}};

/// Of the numbers of a case; none: the case does not say.
struct DeclaredUnits {
    std::optional<LengthUnit> length;
    std::optional<TimeUnit> time;
};

/// As an attribute `units` has it: "1" where the case does not say.
template <HasNames Unit>
std::string unit_attribute(const std::optional<Unit> &unit) {
    return unit ? name(*unit) : "1";
}

/// Behind a number in a sentence; empty where the case does not say.
template <HasNames Unit>
std::string unit_in_words(const std::optional<Unit> &unit) {
    return unit ? std::string(" ") + name(*unit) : "";
}

struct GridConfig {
    int dimensions = 2;
    /// A grid of one axis, which its user sees as such: inside one cell across, of length 1 around y = 0.
    bool is_line = false;
    std::array<std::int64_t, 3> cells{1, 1, 1};    // x, y, z (the case file gives z, y, x)
    std::array<double, 3> spacing{1.0, 1.0, 1.0};  // x, y, z
    std::array<double, 3> origin{0.0, 0.0, 0.0};   // x, y, z: corner of the box
    TextPosition position;

    /// As the case has them.
    [[nodiscard]] int axes() const { return is_line ? 1 : dimensions; }
};

}  // namespace perdure
