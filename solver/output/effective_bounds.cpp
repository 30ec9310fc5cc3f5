#include "solver/output/effective_bounds.hpp"

#include <map>

namespace perdure {
namespace {

/// Volume fraction of every conductivity that occurs.
std::map<double, double> fractions_of(const MaterialImage &image) {
    std::map<double, double> fractions;
    for (const Material &material : image.materials) {
        if (material.cells > 0) {
            fractions[material.conductivity] +=
                static_cast<double>(material.cells) / static_cast<double>(image.of_cell.size());
        }
    }
    return fractions;
}

}  // namespace

Bounds wiener_bounds(const MaterialImage &image) {
    double resistivity = 0.0;
    double mean = 0.0;
    bool solid = false;
    for (const auto &[conductivity, fraction] : fractions_of(image)) {
        mean += fraction * conductivity;
        solid = solid || conductivity == 0.0;
        resistivity += conductivity > 0.0 ? fraction / conductivity : 0.0;
    }
    return {solid ? 0.0 : 1.0 / resistivity, mean};
}

std::optional<Bounds> hashin_shtrikman_bounds(const MaterialImage &image, int dimensions) {
    const std::map<double, double> fractions = fractions_of(image);
    if (fractions.size() != 2) {
        return std::nullopt;
    }
    const auto [low, low_fraction] = *fractions.begin();
    const auto [high, high_fraction] = *fractions.rbegin();
    const double d = dimensions;
    const double upper = high + low_fraction / (1.0 / (low - high) + high_fraction / (d * high));
    const double lower =
        low > 0.0 ? low + high_fraction / (1.0 / (high - low) + low_fraction / (d * low)) : 0.0;
    return Bounds{lower, upper};
}

}  // namespace perdure
