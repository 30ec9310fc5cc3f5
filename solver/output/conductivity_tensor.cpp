#include "solver/output/conductivity_tensor.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Dense>

#include "solver/case_file/config.hpp"
#include "solver/output/effective_tensor.hpp"

namespace perdure {

std::optional<ConductivityTensor> conductivity_tensor(const EffectiveTensor &tensor) {
    ConductivityTensor found;
    found.dimensions = tensor.dimensions;
    found.periodic_cell = tensor.sides == ImageSides::periodic_cell;
    if (tensor.sides == ImageSides::insulated ||
        tensor.directions.size() != static_cast<std::size_t>(found.dimensions)) {
        return std::nullopt;
    }
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(found.dimensions, found.dimensions);
    for (const EffectiveDirection &direction : tensor.directions) {
        if (exit_code(direction.stop) != ExitCode::success) {
            return std::nullopt;
        }
        for (int i = 0; i < found.dimensions; ++i) {
            const double entry = i == direction.axis ? direction.coefficient : direction.mean_flux[i];
            found.entries[i][direction.axis] = matrix(i, direction.axis) = entry;
        }
    }
    const double largest = matrix.cwiseAbs().maxCoeff();
    found.asymmetry = largest > 0.0 ? (matrix - matrix.transpose()).cwiseAbs().maxCoeff() / largest : 0.0;
    const Eigen::MatrixXd symmetric = 0.5 * (matrix + matrix.transpose());
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
    found.principal.assign(values.begin(), values.end());
    // Where nothing conducts along an axis of the tensor, rounding is left, or in a periodic cell the error of the solver, which asymmetry shows.
    const double error = found.periodic_cell ? std::max(1.0e-15, 2.0 * found.asymmetry) : 1.0e-15;
    for (double &value : found.principal) {
        value = std::abs(value) <= error * largest ? 0.0 : value;
    }
    return found;
}

std::string to_text(const ConductivityTensor &tensor) {
    std::string text;
    for (int i = 0; i < tensor.dimensions; ++i) {
        text += fmt::format("  {:<10} {}", i == 0 ? "tensor" : "", name(static_cast<Axis>(i)));
        for (int k = 0; k < tensor.dimensions; ++k) {
            text += fmt::format("  {:>16.9g}", tensor.entries[i][k]);
        }
        text += '\n';
    }
    return text +
           fmt::format(
               "  {:<10} principal values {:.9g} of its symmetric part\n"
               "  {:<10} asymmetry {:.2g}: {}\n",
               "", fmt::join(tensor.principal, ", "), "", tensor.asymmetry,
               tensor.periodic_cell
                   ? "the tensor of a periodic cell is symmetric but for the error of the solver"
                   : "the faces of each direction hold fixed values, so this is not the tensor of a periodic "
                     "cell, which boundary: {all: periodic} gives");
}

}  // namespace perdure
