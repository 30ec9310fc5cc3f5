#include "solver/output/complete_result.hpp"

#include <fmt/format.h>

#include <string>
#include <system_error>
#include <variant>

#include "solver/hdf5/hdf5.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/series_table.hpp"
#include "solver/output/stored_results.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

[[noreturn]] void fail_at_table(const Config &config, const std::string &reason) {
    throw Failure(
        ExitCode::input_output,
        fmt::format("cannot write '{}': {}; remove the obstacle, or run the case again with --force",
                    series_path(config).string(), reason));
}

/// Runs what looks at the table of a result, or writes it.
template <typename Action>
auto at_table(const Config &config, const Action &action) {
    try {
        return action();
    } catch (const std::system_error &error) {
        fail_at_table(config, error.code().message());
    } catch (const NotAFile &other) {
        fail_at_table(config, fmt::format("it is {}", other.what()));
    } catch (const hdf5::Error &error) {
        fail_at_table(config, error.what());
    }
}

bool has_its_table(const Config &config, const std::filesystem::path &answer) {
    return at_table(config, [&] { return is_series_table_of(config, answer); });
}

/// The table of a process that was killed between its result and the table lies in `name.partial/`.
void place_table_of_result(const Config &config) {
    const std::filesystem::path result =
        keeps_snapshot_files(config) ? snapshots_folder(config) : result_path(config);
    at_table(config, [&] {
        if (std::filesystem::exists(result)) {
            place_series_table(config, result);
        }
    });
}

void make_table_anew(const Config &config, const std::filesystem::path &answer) {
    refuse_foreign_series(config);
    at_table(config, [&] { remake_series_table(config, answer); });
    print_message(
        "warning: '{}' was missing or not that of '{}'; it was made again from what the result holds\n",
        series_path(config).string(), answer.string());
}

}  // namespace

void complete_result(const Config &config, const std::filesystem::path &answer) {
    std::error_code error;
    const bool is_left = std::filesystem::is_directory(partial_folder(config), error);
    if (!is_left && has_its_table(config, answer)) {
        return;
    }
    const auto claimed = claim_output(config, false);
    if (std::holds_alternative<Claim>(claimed)) {
        place_table_of_result(config);
        if (!has_its_table(config, answer)) {
            make_table_anew(config, answer);
        }
        remove_unfinished_results(config);
    }
}

}  // namespace perdure
