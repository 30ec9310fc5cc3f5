// The contents of a case file: types are checked, but no other file has been read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/case_file/effective_config.hpp"
#include "solver/case_file/given_values.hpp"
#include "solver/case_file/grid_config.hpp"
#include "solver/case_file/precision.hpp"
#include "solver/case_file/rank_transport.hpp"
#include "solver/case_file/time_table.hpp"
#include "solver/enum_names.hpp"
#include "solver/equations/list.hpp"
#include "solver/failure.hpp"
#include "solver/systems/system_config.hpp"

namespace perdure {

namespace systems {
struct System;
}

#define PERDURE_ENUMERATOR(word, ...) word,
/// solver/equations. effective: steady diffusion through an image, once for each direction.
enum class ProblemType { PERDURE_EQUATIONS(PERDURE_ENUMERATOR) };
enum class Axis { x, y, z };
enum class SolverMethod { jacobi, cg, bicgstab, chebyshev, sor, multigrid };
/// Differences for v . grad u.
enum class Convection { central, upwind };
/// What advances a problem in time; solver/integrators.
enum class TimeIntegrator { PERDURE_INTEGRATOR_WORDS(PERDURE_ENUMERATOR) };
#undef PERDURE_ENUMERATOR
enum class Preconditioner { none, jacobi, multigrid };
/// How often a multigrid cycle comes back to a level: once, twice, or once more than to the one before.
enum class Cycle { v, w, f };
enum class Smoother { chebyshev, jacobi, red_black };
enum class Norm { l2, max };
/// kernels/run.h; solver/run/drive_launches.hpp. automatic: the fastest, as it is measured (solver/run/measurements.hpp).
enum class ExecutionModel { automatic, persistent, launches, graph, graph_while, resident };
/// How the groups of a persistent launch meet between phases; sync/grid_barrier.h.
enum class BarrierChoice { automatic, group_leader, all_items, lock_free, tree, cooperative };
enum class BackendChoice { automatic, host, opencl, cuda };
enum class Compression { none, fast, small };
/// How several snapshots of a run are kept: in one file with an axis of time, or as a file each.
enum class SeriesLayout { temporal, files };

/// The words of a case file for each choice.
#define PERDURE_TYPE_NAME(word, ...) NamedValue{ProblemType::word, #word},
template <>
inline constexpr std::array enum_names<ProblemType>{PERDURE_EQUATIONS(PERDURE_TYPE_NAME)};
#undef PERDURE_TYPE_NAME
template <>
inline constexpr std::array enum_names<Axis>{NamedValue{Axis::x, "x"}, NamedValue{Axis::y, "y"},
                                             NamedValue{Axis::z, "z"}};
template <>
inline constexpr std::array enum_names<SolverMethod>{
    NamedValue{SolverMethod::jacobi, "jacobi"},     NamedValue{SolverMethod::cg, "cg"},
    NamedValue{SolverMethod::bicgstab, "bicgstab"}, NamedValue{SolverMethod::chebyshev, "chebyshev"},
    NamedValue{SolverMethod::sor, "sor"},           NamedValue{SolverMethod::multigrid, "multigrid"}};
#define PERDURE_INTEGRATOR_NAME(word, ...) NamedValue{TimeIntegrator::word, #word},
template <>
inline constexpr std::array enum_names<TimeIntegrator>{PERDURE_INTEGRATOR_WORDS(PERDURE_INTEGRATOR_NAME)};
#undef PERDURE_INTEGRATOR_NAME
template <>
inline constexpr std::array enum_names<Cycle>{NamedValue{Cycle::v, "v"}, NamedValue{Cycle::w, "w"},
                                              NamedValue{Cycle::f, "f"}};
template <>
inline constexpr std::array enum_names<Smoother>{NamedValue{Smoother::chebyshev, "chebyshev"},
                                                 NamedValue{Smoother::jacobi, "jacobi"},
                                                 NamedValue{Smoother::red_black, "red_black"}};
template <>
inline constexpr std::array enum_names<Convection>{NamedValue{Convection::central, "central"},
                                                   NamedValue{Convection::upwind, "upwind"}};
template <>
inline constexpr std::array enum_names<Preconditioner>{NamedValue{Preconditioner::none, "none"},
                                                       NamedValue{Preconditioner::jacobi, "jacobi"},
                                                       NamedValue{Preconditioner::multigrid, "multigrid"}};
template <>
inline constexpr std::array enum_names<Norm>{NamedValue{Norm::l2, "l2"}, NamedValue{Norm::max, "max"}};
template <>
inline constexpr std::array enum_names<Precision>{NamedValue{Precision::float32, "float32"},
                                                  NamedValue{Precision::float64, "float64"},
                                                  NamedValue{Precision::mixed, "mixed"}};
template <>
inline constexpr std::array enum_names<BarrierChoice>{NamedValue{BarrierChoice::automatic, "auto"},
                                                      NamedValue{BarrierChoice::group_leader, "group_leader"},
                                                      NamedValue{BarrierChoice::all_items, "all_items"},
                                                      NamedValue{BarrierChoice::lock_free, "lock_free"},
                                                      NamedValue{BarrierChoice::tree, "tree"},
                                                      NamedValue{BarrierChoice::cooperative, "cooperative"}};
template <>
inline constexpr std::array enum_names<ExecutionModel>{NamedValue{ExecutionModel::persistent, "persistent"},
                                                       NamedValue{ExecutionModel::launches, "launches"},
                                                       NamedValue{ExecutionModel::graph, "graph"},
                                                       NamedValue{ExecutionModel::graph_while, "graph_while"},
                                                       NamedValue{ExecutionModel::resident, "resident"},
                                                       NamedValue{ExecutionModel::automatic, "auto"}};
template <>
inline constexpr std::array enum_names<BackendChoice>{
    NamedValue{BackendChoice::automatic, "auto"}, NamedValue{BackendChoice::host, "host"},
    NamedValue{BackendChoice::opencl, "opencl"}, NamedValue{BackendChoice::cuda, "cuda"}};
template <>
inline constexpr std::array enum_names<Compression>{NamedValue{Compression::none, "none"},
                                                    NamedValue{Compression::fast, "fast"},
                                                    NamedValue{Compression::small, "small"}};
template <>
inline constexpr std::array enum_names<SeriesLayout>{NamedValue{SeriesLayout::temporal, "temporal"},
                                                     NamedValue{SeriesLayout::files, "files"}};

/// A side of the box. What `values` and `coefficient` are: solver/boundary_conditions.
struct SideConfig {
    SideKind kind = SideKind::flux;
    ValueSource values;
    ValueSource coefficient;
    TextPosition position;
};

/// Sides in the order x-, x+, y-, y+, z-, z+.
inline constexpr std::array<const char *, 6> side_names{"x-", "x+", "y-", "y+", "z-", "z+"};

struct VelocityConfig {
    std::array<ValueSource, 3> components;  // x, y, z (the case file gives z, y, x)
    int dimensions = 2;                     // components given
    Convection convection = Convection::central;
    TextPosition position;
};

struct TimeConfig {
    double start = 0.0, end = 0.0;
    TimeIntegrator integrator = TimeIntegrator::euler;
    std::optional<double> step, courant;   // dt: a number; {cfl: NUMBER}, by the fastest wave; none: auto
    double rtol = 1.0e-4, atol = 1.0e-7;   // of methods that choose their steps by the error
    std::vector<double> snapshot_times;    // ascending, in (start, end]
    std::int64_t snapshot_every = 0;       // a snapshot every so many steps; 0: none
    std::optional<FormulaText> stop_when;  // of what is watched: solver/systems/watch.hpp
    NamedTerms implicit_terms;             // of imex: parts and fields
    TextPosition position, step_position, snapshots_position;

