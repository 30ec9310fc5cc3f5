// Words that users know from elsewhere for what perdure has under another name.
#pragma once

#include <string>
#include <vector>

namespace perdure {

/// Which of `known` was meant by `word`: the closest by its letters, else one that has this other name. Empty where there is none.
std::string meant(const std::string &word, const std::vector<std::string> &known);

}  // namespace perdure
