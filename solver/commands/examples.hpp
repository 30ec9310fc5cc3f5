// The cases of inputs/, embedded when the program is built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perdure {

struct ExampleFile {
    std::string_view path;  // inputs/gray_scott.yaml
    std::string_view text;
};

/// All of them, by name.
const std::vector<ExampleFile> &example_files();

/// A case that `perdure new --example` may write.
struct Example {
    std::string name;  // of the file, without its ending
    std::string title, type;
    std::string_view text;
    std::vector<std::string> data_files;  // beside it, which have to be made: then it is no example to write
};

std::vector<Example> examples();

}  // namespace perdure
