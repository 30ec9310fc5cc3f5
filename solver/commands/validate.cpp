
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/check_output.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/run_case.hpp"

namespace perdure::commands {
namespace {

ExitCode validate_one(const Config &config, CaseOptions &options) {
    PreparedCase prepared = prepare_case(config, [&] { check_output_names(config); });
    prepared.cells = known_cells(prepared);
    for (const Diagnostic &warning : prepared.problem.warnings) {
        print_message("{}\n", to_text(warning));
    }
    std::string what;
    if (prepared.plan.method->in_time) {
        const TimeSegment last = time_segments(prepared).back();
        what =
            config.time->courant
                ? fmt::format("adaptive time steps with a CFL number of {:g}", *config.time->courant)
            : prepared.plan.method->chooses_steps
                ? fmt::format("adaptive time steps with error tolerances rtol {:g} and atol {:g}",
                              config.time->rtol, config.time->atol)
                : fmt::format("{} of {:.6g}",
                              count_of(std::int64_t{last.first_step} + last.steps, "time step"), last.step);
    } else {
        what = fmt::format("{}, at most {}", prepared.plan.method->title,
                           count_of(config.solver.max_iterations, "iteration"));
        const char *before = ", along ";
        for (const int axis : directions_of(config)) {
            what += fmt::format("{}{}", std::exchange(before, ", "), name(static_cast<Axis>(axis)));
        }
    }
    const HostBytes host = host_bytes(prepared);
    options.json.add(of_case(config, {{"valid", true},
                                      {"cells", prepared.problem.grid.count()},
                                      {"excluded_cells", count_excluded(prepared.cells)},
                                      {"assumed", config.assumed},
                                      {"device_bytes", prepared.plan.least_bytes},
                                      {"host_bytes", host.peak},
                                      {"field_bytes", host.fields},
                                      {"device", prepared.selected.device->description().name}}),
                     -1);
    if (!options.json.alone() && !options.quiet) {
        print_output(
            "{}: valid: {} ({} solid or cut off), {}; would run on {} ({}) in {} of {}, with at least "
            "{} of device memory and about {} of host memory\n",
            label(config), count_of(prepared.problem.grid.count(), "cell"), count_excluded(prepared.cells),
            what, prepared.selected.device->description().name, prepared.selected.in_short,
            count_of(prepared.plan.shape.groups, "group"), count_of(prepared.plan.shape.group_size, "item"),
            readable_bytes(static_cast<double>(prepared.plan.least_bytes)),
            readable_bytes(static_cast<double>(host.peak)));
    }
    return ExitCode::success;
}

/// Preparing a case takes some milliseconds: of the very many members of a sweep, which are read one and all, some are prepared.
void thin_out(std::vector<BatchCase> &batch) {
    constexpr std::size_t most_prepared = 1000;
    const auto is_member = [](const BatchCase &one) { return one.is_good() && one.file->has_sweep(); };
    const auto members = static_cast<std::size_t>(std::count_if(batch.begin(), batch.end(), is_member));
    if (members <= most_prepared) {
        return;
    }
    const std::size_t distance = (members - 1) / most_prepared + 1;
    std::size_t number = 0;
    std::erase_if(batch, [&](const BatchCase &one) { return is_member(one) && number++ % distance != 0; });
    print_message(
        "the keys and values of all {} members were checked, and one member in {} was also prepared as for a "
        "run; --member I and --shard I/N prepare others\n",
        members, distance);
}

}  // namespace

ExitCode validate(CaseOptions &options) {
    std::vector<BatchCase> batch = load_batch(options);
    thin_out(batch);
    return for_each_case(options, batch, [&](const Config &config) { return validate_one(config, options); });
}

}  // namespace perdure::commands
