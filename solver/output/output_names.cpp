#include "solver/output/output_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/output/solution.hpp"

namespace perdure {
namespace {

constexpr const char *extension = ".vtkhdf";
constexpr const char *series_extension = ".vtkhdf.series";

}  // namespace

std::string output_name(const Config &config) {
    return config.output.name.empty() ? config.path.stem().string() : config.output.name;
}

std::filesystem::path output_folder(const Config &config) {
    return config.output.directory.empty() ? std::filesystem::path(".") : config.output.directory;
}

std::filesystem::path snapshot_path(const Config &config, std::int64_t step) {
    return config.output.directory / fmt::format("{}_{:06}{}", output_name(config), step, extension);
}

std::filesystem::path series_path(const Config &config) {
    return config.output.directory / (output_name(config) + series_extension);
}

std::filesystem::path place_of(const std::filesystem::path &file) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::weakly_canonical(file, error);
    return error ? std::filesystem::absolute(file).lexically_normal() : place;
}

bool is_output_of(const Config &config, const std::string &file) {
    const std::string name = output_name(config);
    if (file == name + series_extension) {
        return true;
    }
    if (!file.starts_with(name + '_') || !file.ends_with(extension)) {
        return false;
    }
    const std::size_t first = name.size() + 1;
    const std::size_t last = file.size() - std::string(extension).size();
    return last >= first + 6 && std::all_of(file.begin() + first, file.begin() + last,
                                            [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

}  // namespace perdure
