// The results of problem.type: effective: the effective conductivity along each direction and related quantities.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "solver/case_file/effective_config.hpp"
#include "solver/output/effective_bounds.hpp"
#include "solver/output/stop_reason.hpp"

namespace perdure {

/// One material of the image.
struct EffectiveMaterial {
    std::int64_t label = 0;
    double conductivity = 0.0;  // where it varies by axis, the mean
    std::optional<std::array<double, 3>> by_axis{};
    std::optional<std::array<double, 3>> cross{};  // xy, xz, yz of a tensor that has them
    double fraction = 0.0;                         // of the volume
    std::vector<bool> percolates;                  // by itself, in each direction asked
};

/// One direction. Without a path from face to face, or in a periodic cell from period to period, every figure is 0 and nothing was solved.
struct EffectiveDirection {
    int axis = 0;  // 0 = x, 1 = y, 2 = z
    bool percolates = false;
    double connected_fraction =
        0.0;  // of the volume: conducting cells in parts that reach both faces, or every period
    double coefficient = 0.0;  // of the energy that flows dissipate
    double tortuosity = 0.0;   // mean conductivity / coefficient; infinite without a path
    double inflow = 0.0, outflow = 0.0;
    std::optional<Bounds> bounds;                  // between which the coefficient lies for certain
    double rounding = 0.0;                         // of u: what it may add to the coefficient, relative
    double plane_spread = 0.0, plane_noise = 0.0;  // EffectiveProperties
    std::array<double, 3> mean_flux{};             // EffectiveProperties
    StopReason stop = StopReason::complete;
    std::int64_t iterations = 0;
    double residual = 0.0, tolerance = 0.0;
    double device_seconds = 0.0, total_seconds = 0.0;

    [[nodiscard]] double flux_difference() const { return inflow - outflow; }

    /// Digits of the coefficient that bounds make certain; without, those that flows through planes tell of, an estimate; without a path 0.
    [[nodiscard]] int digits() const;
};

struct EffectiveTensor {
    int dimensions = 3;
    ImageSides sides = ImageSides::insulated;
    double mean_coefficient = 0.0;
    double conducting_fraction = 0.0;
    std::vector<EffectiveMaterial> materials;
    std::vector<EffectiveDirection> directions;
    Bounds wiener;                           // of all directions
    std::optional<Bounds> hashin_shtrikman;  // none where conductivities vary by axis
    double percolation_seconds = 0.0;
    std::vector<std::string> remarks;  // what the bounds and percolation say, for people
    bool bounds_violated = false;      // Wiener's, beyond the accuracy of the solve: an error of the solver
    bool fluxes_differ = false;        // in and out, or from plane to plane: the solve is not accurate enough
};

/// Compares each direction with the bounds: says what lies outside, and sets bounds_violated; where inflow and outflow differ by more than
/// 1 %, or what flows through a plane across the direction differs from the coefficient's flow by more than 10 %, says that the figures
/// are not to be trusted, and sets fluxes_differ; where rounding may change more of a coefficient than the solve leaves
/// open, says so. `rtol`, `in_float32`: of the solves.
void check_bounds(EffectiveTensor &tensor, double rtol, bool in_float32 = false);

/// A few lines and a table.
std::string to_text(const EffectiveTensor &tensor);

/// Every figure; infinities become null.
nlohmann::ordered_json to_json(const EffectiveTensor &tensor);

}  // namespace perdure
