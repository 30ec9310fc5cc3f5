#include "solver/hdf5/summary_file.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "solver/formats.hpp"
#include "solver/hdf5/write_objects.hpp"
#include "solver/version.hpp"

namespace perdure::hdf5 {

void write_summary_file(const std::filesystem::path &path, const SummaryColumns &columns) {
    Object file;
    file.set("source", "perdure " + version());
    file.set("format_version", result_format);
    file.set("columns", columns.names());
    std::vector<std::int64_t> numbers_of_rows(static_cast<std::size_t>(columns.rows()));
    std::iota(numbers_of_rows.begin(), numbers_of_rows.end(), 1);
    Object &row = file.add("row", numbers_of_rows);
    row.is_scale = true;
    row.set("long_name", "row of the table");
    const auto add_column = [&](const std::string &name, Values values) {
        file.add(name, std::move(values)).scales = {row.path};
    };
    for (const std::string &name : columns.names()) {
        if (const auto whole = columns.whole_numbers(name)) {
            add_column(name, *whole);
        } else if (const auto numbers = columns.numbers(name)) {
            add_column(name, *numbers);
        } else {
            add_column(name, columns.column(name));
        }
    }
    write_file(path, file);
}

}  // namespace perdure::hdf5
