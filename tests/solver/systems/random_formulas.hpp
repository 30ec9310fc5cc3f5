// Formulas with every operator, drawn at random.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perdure::systems_test {

/// Of fields, the parameters p and q, functions of x, y and z, whose second derivatives are not 0 but for rounding; values stay near those of the fields: divisors, roots and logarithms are of
/// positive numbers.
class RandomFormulas {
  public:
    RandomFormulas(unsigned seed, int dimensions, std::vector<std::string> fields = {"u", "v"})
        : random_(seed), dimensions_(dimensions), fields_(std::move(fields)) {}

    /// `derivatives`: how many may stand in one another.
    std::string scalar(int depth, int derivatives);
    std::string conserve(int depth);

  private:
    std::string leaf();
    std::string pointwise(int depth, int derivatives);
    std::string derivative(int depth, int derivatives);
    std::string vector(int depth, int derivatives);
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

    std::mt19937 random_;
    int dimensions_;
    std::vector<std::string> fields_;
};

}  // namespace perdure::systems_test
