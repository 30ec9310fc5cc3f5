// Cases to begin with.
#pragma once

#include <string>

namespace perdure {

/// The commented starting cases that `perdure new` writes: of diffusion, which shows every key that is not of one equation; of heat,
/// wave and system; and of type effective, for an image beside it as tools/import_image writes it.
std::string starting_case();
std::string starting_heat_case();
std::string starting_wave_case();
std::string starting_system_case();
std::string starting_effective_case();

}  // namespace perdure
