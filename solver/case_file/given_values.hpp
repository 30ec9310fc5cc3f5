// What a case file gives for a cell field or a side.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "solver/enum_names.hpp"
#include "solver/failure.hpp"

namespace perdure {

/// Where the values of a cell field (or of a side) come from.
struct ValueSource {
    enum class Kind { number, expression, dataset, labels };
    Kind kind = Kind::number;
    double number = 0.0;                    // number
    std::string expression;                 // expression in x, y, z
    std::filesystem::path file;             // dataset, labels: resolved against the case file's folder
    std::string dataset;                    // dataset, labels: path inside the HDF5 file
    std::map<std::int64_t, double> labels;  // labels: value per label
    std::string time_factor;                // expression in t that scales the values; empty: constant in time
    TextPosition position;                  // of the value in the case file

    static ValueSource of_number(double number) {
        ValueSource source;
        source.number = number;
        return source;
    }
};

/// What a case asks of a side; solver/boundary_conditions.
enum class SideKind { flux, value, exchange, periodic };

template <>
inline constexpr std::array enum_names<SideKind>{
    NamedValue{SideKind::flux, "flux"}, NamedValue{SideKind::value, "value"},
    NamedValue{SideKind::exchange, "exchange"}, NamedValue{SideKind::periodic, "periodic"}};

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

/// What happens with sources in cells that are left out of a problem.
enum class SourcesInSolids { refuse, ignore };

template <>
inline constexpr std::array enum_names<SourcesInSolids>{NamedValue{SourcesInSolids::refuse, "refuse"},
                                                        NamedValue{SourcesInSolids::ignore, "ignore"}};

}  // namespace perdure
