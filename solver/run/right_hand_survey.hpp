// What is known of right-hand sides that nobody keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "solver/case_file/config.hpp"

namespace perdure {

struct RightHandSurvey {
    bool finite = true;           // before they are rounded
    bool any_nonzero = false;     // before they are rounded
    double sum_of_squares = 0.0;  // of all
    double l2 = 0.0, max = 0.0;   // norms of the first row

    [[nodiscard]] double norm(Norm of) const { return of == Norm::max ? max : l2; }

    /// Values of a row, which are asked for in several threads. Sums are those of blocks, one after the other: their bits, which tolerances
    /// have, are those of any number of threads.
    using Fill = std::function<void(std::int64_t first, std::span<double> to)>;
    template <typename Real>
    void take(std::size_t row, std::int64_t count, const Fill &fill);
};

extern template void RightHandSurvey::take<float>(std::size_t, std::int64_t, const Fill &);
extern template void RightHandSurvey::take<double>(std::size_t, std::int64_t, const Fill &);

}  // namespace perdure
