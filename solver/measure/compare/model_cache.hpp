// The times that execution.model: auto has measured, kept between runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace perdure::compare {

/// What times belong to.
struct ModelKey {
    nlohmann::ordered_json of_case;  // on its device
    nlohmann::ordered_json place;    // program, driver, models that there are: what changes makes times stale
};

/// What is to be said of the cache.
struct CacheState {
    bool stale = false;   // it has times of that case, but of another place
    std::string trouble;  // why it cannot be read or written
};

/// Seconds per iteration of each model, by its name.
struct ModelTimes {
    std::vector<std::pair<std::string, double>> seconds;
    std::string date;
};

/// $XDG_CACHE_HOME/perdure/models.json, or that in ~/.cache; empty where the environment names no such
/// folder.
std::filesystem::path model_cache_path();

/// The times of that key, where the file has them.
std::optional<ModelTimes> find_model_times(const std::filesystem::path &path, const ModelKey &key,
                                           CacheState &state);

/// Adds them in the place of those of the same case; the oldest ones give way. The file is whole at any time:
/// of two programs that write at once one wins.
void keep_model_times(const std::filesystem::path &path, const ModelKey &key, const ModelTimes &times,
                      CacheState &state);

}  // namespace perdure::compare
