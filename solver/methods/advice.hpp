// What a user can try if a solve did not converge.
#pragma once

#include <string>

#include "solver/case_file/config.hpp"
#include "solver/output/stop_reason.hpp"

namespace perdure {

/// Settings that may converge where those of the case did not, for people; empty where there is nothing to say.
std::string advice(StopReason stop, const Config &config);

}  // namespace perdure
