#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/solution.hpp"

namespace perdure {
namespace {

constexpr double bytes_per_megabyte = 1.0e6;

std::size_t bytes_of(const FieldValues &values) {
    return std::visit([](const auto &numbers) { return numbers.size() * sizeof(numbers[0]); }, values);
}

void check_size(const Field &field, const Grid &grid) {
    const std::size_t values = std::visit([](const auto &numbers) { return numbers.size(); }, field.values);
    if (values != static_cast<std::size_t>(grid.count() * field.components)) {
        throw Failure(ExitCode::differs_or_internal, fmt::format("the field {} has {} values for {} cells",
                                                                 field.name, values, grid.count()));
    }
}

double estimated_megabytes(const Config &config, const Solution &solution) {
    constexpr std::size_t structure = 1 << 16;
    std::size_t field = bytes_of(solution.u);
    for (const Field &more : solution.more) {
        field += bytes_of(more.values);
    }
    const std::size_t history = solution.report.history.size() * sizeof(HistoryEntry);
    return static_cast<double>(field + history + case_text(config).size() + structure) / bytes_per_megabyte;
}

std::string space_text(const std::filesystem::path &path, double megabytes) {
    std::error_code error;
    const auto space = std::filesystem::space(path.parent_path().empty() ? "." : path.parent_path(), error);
    const std::string free = error ? ""
                                   : fmt::format(", {:.1f} MB are free there",
                                                 static_cast<double>(space.available) / bytes_per_megabyte);
    return fmt::format("it needs up to {:.1f} MB{}", megabytes, free);
}

// Runs replace_file() and says in one place what went wrong.
void replace(const std::filesystem::path &path, double megabytes,
             const std::function<void(const std::filesystem::path &)> &write) {
    std::string reason;
    try {
        replace_file(path, write);
        return;
    } catch (const std::system_error &error) {
        reason = error.code().message();
    } catch (const hdf5::Error &error) {
        reason = error.what();
    }
    throw Failure(
        ExitCode::input_output,
        fmt::format("cannot write '{}': {} ({}); earlier results are as they were. Make room there or set "
                    "output.directory to another folder",
                    path.string(), reason, space_text(path, megabytes)));
}

void write_text(const std::filesystem::path &path, const std::string &text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file << text << '\n';
    file.close();
    if (!file) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
    }
}

std::string series_text(const std::vector<std::pair<std::string, double>> &snapshots) {
    nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", nlohmann::ordered_json::array()}};
    for (const auto &[name, time] : snapshots) {
        series["files"].push_back({{"name", name}, {"time", time}});
    }
    return series.dump(2);
}

}  // namespace

double value_at(const FieldValues &values, std::int64_t index) {
    return std::visit(
        [index](const auto &numbers) { return double{numbers[static_cast<std::size_t>(index)]}; }, values);
}

std::filesystem::path SnapshotWriter::write(const Solution &solution) {
    if (!solution.report.tensor) {
        const std::size_t values = std::visit([](const auto &u) { return u.size(); }, solution.u);
        if (values != static_cast<std::size_t>(grid_.count())) {
            throw Failure(ExitCode::differs_or_internal,
                          fmt::format("the solution has {} values for {} cells", values, grid_.count()));
        }
    }
    for (const Field &field : solution.more) {
        check_size(field, grid_);
    }
    const auto path = snapshot_path(config_, solution.step);
    replace(path, estimated_megabytes(config_, solution), [&](const std::filesystem::path &temporary) {
        hdf5::write_snapshot_file(temporary, config_, grid_, solution);
    });
    const std::string name = path.filename().string();
    std::erase_if(written_, [&](const auto &snapshot) { return snapshot.first == name; });
    written_.emplace_back(name, solution.time);
    const std::string series = series_text(written_);
    replace(series_path(config_), static_cast<double>(series.size()) / bytes_per_megabyte,
            [&](const std::filesystem::path &temporary) { write_text(temporary, series); });
    return path;
}

}  // namespace perdure
