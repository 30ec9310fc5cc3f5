#include "solver/compare/bytes_moved.hpp"

#include <fmt/format.h>

#include "solver/failure.hpp"

namespace perdure::compare {

ValuesMoved values_moved(const std::string &kernel, int dimensions, int factors) {
    ValuesMoved moved;
    if (kernel == "jacobi") {
        moved = {3, 0, 3, 2 + dimensions};  // read u, b, write u; diagonal, inverse diagonal, conductances
    } else if (kernel == "heat") {
        moved = {3 + factors, 0, 3 + factors,
                 1 + dimensions};  // read u, all b, write u; diagonal, conductances
    } else if (kernel == "cg") {
        moved = {10, 0, 8, 2 + dimensions};  // read and write r, w, s (two copies each), p, x
    } else {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: nobody says how much memory kernel '{}' moves", kernel));
    }
    moved.variable = moved.uniform + moved.coefficients;
    return moved;
}

std::string as_the_header_says(const std::string &kernel) {
    const ValuesMoved moved = values_moved(kernel, 3, 0);
    return fmt::format("({} or {} in 3D) x sizeof(real_t)", moved.uniform, moved.variable);
}

}  // namespace perdure::compare
