// Where the images with reference values lie.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace perdure::tests {

/// PERDURE_REFERENCE_DATA, or shared/data beside the source tree. A test whose file is not there is skipped
/// and says so.
inline std::filesystem::path reference_data() {
    const char *given = std::getenv("PERDURE_REFERENCE_DATA");
    return given != nullptr ? std::filesystem::path(given)
                            : std::filesystem::path(PERDURE_SOURCE_DIR).parent_path() / "shared" / "data";
}

}  // namespace perdure::tests
