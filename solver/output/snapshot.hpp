// A snapshot that a run has written.
#pragma once

#include <cstdint>
#include <filesystem>

namespace perdure {

struct Snapshot {
    std::filesystem::path file;
    double time = 0.0;
    std::int64_t step = 0;
};

}  // namespace perdure
