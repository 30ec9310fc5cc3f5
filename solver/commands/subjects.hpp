// Subjects that users ask about by names which are no keys: what perdure has for them, the keys, and an example to begin with.
#pragma once

#include <span>
#include <string_view>

namespace perdure::commands {

/// Lists are words with blanks between them.
struct Subject {
    std::string_view name, other_names;
    std::string_view text;
    std::string_view keys;     // of a case file
    std::string_view example;  // for `perdure new --example`; may be empty
    std::string_view command;  // that shows it, where there is no example; may be empty
};

std::span<const Subject> all_subjects();

}  // namespace perdure::commands
