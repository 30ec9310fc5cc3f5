#include "solver/run/readable_bytes.hpp"

#include <fmt/format.h>

namespace perdure {

std::string readable_bytes(double bytes) {
    const char *unit = "B";
    for (const char *larger_unit : {"KiB", "MiB", "GiB", "TiB"}) {
        if (bytes < 1024.0) {
            break;
        }
        bytes /= 1024.0;
        unit = larger_unit;
    }
    return fmt::format("{:.4g} {}", bytes, unit);
}

}  // namespace perdure
