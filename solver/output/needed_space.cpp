#include "solver/output/needed_space.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "solver/equations/equation.hpp"

namespace perdure {
namespace {

constexpr double bytes_per_megabyte = 1.0e6;

std::size_t bytes_of(const FieldValues &values) {
    return std::visit([](const auto &numbers) { return numbers.size() * sizeof(numbers[0]); }, values);
}

/// What an error of too large a file asks for first.
std::string file_size_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return "The file system there holds no file as large as that; ";
    }
    return fmt::format("Files of this process may have {:.3g} MB: raise this limit (ulimit -f), or ",
                       static_cast<double>(limit.rlim_cur) / bytes_per_megabyte);
}

}  // namespace

double estimated_megabytes(const Config &config, const Solution &solution) {
    constexpr std::size_t structure = 1 << 16;
    std::size_t fields = 0;
    for (const FieldResult &field : solution.fields) {
        fields += bytes_of(field.values);
    }
    const std::size_t history = solution.report.history.size() * sizeof(HistoryEntry);
    return static_cast<double>(fields + history + case_text(config).size() + structure) / bytes_per_megabyte;
}

double megabytes_of_directions(const Config &config, const Grid &grid) {
    std::int64_t values = 0;
    for (const std::string &field : written_fields(config)) {
        values += field == "flux" ? 3 * grid.count() : grid.count();
    }
    const std::size_t bytes =
        config.execution.precision == Precision::float32 ? sizeof(float) : sizeof(double);
    const auto directions = static_cast<double>(directions_of(config).size());
    return directions * static_cast<double>(values) * static_cast<double>(bytes) / bytes_per_megabyte +
           estimated_megabytes(config, Solution());
}

std::string space_text(const std::filesystem::path &path, double megabytes) {
    std::error_code error;
    const auto space = std::filesystem::space(path.parent_path().empty() ? "." : path.parent_path(), error);
    const std::string free = error ? ""
                                   : fmt::format(", and {:.1f} MB are free there",
                                                 static_cast<double>(space.available) / bytes_per_megabyte);
    return fmt::format("it needs up to {:.1f} MB{}", megabytes, free);
}

std::string advice_after(int error) {
    const std::string elsewhere = "hoose another output.directory";
    switch (error) {
        case ENOSPC:
            return "Free some disk space, or c" + elsewhere;
        case EDQUOT:
            return "Free some disk space, of which your quota is used up, or c" + elsewhere;
        case EFBIG:
            return file_size_limit() + "c" + elsewhere;
        default:
            return "C" + elsewhere;
    }
}

}  // namespace perdure
