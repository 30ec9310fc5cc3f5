// In which values two cases differ.
#pragma once

#include <string>
#include <vector>

namespace perdure {

struct ValueDifference {
    std::string key;   // its path
    std::string text;  // "time.dt is now '0.2' and was '0.1'"
};

/// Between two cases as they were read, overrides included, in the order of the keys.
std::vector<ValueDifference> differences(const std::string &before, const std::string &now);

/// The first of them, and how many more there are.
std::string in_words(const std::vector<ValueDifference> &differences);

}  // namespace perdure
