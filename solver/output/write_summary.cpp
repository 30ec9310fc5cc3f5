// The files of a batch's table: who may write them, and how.
#include <fmt/format.h>

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
#include "solver/output/merge_tables.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/summary.hpp"
#include "solver/regular_file.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure {
namespace {

constexpr auto longest_turn = std::chrono::seconds(30);  // of a process that writes the table before this one
constexpr auto longest_without_name = std::chrono::seconds(5);  // a process writes into its claim who it is
constexpr auto between_attempts = std::chrono::milliseconds(20);

/// Each process that holds the folder meanwhile has its turn.
Claim wait_for_claim(const std::filesystem::path &folder) {
    auto begin = std::chrono::steady_clock::now();
    std::string before;
    for (;;) {
        auto claimed = claim_folder(folder, false);
        if (auto *claim = std::get_if<Claim>(&claimed)) {
            return std::move(*claim);
        }
        const ClaimHolder &holder = std::get<ClaimHolder>(claimed);
        if (const std::string now = holder.text(); now != before) {
            before = now;
            begin = std::chrono::steady_clock::now();
        }
        if (std::chrono::steady_clock::now() >
            begin + (holder.process == 0 ? longest_without_name : longest_turn)) {
            throw std::runtime_error(holder.text() + " holds '" + folder.string() +
                                     "'; remove that folder if that process has ended");
        }
        if (interrupted()) {
            throw std::runtime_error("stopped while " + holder.text() + " was writing it");
        }
        std::this_thread::sleep_for(between_attempts);
    }
}

[[noreturn]] void fail_to_write(const std::filesystem::path &stem, const std::string &reason) {
    throw Failure(ExitCode::input_output,
                  fmt::format("cannot write the table '{}.csv' and '.h5': {}", stem.string(), reason));
}

std::filesystem::path with_ending(std::filesystem::path path, const char *ending) {
    return path += ending;
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
            throw std::runtime_error(
                fmt::format("'{}' is {}; move it away, or choose another output.directory", path.string(),
                            is_file ? "a file that perdure did not write" : kind_of(status.type())));
        }
    }
}

}  // namespace

void write_summary(const std::filesystem::path &stem,
                   const std::function<const std::vector<SummaryRow> &()> &rows, std::string &own,
                   bool kept) {
    const std::filesystem::path folder = with_ending(stem, ".partial");
    try {
        refuse_other_files(stem, own);
        const Claim claim = wait_for_claim(folder);
        SummaryColumns columns = summary_columns(rows());
        if (const auto table = with_ending(stem, ".csv"); kept && std::filesystem::exists(table)) {
            const SummaryColumns before = read_table(table);
            if (before.has("result")) {  // an earlier version's rows do not say which cases they are of
                columns = merged(before, columns);
            }
        }
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
