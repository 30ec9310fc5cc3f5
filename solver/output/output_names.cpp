#include "solver/output/output_names.hpp"

#include <fmt/format.h>

#include <charconv>

namespace perdure {
namespace {

constexpr const char *extension = ".vtkhdf";
constexpr const char *checkpoint_extension = ".checkpoint";
constexpr std::size_t fewest_digits = 6;

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

}  // namespace

std::string output_name(const Config &config) {
    return config.output.name.empty() ? config.path.stem().string() : config.output.name;
}

std::string member_name(const std::string &sweep, int number) {
    return fmt::format("{}-{:03}", sweep, number);
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
