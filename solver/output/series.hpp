// The values that a run has watched through time.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace perdure {

/// Points of a line along which formulas were watched.
struct SeriesLine {
    std::string name;
    std::vector<std::array<double, 3>> points;  // x, y, z

    /// From the first point.
    [[nodiscard]] std::vector<double> distances() const;
};

/// A number, or one for each point of a line, at each time.
struct SeriesVariable {
    std::string name, meaning, units;  // units empty: not given
    int line = -1;                     // a place in Series::lines
    std::array<double, 3> at{};        // of a point
    bool is_at_point = false;
    std::size_t width = 1;       // points
    std::vector<double> values;  // [times][width]
};

struct Series {
    int dimensions = 2;
    std::vector<double> times;
    std::vector<std::int64_t> steps;
    std::vector<SeriesLine> lines;
    std::vector<SeriesVariable> variables;
};

/// Times that rounding alone keeps from being `origin` plus a multiple of `interval` become what such a number is in decimals: 47.5 in
/// place of 47.49999999999992, which many steps of 0.1 add up to. Others, and all where `interval` is not above 0, stay as they are.
void without_rounding(double origin, double interval, std::vector<double> &times);

/// A header and a line for each time: time, step, and of each variable a column NAME, or of a line NAME_0, NAME_1 ... Numbers have all
/// digits that they need to be read back; NaN and infinity are nan, inf and -inf.
std::string csv_text(const Series &series);

/// Whether a file begins as those that csv_text() makes. Never waits. Throws as read_regular_file().
bool is_series_csv(const std::filesystem::path &file);

}  // namespace perdure
