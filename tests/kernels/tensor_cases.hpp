// Effective cases of images whose labels have full tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Dense>

#include "tests/kernels/image_cases.hpp"

namespace perdure::tests {

using Cells = std::array<std::int64_t, 3>;
using Tensor = Eigen::Matrix3d;

Tensor symmetric(double x, double y, double z, double xy, double xz, double yz);

/// Two that are positive definite, with all entries.
Tensor first_tensor();
Tensor second_tensor();

/// Turned about z.
Tensor turned(const Tensor &tensor, double angle);

/// The material of each cell (x, y, z).
std::vector<std::uint8_t> image_of(
    const Cells &cells, const std::function<int(std::int64_t, std::int64_t, std::int64_t)> &material);

/// Materials with these tensors, and behind them one that does not conduct.
Case tensor_case(const Cells &cells, const std::vector<Tensor> &tensors, std::vector<std::uint8_t> of_cell,
                 ImageSides sides);

/// The effective tensor, 0 beyond the dimensions of the image; a failure of the test where there is none.
Tensor effective_tensor(const Case &test_case, Device &device);

}  // namespace perdure::tests
