#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/output_names.hpp"

namespace perdure::hdf5 {

void write_manifest(hid_t file, const Config &config, const Solution &solution) {
    Handle group = create_group(file, "manifest");
    write_attribute(group, "program", "perdure " + solution.report.version);
    write_attribute(group, "case_file", config.path.filename().string());
    write_attribute(group, "case_text", case_text(config));
    write_attribute(group, "case_as_read", config.as_read);
    write_attribute(group, "problem", name(config.type));
    write_attribute(group, "data_files",
                    config.data_files_read ? *config.data_files_read : describe_data_files(config));
    write_attribute(group, "file",
                    keeps_snapshot_files(config) ? snapshot_name(config, solution.step)
                                                 : result_path(config).filename().string());
    write_attribute(group, "written", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
    write_attribute(group, "complete", std::int64_t{is_an_end(solution.report.stop) ? 1 : 0});
    group.close("write the manifest");
}

}  // namespace perdure::hdf5
