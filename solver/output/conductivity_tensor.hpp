// The effective conductivity tensor of an image whose sides along the direction of the flow are periodic.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace perdure {

struct EffectiveTensor;

/// Entry [i][k] is the mean flux along i where u falls by 1 a length along k and by nothing along the other axes; 0 = x.
struct ConductivityTensor {
    int dimensions = 3;
    bool periodic_cell = false;
    std::array<std::array<double, 3>, 3> entries{};
    std::vector<double> principal;  // eigenvalues of the symmetric part, ascending
    double asymmetry = 0.0;         // largest difference of an entry and its mirror image / largest entry
};

/// Empty where the sides are insulated, as flux and mean gradient then have directions that nobody knows, and where not all directions
/// were asked for, or one of them did not converge.
std::optional<ConductivityTensor> conductivity_tensor(const EffectiveTensor &tensor);

/// The entries in lines, and the principal values.
std::string to_text(const ConductivityTensor &tensor);

}  // namespace perdure
