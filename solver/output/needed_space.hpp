// How much room on the disk output needs, and what to do where a file could not be written, for messages.
#pragma once

#include <filesystem>
#include <string>

#include "solver/case_file/config.hpp"
#include "solver/output/solution.hpp"
#include "solver/problem/problem.hpp"

namespace perdure {

/// Of a file of one solution.
double estimated_megabytes(const Config &config, const Solution &solution);

/// Of a case with directions whose fields are written as their directions are solved.
double megabytes_of_directions(const Config &config, const Grid &grid);

/// What a file `path` needs, and what is free there.
std::string space_text(const std::filesystem::path &path, double megabytes);

/// A sentence without its full stop; `error`: an errno, 0 where it is not known.
std::string advice_after(int error);

}  // namespace perdure
