#include "solver/integrators/integrator.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace perdure {

extern const Integrator explicit_euler;

std::span<const Integrator *const> all_integrators() {
    static constexpr std::array integrators{&explicit_euler};
    return integrators;
}

const Integrator &integrator_of(const Config &config) {
    const TimeIntegrator word = config.time.value_or(TimeConfig{}).integrator;
    const auto integrators = all_integrators();
    const auto found =
        std::find_if(integrators.begin(), integrators.end(),
                     [word](const Integrator *integrator) { return integrator->word == word; });
    if (found == integrators.end()) {
        throw std::logic_error("a word of time.integrator has no integrator");
    }
    return **found;
}

}  // namespace perdure
