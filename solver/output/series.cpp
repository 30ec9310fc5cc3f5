#include "solver/output/series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace perdure {
namespace {

constexpr const char *beginning = "time,step";

}  // namespace

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
    std::ifstream stream(file, std::ios::binary);
    std::string line;
    std::getline(stream, line);
    return line == beginning || line.starts_with(std::string(beginning) + ',');
}

}  // namespace perdure
