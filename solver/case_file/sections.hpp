// Reads the sections of a case file. Each function reads one key of the root map; errors become findings.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "solver/case_file/config.hpp"
#include "solver/case_file/yaml_reader.hpp"
#include "solver/equations/equation.hpp"

namespace perdure {

/// Problem type, a, sigma, f and initial. Returns the equation, null where the type could not be read.
const Equation *read_problem(YamlMap &root, const std::filesystem::path &folder, Config &config);

/// What an equation that is known by another name is here: which problem.type has it, with which keys. Empty where the name is not known.
std::string advice_on_equation(const std::string &name);

/// Why no value of the equation may have a factor in time; empty: it may.
std::string refuse_factor(const Equation *equation);

/// directions, lateral and subvolume; refuses what an effective case does not take.
EffectiveConfig read_effective(YamlMap &problem);

/// The section boundary of an effective case: all sides are periodic, or it is left out.
void read_periodic_cell(YamlMap &root, Config &config);

/// An effective case needs an image of at most 255 labels.
void check_image(const ValueSource &a, Findings &findings);

/// All axes where none is named; those that the grid does not have are errors. Makes the grid that of the subvolume. Points the sides
/// along the first axis.
void settle_directions(Config &config, std::optional<int> dimensions, Findings &findings);

/// Tensors with off-diagonal entries need conjugate gradients with multigrid.
void check_tensors(const Config &config, Findings &findings);

/// Red-black order needs even sizes along periodic axes.
void check_colours(const Config &config, Findings &findings);

/// Precision mixed is that of methods whose cycles may be in float32.
void check_precision(const Config &config, Findings &findings);

/// What a velocity asks of the grid and the method.
/// Adds a finding and gives false where it has not a component for each axis.
bool has_component_for_each_axis(const VelocityConfig &velocity, std::optional<int> dimensions,
                                 Findings &findings);

void check_velocity(const Config &config, std::optional<int> dimensions, Findings &findings);

/// Coefficients in `problem`: a grid without a shape has that of a dataset of one of them, or of one under problem.coefficients. What is given
/// for fields may have an axis of time besides.
inline constexpr std::array coefficient_keys{"a", "sigma", "capacity", "damping"};

/// Returns the number of axes (1, 2 or 3) if it could be read. Its shape may be that of a coefficient, which is read before.
std::optional<int> read_grid(YamlMap &root, Config &config);

/// "a grid with the shape [nx] has no sides along y"
std::string why_no_axis(int dimensions, const std::string &what, char axis);

void read_boundary(YamlMap &root, const std::filesystem::path &folder, const Equation *equation,
                   std::optional<int> dimensions, std::array<SideConfig, 6> &sides);

/// `time`: of the case, read before it.
void read_solver(YamlMap &root, const Equation *equation, const std::optional<TimeConfig> &time,
                 SolverConfig &solver);

/// Leaves `time` empty for equations that are not in time.
void read_time(YamlMap &root, const Equation *equation, std::optional<TimeConfig> &time);

/// checkpoint of the section output; `equation`: null where the type could not be read.
void read_checkpoint(YamlMap &output, const Equation *equation, std::optional<CheckpointConfig> &checkpoint);

/// time_limit of the section execution.
/// Seconds of a text such as 90, 1h30m or 45m; nothing where it is none.
std::optional<double> time_limit_of(const std::string &text);
void read_time_limit(YamlMap &execution, std::optional<double> &time_limit);

void read_execution(YamlMap &root, ExecutionConfig &execution);

/// Fields are those of the problem, which is read before.
void read_output(YamlMap &root, const Equation *equation, Config &config);

}  // namespace perdure
