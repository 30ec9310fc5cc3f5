#include "solver/methods/advice.hpp"

#include "solver/methods/method.hpp"

namespace perdure {

std::string advice(StopReason stop, const Config &config) {
    const bool did_not_converge = stop == StopReason::iteration_limit || stop == StopReason::diverged ||
                                  stop == StopReason::breakdown || stop == StopReason::stagnated;
    const Method &method = method_of(config);
    return did_not_converge && method.advice != nullptr ? method.advice(config) : std::string();
}

}  // namespace perdure
