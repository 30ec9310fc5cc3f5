#include "solver/measure/compare/scaling.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "solver/backends/backend.hpp"

namespace perdure::compare {
namespace {

constexpr double seconds_between_devices = 1.2e-6;

}  // namespace

double predicted_seconds(const ScalingModel &model, int devices) {
    const double of_one = model.copy_seconds * model.devices;
    const double within = model.barrier_seconds - (model.devices > 1 ? seconds_between_devices : 0.0);
    const double barrier = std::max(within, 0.0) + (devices > 1 ? seconds_between_devices : 0.0);
    return of_one * largest_part(cuts_between(devices, model.boxes, model.cells)) + model.phases * barrier;
}

std::string scaling_text(const ScalingModel &model, const std::string &article, const std::string &unit) {
    const auto microseconds = [&](int devices) { return 1.0e6 * predicted_seconds(model, devices); };
    return fmt::format(
        "{:.4g} us {} {} on 1 device, {:.4g} on 2, {:.4g} on 4, {:.4g} on 8, as predicted from the copy and "
        "the "
        "barrier",
        microseconds(1), article, unit, microseconds(2), microseconds(4), microseconds(8));
}

}  // namespace perdure::compare
