// A table of values in time that formulas use by name.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/enum_names.hpp"
#include "solver/failure.hpp"

namespace perdure {

/// What holds at times before the first row and behind the last one.
enum class BeyondTable { refuse, hold, repeat };

template <>
inline constexpr std::array enum_names<BeyondTable>{NamedValue{BeyondTable::refuse, "refuse"},
                                                    NamedValue{BeyondTable::hold, "hold"},
                                                    NamedValue{BeyondTable::repeat, "repeat"}};

/// A piecewise linear function of t through rows of a file of separated values.
struct TimeTable {
    std::string name;
    std::filesystem::path file;
    std::vector<double> times, values;  // times do not decrease; two that are equal: a jump
    BeyondTable beyond = BeyondTable::refuse;
    TextPosition position;
};

}  // namespace perdure
