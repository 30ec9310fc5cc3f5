#include "solver/output/temporal_result.hpp"

#include <algorithm>
#include <exception>

#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/replace_file.hpp"

namespace perdure {

TemporalResult::~TemporalResult() {
    remove();
}

void TemporalResult::take_again_from(std::size_t time) {
    taken_ = std::min(taken_, time);
}

void TemporalResult::grow(const Config &config, const Grid &grid, const std::vector<Snapshot> &snapshots,
                          const Solution &solution) {
    try {
        take_over(config, grid, snapshots, solution);
    } catch (const std::exception &) {
        remove();
    }
}

std::filesystem::path TemporalResult::finish(const Config &config, const Grid &grid,
                                             const std::vector<Snapshot> &snapshots, const Solution &last) {
    try {
        take_over(config, grid, snapshots, last);
        hdf5::finish_temporal_file(path_, config, snapshots, last);
        sync_to_disk(path_);
    } catch (...) {
        remove();
        throw;
    }
    return path_;
}

void TemporalResult::take_over(const Config &config, const Grid &grid, const std::vector<Snapshot> &snapshots,
                               const Solution &solution) {
    if (path_.empty()) {
        path_ = temporary_beside(partial_folder(config) / result_path(config).filename());
        hdf5::create_temporal_file(path_, config, grid, solution);
    }
    for (; taken_ < snapshots.size(); ++taken_) {
        hdf5::add_to_temporal_file(path_, snapshots[taken_], taken_, bytes_);
    }
}

void TemporalResult::remove() {
    if (!path_.empty()) {
        remove_temporary(path_);
        path_.clear();
        taken_ = 0;
    }
}

}  // namespace perdure
