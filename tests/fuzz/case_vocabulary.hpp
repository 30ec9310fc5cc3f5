// The keys and words of case files, taken from the program itself.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace perdure::fuzz {

struct Vocabulary {
    std::map<std::string, std::vector<std::string>> keys;  // of each map, by its key path; "" is the root
    std::vector<std::string> paths;                        // of all keys
    std::vector<std::string> words;                        // that some key takes
};

/// Collected on the first call from what the readers answer when a key or a word is unknown.
const Vocabulary &vocabulary();

}  // namespace perdure::fuzz
