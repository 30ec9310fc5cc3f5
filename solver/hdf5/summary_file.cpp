#include "solver/hdf5/summary_file.hpp"

#include "solver/formats.hpp"
#include "solver/hdf5/attributes.hpp"
#include "solver/hdf5/snapshot_file.hpp"
#include "solver/version.hpp"

namespace perdure::hdf5 {

void write_summary_file(const std::filesystem::path &path, const SummaryColumns &columns) {
    File file = create_file(path);
    write_attribute(file, "source", "perdure " + version());
    write_attribute(file, "format_version", result_format);
    write_attribute(file, "columns", columns.names());
    for (const std::string &name : columns.names()) {
        if (const auto whole = columns.whole_numbers(name)) {
            write_list(file, name.c_str(), *whole);
        } else if (const auto numbers = columns.numbers(name)) {
            write_list(file, name.c_str(), *numbers);
        } else {
            write_list(file, name.c_str(), columns.column(name));
        }
    }
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "write the file to its end");
    file.close("close the file");
}

}  // namespace perdure::hdf5
