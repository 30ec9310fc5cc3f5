#include "solver/version.hpp"

namespace perdure {

std::string version() {
    return PERDURE_VERSION;
}

std::string built_with() {
    return PERDURE_BUILT_WITH;
}

}  // namespace perdure
