// Values that depend on time alone become numbers with a factor of time, which kernels of linear problems take.
#pragma once

#include "solver/case_file/config.hpp"

namespace perdure {

/// Of a heat problem: f and the values of sides that are expressions of t, also by the names of tables, and of nothing else. What a
/// formula of a table would make too long stays as it is.
void make_factors_of_time(Config &config);

}  // namespace perdure
