#include "solver/case_file/config.hpp"

#include <fmt/format.h>

#include "solver/systems/system.hpp"

namespace perdure {

Config::Config() = default;
Config::Config(const Config &) = default;
Config::Config(Config &&) noexcept = default;
Config &Config::operator=(const Config &) = default;
Config &Config::operator=(Config &&) noexcept = default;
Config::~Config() = default;

std::string label(const Config &config) {
    if (!config.sweep) {
        return config.path.string();
    }
    std::string settings;
    for (const auto &[key, value] : config.sweep->settings) {
        settings += fmt::format("{}{}={}", settings.empty() ? ": " : ", ", key, value);
    }
    return fmt::format("{}, {} of {}{}", config.path.string(), config.sweep->number, config.sweep->count,
                       settings);
}

}  // namespace perdure
