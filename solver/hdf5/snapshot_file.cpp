#include "solver/hdf5/snapshot_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "solver/equations/equation.hpp"
#include "solver/formats.hpp"
#include "solver/hdf5/write_objects.hpp"
#include "solver/time_spent.hpp"

namespace perdure::hdf5 {
namespace {

const FieldResult *next_field(SolutionParts &parts) {
    const TimeSpent::Wait waiting;
    const LibraryUnlock unlocked;
    return parts.next();
}

/// What files of one time hold, in three parts.
class Contents {
  public:
    Contents(const Config &config, const Grid &grid, bool in_time = false)
        : config_(config), grid_(grid), in_time_(in_time) {}

    void begin(Object &file) const {
        write_axes(file, grid_, config_.units);
        write_vtkhdf(file, grid_);
    }
    /// A null pointer where the case asks for the report alone.
    FieldStorage *add(Object &file, const FieldResult &field) {
        if (written_fields(config_).empty()) {
            return nullptr;
        }
        if (field.components > 1 && !std::exchange(has_vectors_, true)) {
            write_components(file);
        }
        Object &fields = file.group("VTKHDF").group("CellData");
        FieldStorage &added = add_field(fields, config_, grid_, field, in_time_);
        if (in_time_) {
            fields.members.back()->scales.front() = "/time";
        }
        return &added;
    }
    void end(Object &file, const Solution &solution) const {
        write_field_data(file, solution);
        write_time(file, solution.time, config_.units);
        end_all(file, solution);
    }
    void end_in_time(Object &file, const Solution &last, const std::vector<Snapshot> &snapshots) const {
        write_times(file, snapshots, config_.units);
        write_steps(file, snapshots);
        end_all(file, last);
    }

  private:
    void end_all(Object &file, const Solution &solution) const {
        write_root(file, config_, solution);
        if (solution.series) {
            write_series(file, *solution.series, config_.units);
        }
        write_report(file, solution.report);
        write_manifest(file, config_, solution);
    }

    const Config &config_;
    const Grid &grid_;
    bool in_time_;
    bool has_vectors_ = false;
};

std::size_t bytes_in(const FieldResult &field) {
    return std::visit([](const auto &numbers) { return numbers.size() * sizeof(numbers[0]); }, field.values);
}

bool is_small(const Solution &solution) {
    return std::ranges::all_of(solution.fields,
                               [](const FieldResult &field) { return bytes_in(field) <= chunk_bytes; });
}

void write_at_once(const std::filesystem::path &path, Contents contents, const Solution &solution) {
    Object file;
    contents.begin(file);
    for (const FieldResult &field : solution.fields) {
        if (FieldStorage *const stored = contents.add(file, field)) {
            encode_chunk(*stored);  // now, for the report to tell how long it took
        }
    }
    contents.end(file, solution);
    write_file(path, file);
}

void write_by_library(const std::filesystem::path &path, Contents contents, SolutionParts &parts) {
    File file = create_file(path);
    const auto write = [&](const auto &describe) {
        Object part;
        describe(part);
        write_objects(file, part);
    };
    write([&](Object &part) { contents.begin(part); });
    while (const FieldResult *field = next_field(parts)) {
        write([&](Object &part) { contents.add(part, *field); });
    }
    write([&](Object &part) { contents.end(part, parts.rest()); });
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file to its end");
    file.close("close the file");
}

}  // namespace

void write_root(Object &file, const Config &config, const Solution &solution) {
    const std::string version = "perdure " + solution.report.version;
    file.set("Conventions", "CF-1.10");
    file.set("format_version", result_format);
    file.set("title", config.title.empty() ? config.path.stem().string() : config.title);
    file.set("source", version);
    file.set("history", fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}, step {}", fmt::gmtime(std::time(nullptr)),
                                    version, name(config.type), solution.step));
}

void describe_snapshots(
    Object &file, const Config &config, const Grid &grid, const std::vector<Snapshot> &snapshots,
    const Solution &last,
    const std::function<std::vector<std::uint64_t>(const std::string &field)> &places_of) {
    const bool in_time = snapshots.size() > 1;
    Contents contents(config, grid, in_time);
    contents.begin(file);
    for (const FieldResult &field : last.fields) {
        if (FieldStorage *const stored = contents.add(file, field)) {
            stored->places = places_of(field.name);
        }
    }
    if (in_time) {
        contents.end_in_time(file, last, snapshots);
    } else {
        contents.end(file, last);
    }
}

void write_snapshot_file(const std::filesystem::path &path, const Config &config, const Grid &grid,
                         SolutionParts &parts) {
    const Solution *const whole = parts.whole();
    if (whole != nullptr && is_small(*whole)) {
        write_at_once(path, Contents(config, grid), *whole);
    } else {
        write_by_library(path, Contents(config, grid), parts);
    }
}

}  // namespace perdure::hdf5
