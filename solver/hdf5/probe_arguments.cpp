#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "solver/hdf5/probe.hpp"

namespace perdure::hdf5 {
namespace {

constexpr const char *marker = "--probe-hdf5";

#ifdef PERDURE_SANITIZED
constexpr std::int64_t slowdown = 20;
#else
constexpr std::int64_t slowdown = 1;
#endif

}  // namespace

bool ProbeArguments::is_of_values() const {
    return request == ProbeRequest::numbers || request == ProbeRequest::labels;
}

std::vector<std::string> ProbeArguments::words() const {
    std::vector<std::string> result{marker, name(request), file.string(), dataset, std::to_string(getpid())};
    for (const std::int64_t cells : shape) {
        result.push_back(std::to_string(cells));
    }
    return result;
}

namespace {

bool to_number(const std::string &word, std::int64_t &number) {
    return std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc();
}

/// Limits hold for a file that grows; one that cannot be looked at has no size.
double file_bytes(const std::filesystem::path &file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    return error ? 0.0 : static_cast<double>(bytes);
}

}  // namespace

std::optional<ProbeArguments> ProbeArguments::parse(const std::vector<std::string> &words) {
    if (words.size() < 5 || words[0] != marker) {
        return std::nullopt;
    }
    ProbeArguments result;
    result.request = value_named<ProbeRequest>(words[1]).value_or(result.request);
    result.file = words[2];
    result.dataset = words[3];
    if (!to_number(words[4], result.parent)) {
        return std::nullopt;
    }
    for (std::size_t i = 5; i < words.size(); ++i) {
        std::int64_t cells = 0;
        if (!to_number(words[i], cells)) {
            return std::nullopt;
        }
        result.shape.push_back(cells);
    }
    return result;
}

std::int64_t processor_seconds(const ProbeArguments &arguments) {
    constexpr double start_up = 2.0;
    constexpr double margin = 10.0;
    constexpr double values_per_second =
        5e7;  // unpacked, read and converted: of gzip'd noise it is 3e7 to 2e8
    constexpr double fills_per_second = 1e9;  // values that were never written
    constexpr double bytes_per_second = 6e7;  // of a file: where each chunk is one value, 6e6
    constexpr double most_unpacked = 1032.0;  // bytes that deflate can make of one
    const double bytes = file_bytes(arguments.file);
    double values = 1.0;
    for (const std::int64_t extent : arguments.shape) {
        values *= static_cast<double>(extent);
    }
    if (!arguments.is_of_values()) {
        values = bytes * most_unpacked / sizeof(double);
    }
    const double sound = std::min(values, bytes * most_unpacked) / values_per_second +
                         values / fills_per_second + bytes / bytes_per_second;
    return slowdown * static_cast<std::int64_t>(std::ceil(start_up + margin * sound));
}

std::int64_t waiting_seconds(const ProbeArguments &arguments) {
    constexpr std::int64_t start_up = 30;
    constexpr std::int64_t per_processor_second = 5;
    constexpr double slowest_disk = 1e6;  // bytes per second
    return start_up + per_processor_second * processor_seconds(arguments) +
           static_cast<std::int64_t>(file_bytes(arguments.file) / slowest_disk);
}

}  // namespace perdure::hdf5
