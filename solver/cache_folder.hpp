// The folder for files that the program can create again.
#pragma once

#include <filesystem>

namespace perdure {

/// $XDG_CACHE_HOME/perdure, or ~/.cache/perdure; empty where the environment names no such folder.
std::filesystem::path cache_folder();

}  // namespace perdure
