#include <cmath>

#include <nlohmann/json.hpp>

#include "solver/case_file/config.hpp"
#include "solver/output/conductivity_tensor.hpp"
#include "solver/output/effective_tensor.hpp"

namespace perdure {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const Bounds &bounds) {
    return {{"lower", bounds.lower}, {"upper", bounds.upper}};
}

Json to_json(const EffectiveDirection &direction) {
    return {{"percolates", direction.percolates},
            {"coefficient", direction.coefficient},
            {"energy_bounds", direction.bounds ? to_json(*direction.bounds) : Json(nullptr)},
            {"certain_digits", direction.bounds ? Json(direction.digits()) : Json(nullptr)},
            {"digits", direction.percolates ? Json(direction.digits()) : Json(nullptr)},
            {"tortuosity", finite_or_null(direction.tortuosity)},
            {"connected_fraction", direction.connected_fraction},
            {"inflow", direction.inflow},
            {"outflow", direction.outflow},
            {"flux_difference", direction.flux_difference()},
            {"rounding", direction.rounding},
            {"plane_spread", direction.plane_spread},
            {"plane_noise", direction.plane_noise},
            {"stop_reason", describe(direction.stop)},
            {"iterations", direction.iterations},
            {"residual", finite_or_null(direction.residual)},
            {"tolerance", finite_or_null(direction.tolerance)},
            {"device_seconds", direction.device_seconds},
            {"total_seconds", direction.total_seconds}};
}

}  // namespace

Json to_json(const EffectiveTensor &tensor) {
    Json json{{"lateral", tensor.sides != ImageSides::insulated ? "periodic" : "flux"},
              {"mean_coefficient", tensor.mean_coefficient},
              {"conducting_fraction", tensor.conducting_fraction},
              {"percolation_seconds", tensor.percolation_seconds}};
    if (tensor.sides == ImageSides::periodic_cell) {
        json["periodic_cell"] = true;
    }
    for (const EffectiveMaterial &material : tensor.materials) {
        json["labels"].push_back({{"label", material.label},
                                  {"conductivity", material.conductivity},
                                  {"fraction", material.fraction},
                                  {"percolates", material.percolates}});
        if (material.by_axis) {
            json["labels"].back()["by_axis"] = *material.by_axis;
        }
        if (material.cross) {
            json["labels"].back()["xy_xz_yz"] = *material.cross;
        }
    }
    for (const EffectiveDirection &direction : tensor.directions) {
        json[name(static_cast<Axis>(direction.axis))] = to_json(direction);
    }
    if (const auto whole = conductivity_tensor(tensor)) {
        for (int i = 0; i < whole->dimensions; ++i) {
            for (int k = 0; k < whole->dimensions; ++k) {
                json["tensor"][name(static_cast<Axis>(i))][name(static_cast<Axis>(k))] = whole->entries[i][k];
            }
        }
        json["principal"] = whole->principal;
        json["asymmetry"] = whole->asymmetry;
    }
    json["wiener"] = to_json(tensor.wiener);
    json["hashin_shtrikman"] = tensor.hashin_shtrikman ? to_json(*tensor.hashin_shtrikman) : Json(nullptr);
    json["bounds_violated"] = tensor.bounds_violated;
    json["fluxes_differ"] = tensor.fluxes_differ;
    json["remarks"] = tensor.remarks;
    return json;
}

}  // namespace perdure
