#include <fmt/format.h>

#include <future>
#include <new>
#include <system_error>

#include "solver/backends/host/host_memory.hpp"
#include "solver/problem/problem_findings.hpp"
#include "solver/run/accuracy_estimate.hpp"
#include "solver/run/choose_barrier.hpp"
#include "solver/run/discretise.hpp"
#include "solver/run/ensemble.hpp"
#include "solver/run/factors_in_time.hpp"
#include "solver/run/first_rates.hpp"
#include "solver/run/plan_ranks.hpp"
#include "solver/run/run_case.hpp"
#include "solver/run/stable_system_step.hpp"
#include "solver/run/warn_of_oscillations.hpp"

namespace perdure {
namespace {

/// A case that cannot run is still read to its end for what else is wrong with it, unless that takes long.
constexpr std::int64_t most_cells_to_sample_in_vain = 1 << 24;
/// Whether the case is sampled while its device opens, which may turn out to be in vain: there is no device, or it has too little memory.
bool is_sampled_meanwhile(std::int64_t cells) {
    constexpr std::int64_t most_cells = 1 << 28;
    constexpr double arrays = 4.0;  // that a case gives: mostly fewer
    constexpr double part_of_memory = 0.25;
    return cells <= most_cells && arrays * sizeof(double) * static_cast<double>(cells) <
                                      part_of_memory * static_cast<double>(host::available_memory());
}

/// True when `action` succeeded; its failure goes to the findings, at its own places or at `position`.
bool attempt(ProblemFindings &findings, const TextPosition &position, const std::string &section,
             const std::function<void()> &action) {
    try {
        action();
        return true;
    } catch (const Failure &failure) {
        if (failure.diagnostics().empty()) {
            findings.add(failure, position, section);
        }
        for (const Diagnostic &diagnostic : failure.diagnostics()) {
            if (diagnostic.severity == Diagnostic::Severity::warning) {
                findings.warn(diagnostic.position, diagnostic.message);
            } else {
                findings.add(failure.code(), diagnostic.position, diagnostic.message);
            }
        }
        return false;
    }
}

/// The device of a case of so many cells, opened by a thread of its own. Not where there is nothing to open, where the case is sampled
/// behind that, and where no thread can be had.
std::future<SelectedDevice> open_meanwhile(const ExecutionConfig &execution, std::int64_t cells,
                                           OpenDevices &devices) {
    if (!devices.must_open_cuda(execution) || !is_sampled_meanwhile(cells)) {
        return {};
    }
    try {
        return std::async(std::launch::async, [&] {
            const TimeSpent::Scope opening(Activity::start);
            return devices.select(execution);
        });
    } catch (const std::system_error &) {
        return {};
    }
}

/// Makes the problem of a case now and gives its failure later, where it belongs among those of the whole case.
std::future<Problem> make_now(const Config &config, std::vector<ActiveCells> &cells) {
    std::packaged_task<Problem()> task(
        [&] { return make_problem(config, cells, cells_of_initial_values(config)); });
    task();
    return task.get_future();
}

/// The case runs on a part of the device, with buffers of its own.
void join_ensemble(std::shared_ptr<Ensemble> ensemble, PreparedCase &prepared) {
    prepared.selected.device = ensemble->part();
    prepared.config.execution.model = ExecutionModel::persistent;
    prepared.kept = std::make_shared<KeptBuffers>();
    prepared.ensemble = std::move(ensemble);
}

}  // namespace

PreparedCase prepare_case(Config config, OpenDevices &devices, const std::function<void()> &check_first,
                          std::size_t cases) {
    PreparedCase prepared;
    prepared.config = std::move(config);
    const Config &of = prepared.config;
    ProblemFindings findings(of);
    attempt(findings, of.output.position, "output", check_first);
    const std::int64_t cells = of.grid.cells[0] * of.grid.cells[1] * of.grid.cells[2];
    std::future<SelectedDevice> device = open_meanwhile(of.execution, cells, devices);
    std::future<Problem> problem;
    if (device.valid()) {
        problem = make_now(of, prepared.cells);
    }
    const bool planned = attempt(findings, of.execution.position, "execution", [&] {
        {
            const TimeSpent::Scope opening(Activity::start);
            prepared.selected = device.valid() ? device.get() : devices.select(of.execution);
            prepared.kept = devices.kept();
        }
        const TimeSpent::Scope planning(Activity::plan);
        if (const auto plan = plan_ensemble(of, *prepared.selected.device, cases)) {
            join_ensemble(devices.ensemble(prepared.selected.device, *plan), prepared);
        }
        prepared.plan = plan_launch(of, *prepared.selected.device);
        if (!prepared.ensemble) {
            choose_barrier(of, *prepared.selected.device, prepared.plan);
        }
    });
    if (problem.valid() || planned || cells <= most_cells_to_sample_in_vain) {
        bool made = false;
        attempt(findings, {}, "", [&] {
            try {
                prepared.problem = problem.valid()
                                       ? problem.get()
                                       : make_problem(of, prepared.cells, cells_of_initial_values(of));
                made = true;
            } catch (const std::bad_alloc &) {
                if (planned) {
                    throw;
                }  // the device says why
            }
        });
        if (made && of.system) {
            const TimeSpent::Scope planning(Activity::plan);
            check_first_rates(of, prepared.problem, findings);
            prepared.problem.stable_time_step = stable_system_step(of, prepared.problem, findings);
            prepared.longest_automatic_step = longest_automatic_step(of, prepared.problem);
        }
    }
    findings.throw_if_any();
    prepared.problem.warnings.insert(prepared.problem.warnings.end(), findings.warnings().begin(),
                                     findings.warnings().end());
    if (const std::string warning = warn_of_rounding(of, prepared.problem, prepared.cells);
        !warning.empty()) {
        prepared.problem.warnings.push_back(
            findings.make(Diagnostic::Severity::warning, of.solver.position, warning));
    }
    if (const std::string warning = warn_of_oscillations(of, prepared.problem, prepared.cells);
        !warning.empty()) {
        prepared.problem.warnings.push_back(
            findings.make(Diagnostic::Severity::warning, of.time->step_position, warning));
    }
    if (of.execution.model != ExecutionModel::persistent && of.execution.model != ExecutionModel::automatic &&
        of.execution.barrier != BarrierChoice::automatic) {
        prepared.problem.warnings.push_back(
            findings.make(Diagnostic::Severity::warning, of.execution.barrier_position,
                          fmt::format("execution.barrier: {} is not used, because execution.model: {} has no "
                                      "grid barrier; only persistent has one",
                                      name(of.execution.barrier), name(of.execution.model))));
    }
    return prepared;
}

PreparedCase prepare_case(Config config, const std::function<void()> &check_first) {
    OpenDevices devices;
    return prepare_case(std::move(config), devices, check_first);
}

std::vector<ActiveCells> known_cells(const PreparedCase &prepared) {
    return prepared.cells.empty() ? find_active_cells(prepared.problem) : prepared.cells;
}

std::vector<TimeSegment> time_segments(const PreparedCase &prepared) {
    if (!prepared.plan.method->in_time) {
        return {};
    }
    const double step =
        choose_time_step(prepared.config,
                         stable_time_steps(discretise<double>(prepared.problem, prepared.cells, false, 0.0,
                                                              OperatorStorage::in_parts)),
                         prepared.longest_automatic_step);
    const std::vector<TimeSegment> segments = time_segments(prepared.config, step);
    check_time_factors(prepared.config, segments);
    return segments;
}

}  // namespace perdure
