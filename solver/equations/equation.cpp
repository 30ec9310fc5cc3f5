#include "solver/equations/equation.hpp"

namespace perdure {
namespace {

constexpr Equation diffusion{ProblemType::diffusion, false, "iteration", "an", "", 0.0, 0.0};
constexpr Equation heat{ProblemType::heat, true, "step", "a", "explicit Euler", 1.0e-4, 1.0e-10};

}  // namespace

const Equation &equation_of(ProblemType type) {
    switch (type) {
        case ProblemType::heat:
            return heat;
        case ProblemType::diffusion:
        case ProblemType::effective:
            break;
    }
    return diffusion;
}

}  // namespace perdure
