#include "solver/output/result_writer.hpp"

#include <fmt/format.h>

#include <functional>
#include <system_error>

#include "solver/hdf5/growing_file.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/check_output.hpp"
#include "solver/output/kept_snapshots.hpp"
#include "solver/output/needed_space.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/put_in_place.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/series_table.hpp"
#include "solver/output/stored_results.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

/// Runs `action`; what the system or HDF5 refuses becomes the failure that `message` makes of the reason and its errno, 0 where that is
/// not known.
void attempt(const std::function<void()> &action,
             const std::function<std::string(const std::string &, int)> &message) {
    std::string reason;
    int number = 0;
    try {
        action();
        return;
    } catch (const std::system_error &error) {
        reason = error.code().message();
        number = error.code().value();
    } catch (const hdf5::Error &error) {
        reason = error.what();
        number = error.number();
    }
    throw Failure(ExitCode::input_output, message(reason, number));
}

}  // namespace

double value_at(const FieldValues &values, std::int64_t index) {
    return std::visit(
        [index](const auto &numbers) { return double{numbers[static_cast<std::size_t>(index)]}; }, values);
}

ResultWriter::ResultWriter(const Config &config, const Grid &grid, bool replace,
                           const std::vector<Snapshot> &kept, std::int64_t kept_until)
    : config_(config), grid_(grid), replace_(replace), folder_(config) {
    take_up(kept);
    remove_unfinished_results(config_, kept_until);
    if (growing_ == nullptr && kept_until >= 0) {
        std::error_code ignored;
        fs::remove(growing_path(config_), ignored);
    }
}

ResultWriter::~ResultWriter() = default;

void ResultWriter::take_up(const std::vector<Snapshot> &kept) {
    written_ = find_kept_snapshots(config_, grid_, kept);
    if (kept.empty() || written_.front().file != growing_path(config_)) {
        return;
    }
    const bool as_files = keeps_snapshot_files(config_);
    if (as_files || config_.output.compression != Compression::none) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("output.{}: the snapshots before the checkpoint are in one file, '{}'; "
                                  "set output.{}, or start again with --force",
                                  as_files ? "series" : "compression", growing_path(config_).string(),
                                  as_files ? "series: temporal" : "compression: none"));
    }
    attempt(
        [&] {
            growing_ = std::make_unique<hdf5::GrowingFile>(config_, grid_, growing_path(config_), written_);
        },
        [&](const std::string &reason, int) {
            return fmt::format("cannot add to the snapshots in '{}': {}; start again with --force",
                               growing_path(config_).string(), reason);
        });
}

void ResultWriter::expect_size(const FieldResult &field) const {
    const auto found = std::visit([](const auto &numbers) { return std::ssize(numbers); }, field.values);
    const std::int64_t needed = grid_.count() * field.components;
    if (found != needed) {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: the field {} has {} values, but {} are needed", field.name,
                                  found, needed));
    }
}

fs::path ResultWriter::write(const Solution &solution, bool is_last) {
    for (const FieldResult &field : solution.fields) {
        expect_size(field);
    }
    const bool begins_series = written_.empty() && !is_last && config_.time && !keeps_snapshot_files(config_);
    if (growing_ != nullptr || (begins_series && hdf5::GrowingFile::can_hold(config_, grid_, solution))) {
        return grow(solution);
    }
    WholeSolution parts(solution);
    fs::path path =
        write(parts, snapshot_name(config_, solution.step), estimated_megabytes(config_, solution));
    if (written_.size() > 1 && !keeps_snapshot_files(config_)) {
        temporal_.grow(config_, grid_, written_, solution);
    }
    return path;
}

fs::path ResultWriter::write(FieldStream &fields) {
    return write(fields, result_path(config_).filename(), megabytes_of_directions(config_, grid_));
}

void ResultWriter::attempt_to_write(const fs::path &shown, double megabytes,
                                    const std::function<void()> &action) const {
    folder_.expect_same();
    const std::string earlier = written_.empty()
                                    ? std::string("earlier results are unchanged")
                                    : fmt::format("the {} before it {} complete in that folder",
                                                  written_.size(), written_.size() == 1 ? "is" : "are");
    attempt(action, [&](const std::string &reason, int number) {
        folder_.expect_same();  // if that is why, it is what to say
        return fmt::format("cannot write '{}': {} ({}); {}. {}", shown.string(), reason,
                           space_text(shown, megabytes), earlier, advice_after(number));
    });
}

/// Of a run that ends with the step of a snapshot.
void ResultWriter::leave_out_earlier(std::int64_t step) {
    if (written_.empty() || written_.back().step != step) {
        return;
    }
    written_.pop_back();
    temporal_.take_again_from(written_.size());
    if (growing_ != nullptr) {
        growing_->take_again();
    }
}

