#include "solver/measure/measurements.hpp"

#include "solver/measure/compare/choose_model.hpp"
#include "solver/measure/compare/explain.hpp"
#include "solver/measure/compare/model_cache.hpp"

namespace perdure {

Measurements measurements() {
    return {[](PreparedCase &prepared) { compare::choose_model(prepared, compare::model_cache_path()); },
            [](const PreparedCase &prepared) { return std::make_unique<compare::Explanation>(prepared); }};
}

}  // namespace perdure
