#include "solver/hdf5/snapshot_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "solver/formats.hpp"
#include "solver/hdf5/attributes.hpp"

namespace perdure::hdf5 {

void write_root(hid_t file, const Config &config, const Solution &solution) {
    const std::string version = "perdure " + solution.report.version;
    write_attribute(file, "Conventions", "CF-1.10");
    write_attribute(file, "format_version", result_format);
    write_attribute(file, "title", config.title.empty() ? config.path.stem().string() : config.title);
    write_attribute(file, "source", version);
    write_attribute(file, "history",
                    fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}: {}, step {}", fmt::gmtime(std::time(nullptr)),
                                version, name(config.type), solution.step));
}

void write_snapshot_file(const std::filesystem::path &path, const Config &config, const Grid &grid,
                         SolutionParts &parts) {
    File file = create_file(path);
    write_axes(file, grid, config.units);
    write_vtkhdf(file, config, grid, parts);
    const Solution &rest = parts.rest();
    write_root(file, config, rest);
    write_time(file, rest.time, config.units);
    if (rest.series) {
        write_series(file, *rest.series, config.units);
    }
    write_report(file, rest.report);
    write_manifest(file, config, rest);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file to its end");
    file.close("close the file");
}

}  // namespace perdure::hdf5
