#include "solver/output/data_files.hpp"

#include <fmt/format.h>

#include <chrono>
#include <set>
#include <system_error>
#include <vector>

namespace perdure {

std::string describe_data_files(const Config &config) {
    std::vector<const ValueSource *> sources{&config.a, &config.sigma, &config.f, &config.initial};
    for (const SideConfig &side : config.sides) {
        sources.push_back(&side.values);
        sources.push_back(&side.coefficient);
    }
    if (config.velocity) {
        for (const ValueSource &component : config.velocity->components) {
            sources.push_back(&component);
        }
    }
    std::set<std::string> lines;
    for (const ValueSource *source : sources) {
        if (source->file.empty()) {
            continue;
        }
        std::error_code error;
        const auto path = std::filesystem::weakly_canonical(source->file, error);
        const auto bytes = std::filesystem::file_size(source->file, error);
        const auto changed = std::filesystem::last_write_time(source->file, error).time_since_epoch();
        lines.insert(fmt::format("{}, {} bytes, {}\n", path.string(), bytes,
                                 std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()));
    }
    std::string text;
    for (const std::string &line : lines) {
        text += line;
    }
    return text;
}

}  // namespace perdure
