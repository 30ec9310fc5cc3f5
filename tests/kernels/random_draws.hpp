// Small choices at random, the same on every machine for the same seed and standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace perdure::tests {

class Draws {
  public:
    Draws(std::uint64_t seed, std::uint32_t stream) {
        std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                               stream};
        random_.seed(sequence);
    }

    bool one_in(int n) { return below(n) == 0; }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    /// Rounded to two digits after the point: a text says it exactly.
    double between(double low, double high) {
        return std::round(std::uniform_real_distribution<double>(low, high)(random_) * 100.0) / 100.0;
    }
    template <class Choice>
    Choice any_of(const std::vector<Choice> &choices) {
        return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace perdure::tests
