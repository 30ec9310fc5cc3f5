#include <array>
#include <charconv>
#include <system_error>

#include "solver/hdf5/probe.hpp"

namespace perdure::hdf5 {
namespace {

constexpr const char *marker = "--probe-hdf5";
constexpr std::array<const char *, 3> request_names{"numbers", "labels", "description"};

#ifdef PERDURE_SANITIZED
constexpr std::int64_t slowdown = 20;
#else
constexpr std::int64_t slowdown = 1;
#endif

}  // namespace

std::vector<std::string> ProbeArguments::words() const {
    std::vector<std::string> result{marker, request_names[static_cast<std::size_t>(request)], file.string(),
                                    dataset};
    for (const std::int64_t cells : shape) {
        result.push_back(std::to_string(cells));
    }
    return result;
}

std::optional<ProbeArguments> ProbeArguments::parse(const std::vector<std::string> &words) {
    if (words.size() < 4 || words[0] != marker) {
        return std::nullopt;
    }
    ProbeArguments result;
    for (std::size_t i = 0; i < request_names.size(); ++i) {
        if (words[1] == request_names[i]) {
            result.request = static_cast<ProbeRequest>(i);
        }
    }
    result.file = words[2];
    result.dataset = words[3];
    for (std::size_t i = 4; i < words.size(); ++i) {
        const std::string &word = words[i];
        std::int64_t cells = 0;
        if (std::from_chars(word.data(), word.data() + word.size(), cells).ec != std::errc()) {
            return std::nullopt;
        }
        result.shape.push_back(cells);
    }
    return result;
}

std::int64_t processor_seconds(const ProbeArguments &arguments) {
    constexpr std::int64_t start_up = 60;
    constexpr std::int64_t description = 600;  // its datasets may unpack to much more than the file's size
    constexpr std::int64_t values_per_second = 10'000'000;
    std::int64_t cells = 1;
    for (const std::int64_t extent : arguments.shape) {
        cells *= extent;
    }
    const std::int64_t work =
        arguments.request == ProbeRequest::description ? description : cells / values_per_second;
    return slowdown * (start_up + work);
}

}  // namespace perdure::hdf5
