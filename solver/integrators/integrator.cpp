#include "solver/integrators/integrator.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace perdure {

#define PERDURE_DECLARED(equation, word) extern const Integrator equation##_##word;
PERDURE_INTEGRATORS(PERDURE_DECLARED)
#undef PERDURE_DECLARED

std::span<const Integrator *const> all_integrators() {
#define PERDURE_ENTRY(equation, word) &equation##_##word,
    static constexpr std::array integrators{PERDURE_INTEGRATORS(PERDURE_ENTRY)};
#undef PERDURE_ENTRY
    return integrators;
}

const Integrator &integrator_of(const Config &config) {
    const TimeIntegrator word = config.time.value_or(TimeConfig{}).integrator;
    const auto integrators = all_integrators();
    const auto found =
        std::find_if(integrators.begin(), integrators.end(), [&](const Integrator *integrator) {
            return integrator->equation == config.type && integrator->word == word &&
                   (integrator->suits == nullptr || integrator->suits(config));
        });
    if (found == integrators.end()) {
        throw std::logic_error("internal error: no integrator belongs to this time.method");
    }
    return **found;
}

SystemSteps steps_of_formulas(const Config &config) {
    const Integrator &integrator = integrator_of(config);
    return integrator.steps_of_system != nullptr ? integrator.steps_of_system(config) : SystemSteps();
}

}  // namespace perdure
