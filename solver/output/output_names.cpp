#include "solver/output/output_names.hpp"

#include <fmt/format.h>

#include <charconv>

#include "solver/hash.hpp"

namespace perdure {
namespace {

constexpr const char *extension = ".vtkhdf";
constexpr const char *checkpoint_extension = ".checkpoint";
constexpr std::size_t fewest_digits = 6;
constexpr std::size_t longest_value = 40, longest_settings = 100, digits_of_value = 8, digits_of_hash = 16;

/// The step in `name_000120` with this ending; -1 where the name is another.
std::int64_t step_in_name(const Config &config, const std::string &file, const std::string &ending) {
    const std::string beginning = output_name(config) + '_';
    if (!file.starts_with(beginning) || !file.ends_with(ending) ||
        file.size() < beginning.size() + fewest_digits + ending.size()) {
        return -1;
    }
    const char *const first = file.data() + beginning.size();
    const char *const last = file.data() + file.size() - ending.size();
    std::int64_t step = -1;
    const auto read = std::from_chars(first, last, step);
    return read.ec == std::errc() && read.ptr == last && *first != '-' ? step : -1;
}

/// As it stands where it is short and does in a file name: [64, 64] as 64x64; else its hash.
std::string in_name(const std::string &text) {
    constexpr const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
    std::string name = text.starts_with('[') && text.ends_with(']') ? text.substr(1, text.size() - 2) : text;
    for (std::size_t at = name.find(", "); name != text && at != std::string::npos; at = name.find(", ")) {
        name.replace(at, 2, "x");
    }
    const bool does =
        !name.empty() && name.size() <= longest_value && name.find_first_not_of(plain) == std::string::npos;
    return does ? name : perdure::hash_of(text).substr(0, digits_of_value);
}

}  // namespace

std::string output_name(const Config &config) {
    return config.output.name.empty() ? config.path.stem().string() : config.output.name;
}

std::string member_name(const std::string &sweep, const decltype(SweepPlace::settings) &settings) {
    std::string name = sweep, whole;
    for (const auto &[key, value] : settings) {
        whole += fmt::format("{}={}\n", key, value);
        if (key != "title" || settings.size() == 1) {
            name += fmt::format("-{}-{}", in_name(key), in_name(value));
        }
    }
    return name.size() - sweep.size() <= longest_settings
               ? name
               : fmt::format("{}-{}", sweep, perdure::hash_of(whole).substr(0, digits_of_hash));
}

std::filesystem::path output_folder(const Config &config) {
    return config.output.directory.empty() ? std::filesystem::path(".") : config.output.directory;
}

std::filesystem::path result_path(const Config &config) {
    return config.output.directory / (output_name(config) + extension);
}

std::filesystem::path snapshots_folder(const Config &config) {
    return config.output.directory / (output_name(config) + ".snapshots");
}

bool keeps_snapshot_files(const Config &config) {
    return config.time && config.output.series == SeriesLayout::files;
}

std::filesystem::path partial_folder(const Config &config) {
    return config.output.directory / (output_name(config) + ".partial");
}

std::filesystem::path growing_path(const Config &config) {
    return partial_folder(config) / result_path(config).filename();
}

std::string snapshot_name(const Config &config, std::int64_t step) {
    return fmt::format("{}_{:06}{}", output_name(config), step, extension);
}

std::filesystem::path series_path(const Config &config) {
    return config.output.directory / (output_name(config) + ".csv");
}

std::string series_name(const Config &config) {
    return output_name(config) + extension + ".series";
}

std::int64_t step_of_snapshot(const Config &config, const std::string &file) {
    return step_in_name(config, file, extension);
}

std::string checkpoint_name(const Config &config, std::int64_t step) {
    return fmt::format("{}_{:06}{}", output_name(config), step, checkpoint_extension);
}

std::int64_t step_of_checkpoint(const Config &config, const std::string &file) {
    return step_in_name(config, file, checkpoint_extension);
}

std::filesystem::path resolved_path(const std::filesystem::path &file) {
    std::error_code error;
    const std::filesystem::path place =
        std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
    return error ? std::filesystem::absolute(file).lexically_normal() : place;
}

}  // namespace perdure
