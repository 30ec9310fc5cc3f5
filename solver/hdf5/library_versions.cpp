#include "solver/hdf5/library_versions.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "solver/hdf5/hdf5.hpp"

namespace perdure::hdf5 {

std::string library_versions() {
    const LibraryLock lock;
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    check(H5get_libversion(&major, &minor, &release), "ask for the version of HDF5");
    return fmt::format(
        "HDF5 {}.{}.{}, libdeflate {}, Eigen {}.{}.{}, fmt {}.{}.{}, nlohmann-json {}.{}.{}, compiler {}",
        major, minor, release, LIBDEFLATE_VERSION_STRING, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
        EIGEN_MINOR_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
        NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, __VERSION__);
}

}  // namespace perdure::hdf5
