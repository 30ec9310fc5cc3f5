#include "solver/run/right_hand_survey.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/problem/in_parallel.hpp"

namespace perdure {

template <typename Real>
void RightHandSurvey::take(std::size_t row, std::int64_t count, const Fill &fill) {
    constexpr std::int64_t block = 1 << 16;
    struct OfBlock {
        double sum = 0.0, largest = 0.0;
        bool finite = true, any_nonzero = false;
    };
    std::vector<OfBlock> blocks(static_cast<std::size_t>((count + block - 1) / block));
    in_parallel(std::ssize(blocks), count, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> values(static_cast<std::size_t>(std::min(block, count)));
        for (std::int64_t k = begin; k < end; ++k) {
            const std::int64_t first = k * block;
            const auto size = static_cast<std::size_t>(std::min(block, count - first));
            fill(first, std::span(values).first(size));
            OfBlock of;
            for (std::size_t i = 0; i < size; ++i) {
                const double value = static_cast<Real>(values[i]);
                of.sum += value * value;
                of.largest = std::max(of.largest, std::abs(value));
                of.finite = of.finite && std::isfinite(values[i]);
                of.any_nonzero = of.any_nonzero || values[i] != 0.0;
            }
            blocks[static_cast<std::size_t>(k)] = of;
        }
    });
    double sum = 0.0;
    for (const OfBlock &of : blocks) {
        sum += of.sum;
        finite = finite && of.finite;
        any_nonzero = any_nonzero || of.any_nonzero;
        max = row == 0 ? std::max(max, of.largest) : max;
    }
    sum_of_squares += sum;
    l2 = row == 0 ? std::sqrt(sum) : l2;
}

template void RightHandSurvey::take<float>(std::size_t, std::int64_t, const Fill &);
template void RightHandSurvey::take<double>(std::size_t, std::int64_t, const Fill &);

}  // namespace perdure
