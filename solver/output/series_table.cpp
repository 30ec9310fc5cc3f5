#include "solver/output/series_table.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "solver/case_file/system_section.hpp"
#include "solver/hdf5/stored_series.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/series_columns.hpp"
#include "solver/regular_file.hpp"
#include "solver/systems/system.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

/// The times of the table are what they were meant to be; the result keeps those that the run computed.
std::string text_of(const Config &config, Series series) {
    const SystemConfig *const formulas = formulas_of(config);
    const double every = formulas != nullptr ? formulas->watch.every : 0.0;
    const TimeConfig time = config.time.value_or(TimeConfig());
    without_rounding(every > 0.0 ? 0.0 : time.start, every > 0.0 ? every : time.step.value_or(0.0),
                     series.times);
    return csv_text(series);
}

/// Empty where the result has none.
std::optional<std::string> text_in_result(const Config &config, const fs::path &result) {
    if (!config.formulas || !config.formulas->watch) {
        return std::nullopt;
    }
    Series series = series_without_rows(*config.formulas->watch, 0);
    return hdf5::read_stored_series(result, series) ? std::optional(text_of(config, std::move(series)))
                                                    : std::nullopt;
}

std::string beginning_of_prepared(const Config &config) {
    return series_path(config).filename().string() + " of ";
}

/// The number of the file or folder `result` in its file system, which a new name does not change, tells a result that was placed from
/// an earlier one of the same name.
fs::path prepared_table(const Config &config, const fs::path &result) {
    struct stat status {};
    if (stat(result.c_str(), &status) != 0) {
        throw std::system_error(errno, std::generic_category());
    }
    return partial_folder(config) / fmt::format("{}{}", beginning_of_prepared(config), status.st_ino);
}

}  // namespace

void prepare_series_table(const Config &config, const Series &series, const fs::path &result) {
    replace_with_text(prepared_table(config, result), text_of(config, series));
}

void place_series_table(const Config &config, const fs::path &result) {
    const fs::path table = prepared_table(config, result);
    if (fs::exists(table)) {
        fs::rename(table, series_path(config));
        sync_folder_of(series_path(config));
    }
}

bool is_series_table_of(const Config &config, const fs::path &result) {
    const std::optional<std::string> text = text_in_result(config, result);
    const fs::path table = series_path(config);
    return !text || (fs::exists(table) && read_regular_file(table) == *text);
}

void remake_series_table(const Config &config, const fs::path &result) {
    if (const auto text = text_in_result(config, result)) {
        const fs::path made = prepared_table(config, result);
        replace_with_text(made, *text);
        put_in_place(made, series_path(config), true);
        sync_folder_of(series_path(config));
    }
}

bool is_prepared_series_table(const Config &config, const std::string &file) {
    return file.starts_with(beginning_of_prepared(config));
}

}  // namespace perdure
