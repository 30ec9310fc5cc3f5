#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/output_names.hpp"

namespace perdure::hdf5 {

void write_manifest(Object &file, const Config &config, const Solution &solution) {
    Object &group = file.group("manifest");
    group.set("program", "perdure " + solution.report.version);
    group.set("case_file", config.path.filename().string());
    group.set("case_text", case_text(config));
    group.set("case_as_read", config.as_read);
    group.set("problem", name(config.type));
    group.set("data_files", config.data_files_read ? *config.data_files_read : describe_data_files(config));
    group.set("file", keeps_snapshot_files(config) ? snapshot_name(config, solution.step)
                                                   : result_path(config).filename().string());
    group.set("written", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
    group.set("complete", std::int64_t{is_an_end(solution.report.stop) ? 1 : 0});
}

}  // namespace perdure::hdf5
