// The section `watch` of a case: texts with their positions, not yet parsed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/enum_names.hpp"
#include "solver/failure.hpp"

namespace perdure {

/// A formula of the case file.
struct FormulaText {
    /// From a character of the text on it stands there in the file, up to the next piece.
    struct Piece {
        int begin = 0;
        TextPosition position;
    };

    std::string text;
    TextPosition position;  // of its first character
    std::vector<Piece> pieces =
        {};  // of a text that goes over lines or is not written as it is read; else none
};

/// What is made of a formula e over the grid, or a part of it:
///   sum   sum of e V, V the volume of a cell (its area in 2D)     L1    sum of |e| V
///   mean  mean of the cells                                      L2    square root of the sum of e^2 V
///   min, max                                                     Linf  largest |e|
enum class WatchedQuantity { sum, mean, min, max, L1, L2, Linf };

template <>
inline constexpr std::array enum_names<WatchedQuantity>{
    NamedValue{WatchedQuantity::sum, "sum"},  NamedValue{WatchedQuantity::mean, "mean"},
    NamedValue{WatchedQuantity::min, "min"},  NamedValue{WatchedQuantity::max, "max"},
    NamedValue{WatchedQuantity::L1, "L1"},    NamedValue{WatchedQuantity::L2, "L2"},
    NamedValue{WatchedQuantity::Linf, "Linf"}};

/// Then it has the units of the values.
constexpr bool is_one_of_values(WatchedQuantity quantity) {
    return quantity == WatchedQuantity::mean || quantity == WatchedQuantity::min ||
           quantity == WatchedQuantity::max || quantity == WatchedQuantity::Linf;
}

/// Faces between cells: those of a side, or those nearest to a plane across an axis.
struct FacesConfig {
    int axis = 0;
    bool upper = true;            // of a side; the normal of a plane points upwards
    std::optional<double> plane;  // its coordinate; empty: a side
    TextPosition position;
};

struct IntegralConfig {
    std::string name;
    WatchedQuantity quantity = WatchedQuantity::sum;
    std::optional<FacesConfig>
        through;  // then `of` is a vector v, and the integral the sum of v . n over the faces
    FormulaText of;
    std::optional<FormulaText> where;  // cells where it is not 0; empty: all
    std::string units;                 // empty: not given
    TextPosition position;
};

/// A point, or so many points from one to another.
struct ProbeConfig {
    std::string name;
    std::array<double, 3> from{0.0, 0.0, 0.0}, to{0.0, 0.0, 0.0};  // x, y, z
    int points = 0;                                                // 0: the point `from`
    std::vector<std::pair<std::string, FormulaText>> of;           // name of each formula; empty: all fields
    TextPosition position, from_position, to_position;

    [[nodiscard]] bool is_line() const { return points > 0; }
};

/// At the beginning, at the end, and between them every so many steps or in intervals of time.
struct WatchConfig {
    std::int64_t every_steps = 0;  // 0: not so
    double every = 0.0;            // 0: not so
    std::vector<IntegralConfig> integrals;
    std::vector<ProbeConfig> probes;
    TextPosition position;
};

}  // namespace perdure
