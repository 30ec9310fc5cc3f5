// Plans explicit stepping of fields that fit on the chip.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// Place of a precision in tables: float32, float64.
int at(Precision precision);

/// Whether a value is the number 0.
bool is_zero(const ValueSource &source);

/// Whether cells away from sides have a source or sigma.
bool has_terms_inside(const Config &config);

/// Whether conductances are numbers, not fields. Only excluded cells can still change that.
bool expected_uniform(const Config &config);

/// Whether a source or the value of a side has a time factor.
bool changes_in_time(const Config &config);

/// Returns true if the field fits on the chip in one of the variants. `plan` is then complete, with the variant that was measured
/// to be fastest.
bool plan_on_chip(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

}  // namespace perdure
