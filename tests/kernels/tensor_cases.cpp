#include "tests/kernels/tensor_cases.hpp"

#include <utility>

#include "solver/output/conductivity_tensor.hpp"

namespace perdure::tests {

Tensor symmetric(double x, double y, double z, double xy, double xz, double yz) {
    Tensor tensor;
    tensor << x, xy, xz, xy, y, yz, xz, yz, z;
    return tensor;
}

Tensor first_tensor() {
    return symmetric(8.0, 2.0, 1.0, 1.5, -0.7, 0.3);
}

Tensor second_tensor() {
    return symmetric(1.0, 3.0, 2.0, -0.8, 0.2, 1.1);
}

Tensor turned(const Tensor &tensor, double angle) {
    const Tensor turn = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    return turn * tensor * turn.transpose();
}

std::vector<std::uint8_t> image_of(
    const Cells &cells, const std::function<int(std::int64_t, std::int64_t, std::int64_t)> &material) {
    std::vector<std::uint8_t> of_cell;
    for (std::int64_t i = 0; i < cells[0] * cells[1] * cells[2]; ++i) {
        of_cell.push_back(static_cast<std::uint8_t>(
            material(i % cells[0], i / cells[0] % cells[1], i / (cells[0] * cells[1]))));
    }
    return of_cell;
}

Case tensor_case(const Cells &cells, const std::vector<Tensor> &tensors, std::vector<std::uint8_t> of_cell,
                 ImageSides sides) {
    std::vector<double> means;
    const int dimensions = cells[2] > 1 ? 3 : 2;
    for (const Tensor &tensor : tensors) {
        means.push_back(tensor.topLeftCorner(dimensions, dimensions).trace() / dimensions);
    }
    means.push_back(0.0);
    Case test_case = sides == ImageSides::periodic_cell
                         ? periodic_cell(cells, means, std::move(of_cell))
                         : image_case(cells, means, std::move(of_cell), sides == ImageSides::periodic);
    Field &field = test_case.problem.only_field();
    field.varies_by_axis = true;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor &t = tensors[i];
        field.image.materials[i].by_axis = {t(0, 0), t(1, 1), t(2, 2)};
        field.image.materials[i].cross = {t(0, 1), t(0, 2), t(1, 2)};
        test_case.config.a.labels_cross[field.image.materials[i].label] = *field.image.materials[i].cross;
    }
    return test_case;
}

Tensor effective_tensor(const Case &test_case, Device &device) {
    const EffectiveTensor found = *solve(test_case, device).report.tensor;
    EXPECT_FALSE(found.bounds_violated);
    EXPECT_FALSE(found.fluxes_differ);
    const std::optional<ConductivityTensor> whole = conductivity_tensor(found);
    EXPECT_TRUE(whole) << to_text(found);
    Tensor tensor = Tensor::Zero();
    for (int i = 0; whole && i < whole->dimensions; ++i) {
        for (int k = 0; k < whole->dimensions; ++k) {
            tensor(i, k) = whole->entries[i][k];
        }
    }
    return tensor;
}

}  // namespace perdure::tests