fs::path ResultWriter::write(SolutionParts &parts, const std::string &shown, double megabytes) {
    const fs::path folder = partial_folder(config_);
    fs::path path;
    attempt_to_write(folder / shown, megabytes, [&] {
        path = create_and_name(folder / shown, [&](const fs::path &temporary) {
            hdf5::write_snapshot_file(temporary, config_, grid_, parts);
            folder_.expect_same();
            return folder / snapshot_name(config_, parts.rest().step);
        });
    });
    leave_out_earlier(parts.rest().step);
    written_.push_back({path, parts.rest().time, parts.rest().step});
    return path;
}

fs::path ResultWriter::grow(const Solution &solution) {
    const fs::path path = growing_path(config_);
    attempt_to_write(path, estimated_megabytes(config_, solution), [&] {
        leave_out_earlier(solution.step);
        std::vector<Snapshot> snapshots = written_;
        snapshots.push_back({path, solution.time, solution.step});
        if (growing_ != nullptr) {
            growing_->add(solution, snapshots);
        } else {
            replace_file(path, [&](const fs::path &temporary) {
                growing_ = std::make_unique<hdf5::GrowingFile>(config_, grid_, temporary);
                growing_->add(solution, snapshots);
                folder_.expect_same();
            });
        }
        written_ = std::move(snapshots);
    });
    return path;
}

bool ResultWriter::keeps_earlier_result(const Solution &last) const {
    return replace_ && !is_an_end(last.report.stop) && !find_stored_results(config_).finished.empty();
}

fs::path ResultWriter::finish(const Solution &last) {
    const bool as_files = keeps_snapshot_files(config_);
    const fs::path result = as_files ? snapshots_folder(config_) : result_path(config_);
    folder_.expect_same();
    if (replace_) {
        try {
            refuse_to_replace_others(config_);  // what came during the run
        } catch (const Failure &failure) {
            throw Failure(failure.code(), fmt::format("{}. The output of this run is complete in '{}'",
                                                      failure.what(), partial_folder(config_).string()));
        }
    }
    std::optional<Failure> no_table;
    attempt(
        [&] {
            const fs::path made = as_files ? make_folder() : make_file(last);
            if (last.series) {
                no_table = try_table(result, [&] { prepare_series_table(config_, *last.series, made); });
            }
            put_in_place(made, result, replace_);
        },
        [&](const std::string &reason, int) {
            folder_.expect_same();
            return fmt::format(
                "cannot write '{}': {} ({}); the {} of this run {} complete in '{}', and earlier results are "
                "unchanged",
                result.string(), reason,
                space_text(result, estimated_megabytes(config_, last) * static_cast<double>(written_.size())),
                written_.size() == 1 ? "answer" : fmt::format("{} snapshots", written_.size()),
                written_.size() == 1 ? "is" : "are", partial_folder(config_).string());
        });
    std::string not_synced;
    try {
        sync_folder_of(result);
    } catch (const std::system_error &error) {
        not_synced = error.code().message();
    }
    if (!no_table) {
        no_table = try_table(result, [&] { place_series_table(config_, result); });
    }
    if (no_table) {
        throw *no_table;
    }
    const std::string left = replace_ ? withdraw_finished_results(config_, result) : "";
    remove_unfinished_results(config_);
    if (!not_synced.empty()) {
        throw Failure(
            ExitCode::input_output,
            fmt::format(
                "'{}' was written, but its folder could not be synchronised to the disk ({}), so a power "
                "failure may still lose the file. Check the disk, and run the case again with --force",
                result.string(), not_synced));
    }
    if (!left.empty()) {
        throw Failure(ExitCode::input_output, fmt::format("'{}' was written, but the earlier result of this "
                                                          "name could not be removed: {}; remove it yourself",
                                                          result.string(), left));
    }
    return result;
}

std::optional<Failure> ResultWriter::try_table(const fs::path &result,
                                               const std::function<void()> &action) const {
    try {
        attempt(action, [&](const std::string &reason, int) {
            return fmt::format(
                "'{}' was written, but '{}' could not be written: {}; the result holds the same "
                "values under /series",
                result.string(), series_path(config_).string(), reason);
        });
        return std::nullopt;
    } catch (const Failure &failure) {
        return failure;
    }
}

fs::path ResultWriter::make_file(const Solution &last) {
    if (growing_ != nullptr) {
        growing_->finish(last, written_);
        return written_.back().file;
    }
    const bool one_time = written_.size() == 1;
    return one_time ? written_.back().file : temporal_.finish(config_, grid_, written_, last);
}

fs::path ResultWriter::make_folder() {
    const fs::path folder = partial_folder(config_) / snapshots_in_partial;
    fs::create_directory(folder);
    for (const Snapshot &snapshot : written_) {
        fs::rename(snapshot.file, folder / snapshot.file.filename());
    }
    write_series_list(folder / series_name(config_), written_);
    return folder;
}

}  // namespace perdure
