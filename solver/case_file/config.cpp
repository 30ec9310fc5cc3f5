#include "solver/case_file/config.hpp"

#include "solver/systems/system.hpp"

namespace perdure {

Config::Config() = default;
Config::Config(const Config &) = default;
Config::Config(Config &&) noexcept = default;
Config &Config::operator=(const Config &) = default;
Config &Config::operator=(Config &&) noexcept = default;
Config::~Config() = default;

}  // namespace perdure
