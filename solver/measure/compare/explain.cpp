#include "solver/measure/compare/explain.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "solver/equations/equation.hpp"
#include "solver/hdf5/encode_chunk.hpp"
#include "solver/measure/compare/bytes_moved.hpp"
#include "solver/measure/compare/copy_speed.hpp"
#include "solver/measure/compare/scaling.hpp"
#include "solver/output/time_text.hpp"
#include "solver/resident/cg_plan.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/multigrid_levels.hpp"
#include "solver/run/readable_bytes.hpp"

namespace perdure::compare {
namespace {

constexpr int launches_of_a_copy = 3;

double copy_speed_for(const PreparedCase &prepared) {
    Device &device = *prepared.selected.device;
    const std::int64_t bytes =
        std::min(prepared.plan.least_bytes / 2, more_than_a_cache(device.description()));
    return copy_bytes_per_second(device, std::max<std::int64_t>(bytes, 1024), launches_of_a_copy);
}

/// Of an inner cell with uniform coefficients: two differences along each axis, times a conductance each, their sum, the scale.
constexpr int operations_of_cell(int dimensions) {
    return 4 * dimensions + 1;
}

/// Of kernels that have cycles.
std::optional<hierarchy_t> hierarchy_of(const PreparedCase &prepared, bool uniform) {
    const LaunchPlan &plan = prepared.plan;
    if (!plan.method->has_cycles) {
        return {};
    }
    return make_levels(finest_level(prepared.problem.grid, prepared.problem.fields.front().sides,
                                    prepared.config, uniform, {plan.on_gpu, plan.line_values}))
        .hierarchy;
}

/// The level that is solved directly and how; empty where none is.
std::string direct_solve(const hierarchy_t &hierarchy) {
    if (hierarchy.transformed == 0) {
        return "";
    }
    const run_parameters_t &grid = hierarchy.level[hierarchy.levels - 1].grid;
    std::string transforms;
    std::string products;
    for (std::uint32_t axis = 0; axis < grid.dimensions; ++axis) {
        std::string &list = hierarchy.lines[axis].kind != LINES_OTHER ? transforms : products;
        list += fmt::format("{}{}", list.empty() ? "" : ", ", "xyz"[axis]);
    }
    return fmt::format("level {}, {} cells{}{}", hierarchy.levels - 1, grid.cells,
                       transforms.empty() ? "" : "; fast transforms along " + transforms,
                       products.empty() ? "" : "; products with mode tables along " + products);
}

std::string microseconds(double seconds) {
    return fmt::format("{:.4g} us", 1.0e6 * seconds);
}

/// Of ordinary host memory over PCI Express, and of HDF5 to memory or a fast disk.
constexpr double typical_bytes_downloaded_per_second = 6.0e9;
constexpr double typical_bytes_written_per_second = 7.0e8;

/// Chunks are written while others are compressed: the slower of both. tools/results/compression.txt has the figures.
double typical_bytes_stored_per_second(Compression compression) {
    constexpr double bytes_compressed_fast = 8.0e7;  // by one core
    constexpr double bytes_compressed_small = 4.0e7;
    constexpr double size_when_compressed = 0.65;
    if (compression == Compression::none) {
        return typical_bytes_written_per_second;
    }
    const double of_a_core =
        compression == Compression::small ? bytes_compressed_small : bytes_compressed_fast;
    return std::min(of_a_core * static_cast<double>(hdf5::encoding_threads()),
                    typical_bytes_written_per_second / size_when_compressed);
}

bool has_snapshots(const Config &config) {
    return config.time && (config.time->snapshot_every > 0 || !config.time->snapshot_times.empty());
}

std::string copying(const char *activity, double bytes, double bytes_per_second) {
    return fmt::format("{} {}: {:.3g} s at {:.3g} GB/s", activity, readable_bytes(bytes),
                       bytes / bytes_per_second, 1.0e-9 * bytes_per_second);
}

std::string line(const char *name, const std::string &text) {
    return fmt::format("  {:<10} {}\n", name, text);
}

}  // namespace

Explanation::Explanation(const PreparedCase &prepared)
    : prepared_(prepared), copy_bytes_per_second_(copy_speed_for(prepared)) {}

const char *Explanation::unit() const {
    return equation_of(prepared_.config.type).unit;
}

const char *Explanation::article() const {
    return equation_of(prepared_.config.type).article;
}

const char *Explanation::expected_name() const {
    return prepared_.plan.model == ExecutionModel::resident ? "expected" : "floor";
}

std::string Explanation::plan(const run_parameters_t &parameters) {
    const LaunchPlan &plan = prepared_.plan;
    expected_seconds_ = 0.0;
    std::string text = "plan\n";
    text += line("kernel", fmt::format("{}, execution.model: {}, on {}", plan.launched, name(plan.model),
                                       prepared_.selected.device->description().name));
    const std::string shared = plan.shape.shared_bytes > 0
                                   ? fmt::format(", {} of shared memory each",
                                                 readable_bytes(static_cast<double>(plan.shape.shared_bytes)))
                                   : "";
    text += line("groups", fmt::format("{} of {} items{}", plan.shape.groups, plan.shape.group_size, shared));
    if (plan.model == ExecutionModel::resident) {
        explain_resident(parameters, text);
    } else {
        explain_phases(parameters, text);
    }
    const std::string expected =
        expected_seconds_ > 0.0 ? fmt::format("{} {} {}", microseconds(expected_seconds_), article(), unit())
                                : "unknown: there is no performance model of this kernel";
    text += line(expected_name(), expected);
    return text == std::exchange(said_, text) ? "" : text + parts(parameters);
}

/// Where the time went so far, and what launch, download and write will take.
std::string Explanation::parts(const run_parameters_t &parameters) const {
    prepared_.time_spent->update();
    const double bytes_of_field = static_cast<double>(parameters.cells * real_bytes(prepared_.config));
    const double written = bytes_of_field * static_cast<double>(written_fields(prepared_.config).size());
    const double read = prepared_.image && written == 0.0
                            ? 0.0
                            : bytes_of_field * static_cast<double>(prepared_.problem.fields.size());
    const Compression compression = prepared_.config.output.compression;
    std::string ahead;
    if (prepared_.plan.method->in_time && expected_seconds_ > 0.0) {
        ahead += fmt::format("launch {:.3g} s, ", expected_seconds_ * parameters.max_iterations);
    }
    ahead += copying("download", read, typical_bytes_downloaded_per_second) + ", " +
             copying(compression == Compression::none ? "write" : "compress and write", written,
                     typical_bytes_stored_per_second(compression));
    return line("so far", to_text(prepared_.time_spent->spent())) +
           line("ahead", ahead + (has_snapshots(prepared_.config) ? "; the last two for each snapshot" : ""));
}

void Explanation::explain_phases(const run_parameters_t &parameters, std::string &text) {
    const LaunchPlan &plan = prepared_.plan;
    const int dimensions = static_cast<int>(parameters.dimensions);
    const std::uint32_t lanes_x = 1U << plan.boxes.log2_lanes_x;
    text += line("boxes", dimensions == 3
                              ? fmt::format("{} of {} x {} x {} cells, in {} chunks", plan.boxes.count(),
                                            lanes_x, LANES / lanes_x, plan.boxes.rows, plan.chunks)
                              : fmt::format("{} of {} x {} cells, in {} chunks", plan.boxes.count(), lanes_x,
                                            LANES / lanes_x * plan.boxes.rows, plan.chunks));
    const std::optional<hierarchy_t> levels = hierarchy_of(prepared_, parameters.uniform != 0);
    const std::string direct = levels ? direct_solve(*levels) : "";
    text += direct.empty() ? "" : line("direct", direct);
    const ProblemTraits traits =
        traits_of(parameters, prepared_.config, levels ? &*levels : nullptr, plan.by_labels);
    const ValuesMoved moved = plan.method->values_moved(traits);
    const double bytes_of_cell = static_cast<double>(moved.per_iteration * real_bytes(prepared_.config));
    const double bytes = bytes_of_cell * static_cast<double>(parameters.cells);
    const double seconds = copy_bytes_per_second_ > 0.0 ? bytes / copy_bytes_per_second_ : 0.0;
    const bool solves = plan.method->implicit != nullptr;
    const char *const of_solve = solves ? " and those of its solve" : "";
    text += line("memory",
                 bytes > 0.0
                     ? fmt::format("{} bytes per cell and {}{}, {}: {} at the copy bandwidth of {:.4g} GB/s",
                                   bytes_of_cell, unit(), of_solve, readable_bytes(bytes),
                                   microseconds(seconds), 1.0e-9 * copy_bytes_per_second_)
                     : "unknown: bytes are counted only for V-cycles with two Chebyshev sweeps, and only if "
                       "no level except the first is solved directly");
    const bool at_once = traits.direct_steps > 0 && !solves;
    const int phases = at_once ? traits.direct_steps + plan.method->phases_beside_direct_solve
                               : plan.method->phases_per_iteration;
    const bool one_launch = plan.model == ExecutionModel::persistent;
    const std::string count = std::to_string(phases) + (solves               ? of_solve
                                                        : levels && !at_once ? " and those of the cycle"
                                                                             : "");
    text += line("phases",
                 fmt::format("{} {} {}, {}", count, article(), unit(),
                             one_launch ? fmt::format("a barrier ({}) after each, {} as measured",
                                                      name(plan.barrier), microseconds(plan.barrier_seconds))
                                        : "one launch each"));
    expected_seconds_ =
        bytes > 0.0 && !solves ? seconds + (one_launch ? phases * plan.barrier_seconds : 0.0) : 0.0;
    if (expected_seconds_ > 0.0 && one_launch &&
        prepared_.selected.device->description().backend == BackendChoice::cuda) {
        const ScalingModel model{bytes / copy_bytes_per_second_,
                                 plan.barrier_seconds,
                                 phases,
                                 plan.boxes,
                                 prepared_.problem.grid.cells,
                                 prepared_.selected.device->description().devices};
        text += line("scaling", scaling_text(model, article(), unit()));
    }
}

void Explanation::explain_resident(const run_parameters_t &parameters, std::string &text) {
    const ResidentPlan &resident = prepared_.plan.resident;
    const double cells = static_cast<double>(parameters.cells);
    text += line("regime", describe(resident));
    expected_seconds_ = resident.step_seconds;
    if (resident.conjugate_gradients) {
        explain_resident_cg(parameters, text);
        return;
    }
    const double computed = resident.redundancy * cells;
    text += line("arithmetic", fmt::format("at least {} operations per cell, {:.4g} million per step",
                                           operations_of_cell(static_cast<int>(parameters.dimensions)),
                                           1.0e-6 * computed *
                                               operations_of_cell(static_cast<int>(parameters.dimensions))));
    if (resident.regime == ResidentRegime::through_memory) {
        const double bytes = (computed * resident.fields_read + cells) *
                             static_cast<double>(real_bytes(prepared_.config)) / resident.depth;
        text +=
            line("memory",
                 fmt::format("{} per step: {} at the copy bandwidth of {:.4g} GB/s", readable_bytes(bytes),
                             microseconds(bytes / copy_bytes_per_second_), 1.0e-9 * copy_bytes_per_second_));
    }
    text += line("exchanges",
                 fmt::format("1 in {} steps, {}", resident.depth,
                             resident.regime == ResidentRegime::field_on_chip ? "between neighbours only"
                                                                              : "a grid barrier"));
}

void Explanation::explain_resident_cg(const run_parameters_t &parameters, std::string &text) {
    const ResidentPlan &resident = prepared_.plan.resident;
    if (resident.regime == ResidentRegime::through_memory) {
        const int values =
            streamed_cg_values(static_cast<int>(parameters.dimensions), parameters.uniform == 0);
        const double bytes = static_cast<double>(values * real_bytes(prepared_.config)) *
                             static_cast<double>(parameters.cells);
        text +=
            line("memory",
                 fmt::format("{} values per cell and iteration, {}: {} at the copy bandwidth of {:.4g} GB/s",
                             values, readable_bytes(bytes), microseconds(bytes / copy_bytes_per_second_),
                             1.0e-9 * copy_bytes_per_second_));
        text +=
            line("exchanges", "1 reduction per iteration, which also makes r and p visible to all groups");
        return;
    }
    text += line("exchanges",
                 "1 reduction per iteration, which also exchanges the cells at the edges of the boxes");
}

std::string Explanation::result(const Report &report) const {
    if (report.iterations < 1) {
        return {};
    }
    const double seconds = report.device_seconds / static_cast<double>(report.iterations);
    const std::string beside =
        expected_seconds_ > 0.0
            ? fmt::format(
                  " ({:.3g} times {})", seconds / expected_seconds_,
                  prepared_.plan.model == ExecutionModel::resident ? "the expected time" : "the lower bound")
            : "";
    return fmt::format("  {:<10} {} {} {}{}, start, checks and end included\n", "took", microseconds(seconds),
                       article(), unit(), beside);
}

}  // namespace perdure::compare
