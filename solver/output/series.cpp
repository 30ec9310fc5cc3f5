#include "solver/output/series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "solver/regular_file.hpp"

namespace perdure {
namespace {

constexpr const char *beginning = "time,step";

/// The number of at most 15 digits that a computation in double precision may have meant; else the number itself.
double shortest(double number) {
    constexpr double few_roundings = 4.0 * std::numeric_limits<double>::epsilon();
    const double decimal = std::strtod(fmt::format("{:.15g}", number).c_str(), nullptr);
    return std::abs(decimal - number) <= few_roundings * std::abs(number) ? decimal : number;
}

}  // namespace

void without_rounding(double origin, double interval, std::vector<double> &times) {
    constexpr double rounding = 1.0e-9;  // of an interval, as the schedule has it: kernels/watch_schedule.h
    if (!(interval > 0.0)) {
        return;
    }
    for (double &time : times) {
        const double multiple = origin + std::round((time - origin) / interval) * interval;
        if (std::abs(time - multiple) <= rounding * interval) {
            time = shortest(multiple);
        }
    }
}

std::vector<double> SeriesLine::distances() const {
    std::vector<double> distances;
    for (const std::array<double, 3> &point : points) {
        double square = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            square += (point[axis] - points.front()[axis]) * (point[axis] - points.front()[axis]);
        }
        distances.push_back(std::sqrt(square));
    }
    return distances;
}

std::string csv_text(const Series &series) {
    fmt::memory_buffer text;
    const auto to = std::back_inserter(text);
    fmt::format_to(to, "{}", beginning);
    for (const SeriesVariable &variable : series.variables) {
        for (std::size_t i = 0; i < variable.width; ++i) {
            fmt::format_to(to, ",{}",
                           variable.line < 0 ? variable.name : fmt::format("{}_{}", variable.name, i));
        }
    }
    for (std::size_t row = 0; row < series.times.size(); ++row) {
        fmt::format_to(to, "\n{},{}", series.times[row], series.steps[row]);
        for (const SeriesVariable &variable : series.variables) {
            for (std::size_t i = 0; i < variable.width; ++i) {
                fmt::format_to(to, ",{}", variable.values[row * variable.width + i]);
            }
        }
    }
    fmt::format_to(to, "\n");
    return fmt::to_string(text);
}

bool is_series_csv(const std::filesystem::path &file) {
    const std::string header = beginning;
    const std::string found = read_regular_file(file, header.size() + 1);
    return found == header || found == header + ',' || found == header + '\n';
}

}  // namespace perdure
