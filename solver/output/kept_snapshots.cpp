#include "solver/output/kept_snapshots.hpp"

#include <fmt/format.h>

#include <span>
#include <system_error>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/snapshot_places.hpp"
#include "solver/output/output_names.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

fs::path path_of(const Config &config, const fs::path &name) {
    const fs::path folder = partial_folder(config);
    const fs::path file = folder / name;
    std::error_code error;
    if (!fs::exists(file, error)) {  // of a run that ended while it put its snapshots into their folder
        fs::rename(folder / snapshots_in_partial / name, file, error);
    }
    if (!fs::exists(file, error)) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("the snapshot '{}', which the run wrote before it ended, is missing, "
                                  "so the run cannot continue; start again with --force",
                                  file.string()));
    }
    return file;
}

void expect_whole(const Config &config, const Grid &grid, std::span<const Snapshot> of_file) {
    const fs::path &file = of_file.front().file;
    try {
        hdf5::expect_snapshots(file, of_file, grid, written_fields(config));
    } catch (const hdf5::Error &error) {
        throw Failure(
            ExitCode::bad_input,
            fmt::format("{} '{}', which the run wrote before it ended, cannot be read: {}; put back an "
                        "intact copy of the file, or start again with --force",
                        of_file.size() > 1 ? "the file of snapshots" : "the snapshot", file.string(),
                        error.what()));
    }
}

}  // namespace

std::vector<Snapshot> find_kept_snapshots(const Config &config, const Grid &grid,
                                          const std::vector<Snapshot> &kept) {
    std::vector<Snapshot> found;
    for (const Snapshot &snapshot : kept) {
        found.push_back({path_of(config, snapshot.file), snapshot.time, snapshot.step});
    }
    const bool is_one_file = !found.empty() && found.front().file == growing_path(config);
    const std::size_t in_file = is_one_file ? found.size() : 1;
    for (std::size_t first = 0; first < found.size(); first += in_file) {
        expect_whole(config, grid, std::span(found).subspan(first, in_file));
    }
    return found;
}

}  // namespace perdure
