// The folder `name.partial/` that a run writes into, while it goes on.
#pragma once

#include <filesystem>

#include "solver/case_file/config.hpp"
#include "solver/file_descriptor.hpp"

namespace perdure {

/// Remembers which folder had the name at the beginning: another that has taken its place may be another process's.
class RunFolder {
  public:
    explicit RunFolder(const Config &config);

    /// Throws Failure(input_output) where the folder was removed or replaced.
    void expect_same() const;

  private:
    std::filesystem::path path_;
    FileDescriptor folder_;  // not open where there was none
};

}  // namespace perdure
