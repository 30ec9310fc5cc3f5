// Systems of equations drawn at random: two to five coupled fields, every operator, every kind of side.
#pragma once

#include <string>

namespace perdure::tests {

/// A case file without its section `time`, the same for the same number. What it asks for is finite whatever the fields are, and rates stay
/// below 50 in size but for diffusion.
struct RandomSystem {
    std::string text;
    std::string method;  // a time.method; none that chooses its steps, since rates jump
};
RandomSystem random_system(unsigned number);

}  // namespace perdure::tests
