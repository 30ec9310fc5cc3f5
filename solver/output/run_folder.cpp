#include "solver/output/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "solver/failure.hpp"
#include "solver/output/output_names.hpp"

namespace perdure {

RunFolder::RunFolder(const Config &config)
    : path_(partial_folder(config)), folder_(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

void RunFolder::expect_same() const {
    if (folder_.is_open() && !is_still_at(folder_, path_)) {
        throw Failure(
            ExitCode::input_output,
            fmt::format("the folder '{}' was removed or replaced while this run wrote into it; if it was "
                        "moved, it holds what this run has written, and nothing else was touched",
                        path_.string()));
    }
}

}  // namespace perdure