    [[nodiscard]] double duration() const { return end - start; }
};

/// Of a run: the list of their times is kept in memory.
inline constexpr double most_snapshots = 1.0e6;

/// Of method multigrid and of preconditioner multigrid.
struct MultigridConfig {
    Cycle cycle = Cycle::v;
    Smoother smoother = Smoother::chebyshev;
    int sweeps = 2;           // before and after the coarser levels
    bool full_start = false;  // method multigrid: from the coarsest level up before the first cycle

    static constexpr int automatic = -1, none = -2;
    /// Of a uniform problem, the one that transforms solve, which is the coarsest one then.
    int direct_level = automatic;
    TextPosition direct_level_position{};
};

struct SolverConfig {
    SolverMethod method = SolverMethod::cg;
    Preconditioner preconditioner = Preconditioner::jacobi;
    Norm norm = Norm::l2;
    double rtol = 1.0e-8;
    double atol = 0.0;
    double weight = 2.0 / 3.0;  // of Jacobi, in (0, 2)
    double omega = 0.0;         // of sor, in (0, 2); 0: from the problem
    std::int64_t max_iterations = 10000;
    std::int64_t check_every = 10;  // left out with multigrid: 1
    MultigridConfig multigrid;
    TextPosition position;
};

struct ExecutionConfig {
    BackendChoice backend = BackendChoice::automatic;
    std::optional<int> device;  // the first that is used, counted as `perdure devices` prints it
    int devices = 1;            // that share the case
    ExecutionModel model = ExecutionModel::persistent;
    Precision precision = Precision::float64;
    int groups = 0;                    // 0, key absent: as many as the device holds at once
    int group_size = 0;                // 0, key absent: the back end's choice
    double watchdog = 20.0;            // s without progress
    std::optional<double> time_limit;  // s since the program started; then a checkpoint, and the end
    BarrierChoice barrier = BarrierChoice::automatic;    // automatic: the fastest measured
    RankTransport transport = RankTransport::automatic;  // automatic: peer on one host
    bool reproducible = false;                           // nothing that bits depend on is chosen by timing
    std::optional<int> ensemble;  // cases at a time in one launch; 0: each alone; key absent: as many as pay
    TextPosition backend_position, device_position, devices_position, model_position, precision_position;
    TextPosition barrier_position, groups_position, group_size_position, ensemble_position,
        transport_position, position;
};

/// Of a run in time: what it leaves for `--resume`.
struct CheckpointConfig {
    std::int64_t every_steps = 0;  // 0: not after so many steps
    double every_minutes = 0.0;    // 0: not after so much time
    bool on_signal = true;         // one when the run is asked to stop
    int keep = 2;                  // so many of the newest
};

struct OutputConfig {
    std::filesystem::path directory = "results";     // relative to the working directory
    std::string name;                                // empty: the case file's stem
    std::optional<std::vector<std::string>> fields;  // empty: those of the equation; written_fields()
    Compression compression = Compression::fast;
    SeriesLayout series = SeriesLayout::temporal;
    std::optional<std::string> units;  // of the fields, written as an attribute
    std::string flux_units;            // of -a grad u, as values with units tell them; empty: not known
    std::optional<CheckpointConfig> checkpoint;
    TextPosition position;
};

/// Which member of its case's sweep a config is.
struct SweepPlace {
    std::size_t number = 1, count = 1;
    std::string name;  // that results of the case would have without a sweep
    std::vector<std::pair<std::string, std::string>> settings;  // key and value that this member sets
};

struct Config {
    Config();  // here and below: compiled once, not by each user
    Config(const Config &);
    Config(Config &&) noexcept;
    Config &operator=(const Config &);
    Config &operator=(Config &&) noexcept;
    ~Config();

