// Files of the Python package that draws, embedded when the program is built.
#pragma once

#include <string_view>
#include <vector>

namespace perdure {

struct PlotText {
    std::string_view path;  // solver/python/perdure/plotting/options.json
    std::string_view text;
};

/// Its options and its examples.
const std::vector<PlotText> &plot_texts();

}  // namespace perdure
