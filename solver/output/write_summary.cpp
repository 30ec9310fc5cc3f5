// The files of a batch's table: who may write them, and how.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "solver/failure.hpp"
#include "solver/file_descriptor.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/hdf5/summary_file.hpp"
#include "solver/output/claim.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/summary.hpp"
#include "solver/regular_file.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure {
namespace {

constexpr auto longest_turn =
    std::chrono::seconds(30);  // of the processes that write the table before this one
constexpr auto longest_without_name = std::chrono::seconds(5);  // a process writes into its claim who it is
constexpr auto between_attempts = std::chrono::milliseconds(20);

Claim wait_for_claim(const std::filesystem::path &folder) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        auto claimed = claim_folder(folder, false);
        if (auto *claim = std::get_if<Claim>(&claimed)) {
            return std::move(*claim);
        }
        const ClaimHolder &holder = std::get<ClaimHolder>(claimed);
        if (std::chrono::steady_clock::now() >
            begin + (holder.process == 0 ? longest_without_name : longest_turn)) {
            throw std::runtime_error(holder.text() + " holds '" + folder.string() +
                                     "'; remove that folder if that process is gone");
        }
        if (interrupted()) {
            throw std::runtime_error("stopped while " + holder.text() + " was writing it");
        }
        std::this_thread::sleep_for(between_attempts);
    }
}

/// RFC 4180: quotes around what holds a comma, a quote or a line end.
std::string csv_cell(const std::string &text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + '"';
}

std::string csv_line(std::vector<std::string> cells) {
    std::transform(cells.begin(), cells.end(), cells.begin(), csv_cell);
    return fmt::format("{}\r\n", fmt::join(cells, ","));
}

std::string csv_text(const SummaryColumns &columns) {
    std::string text = csv_line(columns.names());
    for (std::size_t row = 0; row < columns.rows(); ++row) {
        std::vector<std::string> cells;
        for (const std::string &name : columns.names()) {
            cells.push_back(columns.column(name).at(row));
        }
        text += csv_line(std::move(cells));
    }
    return text;
}

[[noreturn]] void fail_to_write(const std::filesystem::path &stem, const std::string &reason) {
    throw Failure(ExitCode::input_output,
                  fmt::format("cannot write the summary '{}.csv' and '.h5': {}", stem.string(), reason));
}

std::filesystem::path with_ending(std::filesystem::path path, const char *ending) {
    return path += ending;
}

/// Whether the first line names the columns that every table begins with and has.
bool is_table(const std::filesystem::path &csv) {
    constexpr std::size_t longest_first_line = 1 << 20;
    const std::string text = read_regular_file(csv, longest_first_line);
    const std::string names = text.substr(0, text.find('\n'));
    return names.starts_with("case,") && names.find(",outcome,exit_code,") != std::string::npos;
}

bool is_hdf5_table(const std::filesystem::path &h5) {
    try {
        const auto origin = hdf5::probe({hdf5::ProbeRequest::origin, h5, {}, {}});
        return origin.value("kind", "") == "perdure table";
    } catch (const Failure &failure) {
        if (failure.code() == ExitCode::stopped) {
            throw;
        }
        return false;
    }
}

/// Throws where something else than a table has the name of one. A look into an HDF5 file takes a process, and none begins where the
/// program was asked to stop: not at the file `own`.
void refuse_other_files(const std::filesystem::path &stem, const std::string &own) {
    for (const char *ending : {".csv", ".h5"}) {
        const std::filesystem::path path = with_ending(stem, ending);
        std::error_code error;
        const auto status = std::filesystem::symlink_status(path, error);
        if (!std::filesystem::exists(status)) {
            continue;
        }
        const bool is_file = std::filesystem::is_regular_file(status);
        const bool is_ours =
            is_file &&
            (path.extension() == ".csv" ? is_table(path) : identity_of(path) == own || is_hdf5_table(path));
        if (!is_ours) {
            throw std::runtime_error(fmt::format(
                "'{}' is {}; move it away, or set output.directory to another folder", path.string(),
                is_file ? "a file that perdure did not write" : kind_of(status.type())));
        }
    }
}

}  // namespace

void write_summary(const std::filesystem::path &stem,
                   const std::function<const std::vector<SummaryRow> &()> &rows, std::string &own) {
    const std::filesystem::path folder = with_ending(stem, ".partial");
    try {
        refuse_other_files(stem, own);
        const Claim claim = wait_for_claim(folder);
        const SummaryColumns columns = summary_columns(rows());
        const std::filesystem::path csv = with_ending(folder / stem.filename(), ".csv");
        std::filesystem::remove(csv);
        std::ofstream file(csv, std::ios::binary);
        file << csv_text(columns);
        file.close();
        if (!file) {
            throw std::system_error(errno, std::generic_category());
        }
        const std::filesystem::path h5 = with_ending(folder / stem.filename(), ".h5");
        std::filesystem::remove(h5);
        hdf5::write_summary_file(h5, columns);
        for (const std::filesystem::path &table : {csv, h5}) {
            sync_to_disk(table);
            put_in_place(table, with_ending(stem, table.extension().c_str()), true);
        }
        own = identity_of(with_ending(stem, ".h5"));
        sync_folder_of(stem);
    } catch (const std::system_error &error) {
        fail_to_write(stem, error.code().message());
    } catch (const std::exception &error) {
        fail_to_write(stem, error.what());
    }
}

}  // namespace perdure
