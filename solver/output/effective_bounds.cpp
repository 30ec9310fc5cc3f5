#include "solver/output/effective_bounds.hpp"

#include <map>

namespace perdure {
namespace {

/// Volume fraction of every conductivity along an axis that occurs.
std::map<double, double> fractions_of(const MaterialImage &image, int axis) {
    std::map<double, double> fractions;
    for (const Material &material : image.materials) {
        if (material.cells > 0) {
            fractions[material.along(axis)] +=
                static_cast<double>(material.cells) / static_cast<double>(image.of_cell.size());
        }
    }
    return fractions;
}

/// Of spheres (in 2D circles) of all materials that lie in one of conductivity `surroundings`.
double with_surroundings(const std::map<double, double> &fractions, double surroundings, int dimensions) {
    if (surroundings == 0.0) {
        return 0.0;
    }
    const double added = (dimensions - 1) * surroundings;
    double sum = 0.0;
    for (const auto &[conductivity, fraction] : fractions) {
        sum += fraction / (conductivity + added);
    }
    return 1.0 / sum - added;
}

}  // namespace

Bounds wiener_bounds(const MaterialImage &image, int axis) {
    double resistivity = 0.0;
    double mean = 0.0;
    bool solid = false;
    for (const auto &[conductivity, fraction] : fractions_of(image, axis)) {
        mean += fraction * conductivity;
        solid = solid || conductivity == 0.0;
        resistivity += conductivity > 0.0 ? fraction / conductivity : 0.0;
    }
    return {solid ? 0.0 : 1.0 / resistivity, mean};
}

std::optional<Bounds> hashin_shtrikman_bounds(const MaterialImage &image, int dimensions) {
    if (image.varies_by_axis()) {
        return std::nullopt;
    }
    const std::map<double, double> fractions = fractions_of(image, 0);
    return Bounds{with_surroundings(fractions, fractions.begin()->first, dimensions),
                  with_surroundings(fractions, fractions.rbegin()->first, dimensions)};
}

}  // namespace perdure
