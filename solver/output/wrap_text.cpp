#include "solver/output/wrap_text.hpp"

#include <algorithm>
#include <sstream>

namespace perdure {

std::size_t columns_of(const std::string &text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string wrap_text(const std::string &text, std::size_t indent, std::size_t hanging) {
    std::string result;
    std::string line(indent, ' ');
    bool empty = true;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!empty && columns_of(line) + 1 + columns_of(word) > text_columns) {
            result += line + '\n';
            line.assign(indent + hanging, ' ');
            empty = true;
        }
        line += empty ? word : " " + word;
        empty = false;
    }
    return result + line + '\n';
}

}  // namespace perdure