    std::filesystem::path path;  // of the case file
    std::shared_ptr<const std::string>
        file_text;        // with overrides noted; members of a sweep share one copy; may be null
    std::string text;     // what follows it: the values that the sweep sets
    std::string as_read;  // the whole case as one line of YAML, overrides and the sweep's values set
    /// Of a run: its data files as they stood when they were read (describe_data_files()); what takes their place later is not
    /// what the result was made of.
    std::optional<std::string> data_files_read;
    std::optional<SweepPlace> sweep;
    std::string title;
    ProblemType type = ProblemType::diffusion;
    ValueSource a, sigma, f, initial;  // sigma, f, initial default to 0
    ValueSource capacity = ValueSource::of_number(1.0);
    std::optional<FormulaText> exact;  // solution u, of x, y, z and t; of a system its fields have theirs
    SourcesInSolids sources_in_solids = SourcesInSolids::refuse;
    std::shared_ptr<const SystemConfig> system;  // present exactly for a system
    /// Of heat that is watched while its own kernels step it: the same equation in formulas.
    std::shared_ptr<const SystemConfig> watched_as;
    std::shared_ptr<const systems::System> formulas;  // of one of these, parsed
    std::map<std::string, ValueSource> own_values;    // of keys that this equation alone has (Equation::keys)
    std::optional<VelocityConfig> velocity;
    std::vector<TimeTable> tables;
    std::optional<EffectiveConfig> effective;  // present exactly for effective
    DeclaredUnits units;
    GridConfig grid;
    std::array<SideConfig, 6> sides;  // a side not named is flux 0; effective: those of its first direction
    SolverConfig solver;
    std::optional<TimeConfig> time;  // present exactly for an equation in time
    ExecutionConfig execution;
    OutputConfig output;
    std::vector<Diagnostic> warnings;
    std::vector<std::string> assumed;  // what the case leaves out and results depend on, in words
};

/// The case as it ran: the text of the file, with comments that note overrides and the sweep's values.
std::string case_text(const Config &config);

/// Bytes of a value of the run's fields.
inline std::int64_t real_bytes(const Config &config) {
    return field_precision(config.execution.precision) == Precision::float32 ? 4 : 8;
}

/// Reads a case file strictly: unknown, duplicate, missing and mistyped keys, and values out of range.
/// `overrides` are `key.path=value` texts of --set, applied in order; value is YAML.
/// Throws Failure(case_or_usage) holding *all* findings, Failure(input_output) when the file cannot be read.
Config load_config(const std::filesystem::path &path, const std::vector<std::string> &overrides = {});

/// The same; the members of a case with a sweep, one config each. load_config() refuses it.
std::vector<Config> load_cases(const std::filesystem::path &path, const std::vector<std::string> &overrides);

struct RenamedKey;

/// The same with a table of renamed keys of its own; case_file/renamed_keys.hpp.
std::vector<Config> load_cases(const std::filesystem::path &path, const std::vector<std::string> &overrides,
                               const std::vector<RenamedKey> &renamed);

/// The file, and which member of its sweep.
std::string label(const Config &config);

/// The sides of an effective case along `axis` (ImageSides).
void point_along(int axis, Config &config);

/// The candidate closest to `word` by edit distance, or empty when none is close enough to suggest.
std::string closest(const std::string &word, const std::vector<std::string> &candidates);

}  // namespace perdure
