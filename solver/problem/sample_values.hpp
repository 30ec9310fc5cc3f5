// Turns a value of the case file into numbers at sample points, and checks them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "solver/problem/problem.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/problem/sample_points.hpp"

namespace perdure {

/// A value of the case file with its key path ("problem.a") and the points that it is needed at.
struct SampledPlace {
    std::string key;
    const ValueSource &source;
    const SamplePoints &points;
    std::span<const CellRange> cells =
        {};  // of the points, where an expression is needed at some alone; none: at all
};

/// One value where the source is a number or constant, else one per point. Empty when something was found
/// wrong.
std::optional<Samples> sample_values(const SampledPlace &place, ProblemFindings &findings);

/// The value of each cell's label; a label that the source does not list adds a finding, one that no cell has a warning.
std::optional<Samples> sample_labels(const SampledPlace &place, ProblemFindings &findings);

/// The image of a source of labels; a label that it does not list adds a finding. Materials whose conductivity is above 0
/// come first.
std::optional<MaterialImage> sample_materials(const SampledPlace &place, ProblemFindings &findings);

/// By the labels of the image.
Samples conductivities(const MaterialImage &image);

/// Adds a finding that names the first point whose value is not acceptable, and how many there are.
/// `expected` completes the sentence "problem.a must be ...". True when all values are acceptable.
bool check_values(const Samples &samples, const SampledPlace &place, const std::string &expected,
                  bool (*acceptable)(double), ProblemFindings &findings);

/// Adds a finding when the factor g(t) of the value does not parse.
void check_time_factor(const SampledPlace &place, ProblemFindings &findings);

}  // namespace perdure
