#include "solver/hdf5/summary_file.hpp"

#include "solver/formats.hpp"
#include "solver/hdf5/write_objects.hpp"
#include "solver/version.hpp"

namespace perdure::hdf5 {

void write_summary_file(const std::filesystem::path &path, const SummaryColumns &columns) {
    Object file;
    file.set("source", "perdure " + version());
    file.set("format_version", result_format);
    file.set("columns", columns.names());
    for (const std::string &name : columns.names()) {
        if (const auto whole = columns.whole_numbers(name)) {
            file.add(name, *whole);
        } else if (const auto numbers = columns.numbers(name)) {
            file.add(name, *numbers);
        } else {
            file.add(name, columns.column(name));
        }
    }
    write_file(path, file);
}

}  // namespace perdure::hdf5
