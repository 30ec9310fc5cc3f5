#include "solver/output/effective_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/energy_bounds.hpp"
#include "solver/output/text_table.hpp"

namespace perdure {
namespace {

const char *direction_name(const EffectiveDirection &direction) {
    return name(static_cast<Axis>(direction.axis));
}

/// Of inflow and outflow, where figures made of them count as an answer.
constexpr double most_flux_difference = 0.01;

/// Of what flows through a plane across the direction, against the flow of the coefficient's energy: the coefficient is wrong
/// by the square of that at most, or so, as measured in images of contrasts up to 1e8.
constexpr double most_plane_spread = 0.1;

/// How many times its standard deviation rounding is not taken to reach.
constexpr double noise_margin = 4.0;

/// How far residual and fluxes that differ may carry a coefficient, as nobody need be told.
double expected_accuracy(const EffectiveDirection &direction, double rtol) {
    return std::max({1.0e-6, 100.0 * rtol, std::abs(direction.flux_difference()) / direction.inflow,
                     direction.plane_spread * direction.plane_spread});
}

bool outside(double value, const Bounds &bounds, double slack) {
    return value < bounds.lower * (1.0 - slack) || value > bounds.upper * (1.0 + slack);
}

std::string conductivity_text(const EffectiveMaterial &material, int dimensions) {
    if (!material.by_axis) {
        return fmt::format("{:.6g}", material.conductivity);
    }
    std::string text;
    for (int axis = 0; axis < dimensions; ++axis) {
        text += fmt::format("{}{} {:.6g}", axis == 0 ? "" : ", ", name(static_cast<Axis>(axis)),
                            (*material.by_axis)[axis]);
    }
    for (int i = 0; i < dimensions && material.cross; ++i) {
        for (int k = i + 1; k < dimensions; ++k) {
            text += fmt::format(", {}{} {:.6g}", name(static_cast<Axis>(i)), name(static_cast<Axis>(k)),
                                (*material.cross)[i + k - 1]);
        }
    }
    return text;
}

std::string percolating(const EffectiveMaterial &material, const EffectiveTensor &tensor) {
    std::string axes;
    for (std::size_t i = 0; i < tensor.directions.size(); ++i) {
        if (material.percolates[i]) {
            axes += fmt::format("{}{}", axes.empty() ? "" : ", ", direction_name(tensor.directions[i]));
        }
    }
    return axes.empty() ? "does not percolate" : "percolates along " + axes;
}

void add_row(const EffectiveDirection &direction, bool periodic_cell, TextTable &table) {
    if (!direction.percolates) {
        table.add({direction_name(direction), "0"},
                  fmt::format("no conducting path from {}, so nothing was solved",
                              periodic_cell ? "period to period" : "face to face"));
        return;
    }
    // A periodic cell has no faces: what flows in and out is the same sum.
    const std::string in = periodic_cell ? "" : fmt::format("{:.9g}", direction.inflow),
                      out = periodic_cell ? "" : fmt::format("{:.9g}", direction.outflow),
                      difference = periodic_cell ? "" : fmt::format("{:.2e}", direction.flux_difference());
    table.add({direction_name(direction), fmt::format("{:.10g}", direction.coefficient),
               fmt::format("{:.9g}", direction.tortuosity),
               fmt::format("{:.6f}", direction.connected_fraction), in, out, difference,
               fmt::to_string(direction.iterations), fmt::format("{:.4g} s", direction.device_seconds)},
              exit_code(direction.stop) == ExitCode::success
                  ? ""
                  : fmt::format("NOT CONVERGED: {}", describe(direction.stop)));
}

std::string digits_text(const EffectiveTensor &tensor, const EffectiveDirection &direction) {
    const bool crossed =
        std::any_of(tensor.materials.begin(), tensor.materials.end(),
                    [](const EffectiveMaterial &material) { return material.cross.has_value(); });
    const std::string why = crossed
                                ? "there are no certain bounds where labels have tensors with xy, xz or yz"
                                : fmt::format("bounds are for at most {} cells", most_cells_to_bound);
    const std::string about =
        direction.bounds
            ? to_text(*direction.bounds)
            : fmt::format("about {} digit{} of the coefficient, estimated from what flows through planes; {}",
                          direction.digits(), direction.digits() == 1 ? "" : "s", why);
    return fmt::format("  energy {}   {}\n", direction_name(direction), about);
}

}  // namespace

int EffectiveDirection::digits() const {
    if (!percolates) {
        return 0;
    }
    const double planes = plane_spread * plane_spread;
    const double error = std::max({planes, rounding, std::numeric_limits<double>::epsilon()});
    return bounds ? certain_digits(*bounds) : static_cast<int>(std::clamp(-std::log10(error), 0.0, 12.0));
}

void check_bounds(EffectiveTensor &tensor, double rtol, bool in_float32) {
    const char *const way_out = in_float32 ? "; execution.precision: float64 reduces rounding" : "";
    for (const EffectiveDirection &direction : tensor.directions) {
        if (!direction.percolates || exit_code(direction.stop) != ExitCode::success) {
            continue;
        }
        const double larger = std::max(std::abs(direction.inflow), std::abs(direction.outflow));
        if (!(std::abs(direction.flux_difference()) <= most_flux_difference * larger)) {
            tensor.fluxes_differ = true;
            tensor.remarks.push_back(
                fmt::format("along {}: the inflow {:.6g} and the outflow {:.6g} differ: although the "
                            "residual is small, the result is not yet accurate, as can happen at high "
                            "contrast; lower solver.rtol (now {:.1e}) and use float64",
                            direction_name(direction), direction.inflow, direction.outflow, rtol));
            continue;
        }
        const bool planes_differ = direction.plane_spread > most_plane_spread;
        if (planes_differ && direction.plane_spread > noise_margin * direction.plane_noise) {
            tensor.fluxes_differ = true;
            tensor.remarks.push_back(fmt::format(
                "along {}: the flux through the cross-sections differs by up to {:.0f} % of the flow: "
                "although the residual is small, {:.6g} is not yet accurate, as can happen at high contrast; "
                "lower solver.rtol (now {:.1e}) and use float64",
                direction_name(direction), 100.0 * direction.plane_spread, direction.coefficient, rtol));
            continue;
        }
        if (direction.bounds && certain_digits(*direction.bounds) < few_digits) {
            tensor.remarks.push_back(fmt::format("along {}: {}", direction_name(direction),
                                                 warn_of_few_digits(*direction.bounds)));
        }
        if (planes_differ) {
            tensor.remarks.push_back(
                fmt::format("along {}: rounding of u hides whether the flux through every cross-section "
                            "agrees, as can happen at high contrast{}",
                            direction_name(direction), way_out));
        }
        const double expected = expected_accuracy(direction, rtol);
        const double slack = std::max(expected, direction.rounding);
        if (direction.rounding > expected) {
            tensor.remarks.push_back(
                fmt::format("along {}: rounding may change {:.6g} by a fraction of {:.1e}, because u differs "
                            "very little from cell to cell, as can happen at high contrast{}",
                            direction_name(direction), direction.coefficient, direction.rounding, way_out));
        }
        if (outside(direction.coefficient, tensor.wiener, slack)) {
            tensor.bounds_violated = true;
            tensor.remarks.push_back(fmt::format(
                "along {}: {:.10g} lies outside Wiener's bounds, {:.10g} to {:.10g}, which hold for every "
                "structure: this is an error in perdure and not in the image; please report it",
                direction_name(direction), direction.coefficient, tensor.wiener.lower, tensor.wiener.upper));
        } else if (tensor.hashin_shtrikman &&
                   outside(direction.coefficient, *tensor.hashin_shtrikman, slack)) {
            tensor.remarks.push_back(fmt::format(
                "along {}: {:.6g} lies outside the Hashin-Shtrikman bounds, {:.6g} to {:.6g}, which hold for "
                "isotropic structures: the image is anisotropic, or too small to represent the material",
                direction_name(direction), direction.coefficient, tensor.hashin_shtrikman->lower,
                tensor.hashin_shtrikman->upper));
        }
    }
}

std::string to_text(const EffectiveTensor &tensor) {
    std::string text;
    for (const EffectiveMaterial &material : tensor.materials) {
        text += fmt::format("  label {:<4} conductivity {}, fraction {:.6f}, {}\n", material.label,
                            conductivity_text(material, tensor.dimensions), material.fraction,
                            percolating(material, tensor));
    }
    text += fmt::format(
        "  conducting fraction {:.6f}, mean conductivity {:.9g}; {}; percolation computed in {:.3g} s\n",
        tensor.conducting_fraction, tensor.mean_coefficient,
        tensor.sides == ImageSides::periodic_cell ? "all sides periodic"
        : tensor.sides == ImageSides::periodic    ? "lateral sides periodic"
                                                  : "lateral sides insulated",
        tensor.percolation_seconds);
    TextTable table({{"direction", TextTable::Align::left},
                     {"effective"},
                     {"tortuosity"},
                     {"connected"},
                     {"flux in"},
                     {"flux out"},
                     {"difference"},
                     {"iterations"},
                     {"time"}});
    for (const EffectiveDirection &direction : tensor.directions) {
        add_row(direction, tensor.sides == ImageSides::periodic_cell, table);
    }
    text += table.plain(2);
    if (const auto whole = conductivity_tensor(tensor)) {
        text += to_text(*whole);
    }
    std::string digits;
    for (const EffectiveDirection &direction : tensor.directions) {
        digits += direction.percolates ? digits_text(tensor, direction) : "";
    }
    text += digits;
    if (!digits.empty()) {
        text +=
            "             digits measure the error of the solver on these voxels, not the error of the "
            "voxels: "
            "compare with a finer image\n";
    }
    text += fmt::format("  bounds     Wiener (Voigt-Reuss) {:.9g} to {:.9g}", tensor.wiener.lower,
                        tensor.wiener.upper);
    text += tensor.hashin_shtrikman
                ? fmt::format(", Hashin-Shtrikman {:.9g} to {:.9g}\n", tensor.hashin_shtrikman->lower,
                              tensor.hashin_shtrikman->upper)
                : std::string("; no Hashin-Shtrikman bounds, because conductivities vary by axis\n");
    for (const std::string &remark : tensor.remarks) {
        text += fmt::format("  {}: {}\n", tensor.bounds_violated ? "ERROR" : "note", remark);
    }
    return text;
}

}  // namespace perdure
