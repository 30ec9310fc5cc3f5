// Which form of the held regime a case of stepping takes.
#pragma once

#include "solver/resident/plan_resident.hpp"

namespace perdure {

/// Conductances are numbers, not fields; only excluded cells can still change that.
bool expected_uniform(const Config &config);

/// Whether a source or the value of a side has a factor of time.
bool changes_in_time(const Config &config);

/// True when the field fits the chip in one of the forms there are; `plan` is then complete, with the form that was
/// measured to take least.
bool hold_field(const Config &config, const ResidentDevice &device, ResidentPlan &plan);

}  // namespace perdure
