#include "solver/cache_folder.hpp"

#include <cstdlib>

namespace perdure {
namespace {

/// Of an environment variable; relative ones count as not set (XDG Base Directory Specification).
std::filesystem::path absolute_folder(const char *variable) {
    const char *const value = std::getenv(variable);
    const std::filesystem::path path = value != nullptr ? value : "";
    return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path cache_folder() {
    if (const std::filesystem::path folder = absolute_folder("XDG_CACHE_HOME"); !folder.empty()) {
        return folder / "perdure";
    }
    const std::filesystem::path home = absolute_folder("HOME");
    return home.empty() ? std::filesystem::path() : home / ".cache" / "perdure";
}

}  // namespace perdure
