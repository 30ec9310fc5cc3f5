#include "solver/measure/compare/model_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "solver/cache_folder.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/regular_file.hpp"

namespace perdure::compare {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *contents = "times of execution models";
constexpr int format = 1;
constexpr std::size_t most_entries = 500;

/// The entries, newest first; none where the file is not there. Throws std::invalid_argument or
/// Json::exception for a file of another kind, std::system_error for one that cannot be read, NotAFile.
Json read_entries(const fs::path &path) {
    std::error_code error;
    if (!fs::exists(path, error) && !error) {
        return Json::array();
    }
    const Json json = Json::parse(read_regular_file(path));
    if (json.at("contents") != contents || json.at("format") != format || !json.at("entries").is_array()) {
        throw std::invalid_argument("contents");
    }
    return json.at("entries");
}

ModelTimes times_of(const Json &entry) {
    ModelTimes times;
    times.date = entry.at("date");
    for (const auto &[model, seconds] : entry.at("seconds_per_iteration").items()) {
        times.seconds.emplace_back(model, seconds.get<double>());
        if (!(times.seconds.back().second > 0.0)) {
            throw std::invalid_argument("seconds");
        }
    }
    return times;
}

Json entry_of(const ModelKey &key, const ModelTimes &times) {
    Json entry{{"case", key.of_case},
               {"place", key.place},
               {"date", times.date},
               {"seconds_per_iteration", Json::object()}};
    for (const auto &[model, seconds] : times.seconds) {
        entry["seconds_per_iteration"][model] = seconds;
    }
    return entry;
}

}  // namespace

fs::path model_cache_path() {
    const fs::path folder = cache_folder();
    return folder.empty() ? fs::path() : folder / "models.json";
}

std::optional<ModelTimes> find_model_times(const fs::path &path, const ModelKey &key, CacheState &state) {
    if (path.empty()) {
        return std::nullopt;
    }
    try {
        for (const Json &entry : read_entries(path)) {
            if (entry.at("case") == key.of_case) {
                state.stale = entry.at("place") != key.place;
                return state.stale ? std::nullopt : std::optional(times_of(entry));
            }
        }
    } catch (const std::system_error &failed) {
        state.trouble = fmt::format("cannot read '{}': {}", path.string(), failed.code().message());
    } catch (const NotAFile &found) {
        state.trouble =
            fmt::format("cannot read '{}': expected a file, found {}", path.string(), found.what());
    } catch (const std::exception &) {
        state.trouble =
            fmt::format("'{}' is not a cache of execution models and will be replaced", path.string());
    }
    return std::nullopt;
}

void keep_model_times(const fs::path &path, const ModelKey &key, const ModelTimes &times, CacheState &state) {
    if (path.empty()) {
        return;
    }
    Json entries = Json::array({entry_of(key, times)});
    try {
        for (const Json &entry : read_entries(path)) {
            if (entries.size() < most_entries && entry.at("case") != key.of_case) {
                entries.push_back(entry);
            }
        }
    } catch (const NotAFile &) {
        return;                         // it is none of perdure's; reading has said so
    } catch (const std::exception &) {  // what cannot be read is replaced
        entries.erase(entries.begin() + 1, entries.end());
    }
    try {
        fs::create_directories(path.parent_path());
        replace_file(path, [&](const fs::path &temporary) {
            std::ofstream file(temporary);
            file << json_text(Json{{"contents", contents}, {"format", format}, {"entries", entries}}, 1)
                 << '\n';
            if (!file.flush()) {
                throw std::system_error(errno, std::generic_category());
            }
        });
    } catch (const std::system_error &failed) {
        state.trouble =
            fmt::format("cannot keep the measured times in '{}': {}", path.string(), failed.code().message());
    }
}

}  // namespace perdure::compare
