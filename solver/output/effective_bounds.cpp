#include "solver/output/effective_bounds.hpp"

#include <cmath>
#include <map>

#include <Eigen/Dense>

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

Eigen::MatrixXd tensor_of(const Material &material) {
    const int dimensions = material.by_axis && std::isnan(material.along(2)) ? 2 : 3;
    Eigen::MatrixXd tensor(dimensions, dimensions);
    for (int i = 0; i < dimensions; ++i) {
        for (int k = 0; k < dimensions; ++k) {
            tensor(i, k) = material.entry(i, k);
        }
    }
    return tensor;
}

/// Of the means of tensors and of their inverses: the flux of a uniform gradient, and a uniform flux along the axis.
Bounds tensor_bounds(const MaterialImage &image, int axis) {
    double mean = 0.0, resistivity = 0.0;
    bool solid = false;
    for (const Material &material : image.materials) {
        if (material.cells == 0) {
            continue;
        }
        const double fraction =
            static_cast<double>(material.cells) / static_cast<double>(image.of_cell.size());
        solid = solid || material.conductivity == 0.0;
        mean += fraction * material.along(axis);
        if (material.conductivity > 0.0) {
            resistivity += fraction * Eigen::MatrixXd(tensor_of(material).inverse())(axis, axis);
        }
    }
    return {solid ? 0.0 : 1.0 / resistivity, mean};
}

}  // namespace

Bounds wiener_bounds(const MaterialImage &image, int axis) {
    if (image.has_cross_terms()) {
        return tensor_bounds(image, axis);
    }
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
