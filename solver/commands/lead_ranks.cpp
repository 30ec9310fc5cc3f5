#include "solver/commands/lead_ranks.hpp"

#include <csignal>
#include <exception>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/case_file/case_file.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/resume.hpp"
#include "solver/commands/until_the_launch.hpp"
#include "solver/enum_names.hpp"
#include "solver/messages.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/json_text.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/run/open_devices.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

/// What all ranks must have planned alike.
std::string describe_plan(const PreparedCase &prepared) {
    const LaunchPlan &plan = prepared.plan;
    return fmt::format("{}, {}, {}, {} chunks, {} cells away",
                       name(prepared.selected.device->description().backend), plan.launched, name(plan.model),
                       plan.chunks, plan.reach);
}

/// Which of the functions of CaseSolves all ranks call.
enum class Solves { run, each };

/// What another rank needs to know of a case, and must find the same.
Json describe(const Config &config) {
    return {{"version", version()},
            {"case", through_json(config.as_read)},
            {"path", config.path.string()},
            {"directory", config.output.directory.string()},
            {"model", name(config.execution.model)},
            {"data_files", config.data_files_read ? *config.data_files_read : describe_data_files(config)}};
}

/// The same of one that is ready to run.
Json describe(const PreparedCase &prepared, Solves solves) {
    Json told = describe(prepared.config);
    told["one_by_one"] = solves == Solves::each;
    told["plan"] = describe_plan(prepared);
    told["saves"] = static_cast<bool>(prepared.resumption.save);
    told["continues_after"] =
        prepared.resumption.from ? std::int64_t{prepared.resumption.from->step} : std::int64_t{-1};
    return told;
}

void tell(const Json &told) {
    std::string text = told.dump(-1, ' ', false, Json::error_handler_t::replace);
    ranks()->broadcast(text);
}

Config config_as_told(const Json &told) {
    if (told.at("version") != version()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("this is perdure {}, but rank 0 runs {}; install one version on all hosts",
                                  version(), told.at("version").get<std::string>()));
    }
    Config config =
        load_cases_of_text(told.at("case").get<std::string>(), told.at("path").get<std::string>(), {})
            .front();
    config.output.directory = told.at("directory").get<std::string>();
    config.execution.model =
        value_named<ExecutionModel>(told.at("model").get<std::string>()).value_or(config.execution.model);
    if (const std::string other = difference_of_data_files(told.at("data_files").get<std::string>(), config);
        !other.empty()) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("the data files of the case are not those that rank 0 reads: {}; put them "
                                  "where all hosts see the same files",
                                  other));
    }
    return config;
}

/// The checkpoint that rank 0 continues from; null where the run begins.
std::shared_ptr<const Checkpoint> checkpoint_as_told(const Json &told, const Config &config) {
    const auto step = told.at("continues_after").get<std::int64_t>();
    if (step < 0) {
        return nullptr;
    }
    for (const std::filesystem::path &file : find_checkpoints(config)) {
        auto checkpoint = std::make_shared<Checkpoint>(read_checkpoint_file(file));
        if (checkpoint->step == step) {
            return checkpoint;
        }
    }
    throw Failure(ExitCode::bad_input,
                  fmt::format("there is no checkpoint of step {}, from which rank 0 continues; put results "
                              "where all hosts see the same files",
                              step));
}

void run_as_told(const Json &told, OpenDevices &devices, UntilTheLaunch &until) {
    const Config config = config_as_told(told);
    const auto from = checkpoint_as_told(told, config);
    PreparedCase prepared = prepare_case(
        from ? planned_as(*from, config) : config, devices, [] {}, 1);
    if (describe_plan(prepared) != told.at("plan")) {
        throw Failure(ExitCode::device,
                      fmt::format("the case is planned as '{}' here, but as '{}' by rank 0",
                                  describe_plan(prepared), told.at("plan").get<std::string>()));
    }
    prepared.kept->give_back();
    go_on_from(from, prepared);
    if (told.at("saves").get<bool>()) {
        prepared.resumption.save = [](const Checkpoint &) {};  // rank 0 writes it
    }
    until.agree_before_launch(prepared);
    if (told.at("one_by_one").get<bool>()) {
        prepared.config.output.fields.reset();  // as verify has them
        solves_of(config).each(prepared, [&](const std::string & /*direction*/) {
            run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
        });
    } else {
        prepared.keeps_unwritten = false;  // as rank 0 runs it: ranks read fields together
        run_prepared(prepared, Progress::Style::quiet, {[](const Solution &) {}, {}});
    }
}

/// From now on it is of no use to be asked to stop; a launcher does, as soon as another process ends with a code that is not 0.
void leave_ranks() {
    (void)std::signal(SIGTERM, SIG_IGN);
    ranks()->leave();
}

/// Rank 0: what `solve` returns, which makes all solves of the case, while the other ranks make them, too. `before_end`: what it does
/// before all processes end.
template <class Solve>
auto lead(PreparedCase &prepared, Solves solves, const std::function<void()> &before_end,
          const Solve &solve) {
    if (ranks() == nullptr) {
        return solve();
    }
    tell(describe(prepared, solves));
    prepared.kept->give_back();  // so do the others: all allocate alike
    UntilTheLaunch until;
    until.agree_before_launch(prepared);
    try {
        auto found = solve();
        until.agree_without_launch();
        return found;
    } catch (const UntilTheLaunch::Stopped &) {
        ranks()->leave();  // never comes back: the rank that failed says why, and ends all
        throw;
    } catch (const Failure &failure) {
        if (until.is_over()) {
            before_end();
        }
        until.fail(failure.code(), failure.what());
        throw;
    } catch (const std::exception &error) {
        until.fail(ExitCode::differs_or_internal, error.what());
        throw;
    }
}

/// Behind the last case: the other ranks end, with the same exit code.
void dismiss_ranks(ExitCode code) {
    if (ranks() != nullptr) {
        tell({{"ends_with", static_cast<int>(code)}});
        leave_ranks();
    }
}

/// Of another rank, as rank 0 does it, which also says what failed.
void work_as_told(const Json &told, const WorkOnCase &work) {
    try {
        Config config;
        in_all_ranks([&] { config = config_as_told(told); });
        work(config, told.at("more").get<std::string>());
    } catch (const Failure &) {
    } catch (const std::exception &error) {
        ranks()->give_up(static_cast<int>(ExitCode::differs_or_internal), error.what());
    }
}

/// Of another rank: runs what rank 0 runs until that dismisses it.
ExitCode follow_rank_0(const WorkOnCase &work) {
    print_nothing();
    const InterruptGuard guard(false);
    OpenDevices devices;
    for (;;) {
        std::string text;
        ranks()->broadcast(text);
        const Json told = Json::parse(text);
        if (told.contains("ends_with")) {
            leave_ranks();
            return static_cast<ExitCode>(told.at("ends_with").get<int>());
        }
        if (told.contains("more")) {
            work_as_told(told, work);
            continue;
        }
        UntilTheLaunch until;
        try {
            run_as_told(told, devices, until);
            until.agree_without_launch();
        } catch (const UntilTheLaunch::Stopped &) {  // rank 0 says why
        } catch (const Failure &failure) {
            until.fail(failure.code(), failure.what());
        } catch (const std::exception &error) {
            until.fail(ExitCode::differs_or_internal, error.what());
        }
    }
}

}  // namespace

void choose_model_of_ranks(Config &config) {
    if (ranks() != nullptr && config.execution.model == ExecutionModel::automatic) {
        config.execution.model = ExecutionModel::persistent;
    }
}

Solution run_with_ranks(PreparedCase &prepared, Progress::Style style, const ResultSink &sink,
                        const std::function<void()> &before_end) {
    return lead(prepared, Solves::run, before_end, [&] { return run_prepared(prepared, style, sink); });
}

std::string each_with_ranks(PreparedCase &prepared, const SolveVisitor &visit) {
    return lead(
        prepared, Solves::each, [] {}, [&] { return solves_of(prepared.config).each(prepared, visit); });
}

void work_with_ranks(const Config &config, const std::string &more, const WorkOnCase &work) {
    if (ranks() != nullptr) {
        Json told = describe(config);
        told["more"] = more;
        tell(told);
        in_all_ranks([] {});  // have read the case
    }
    work(config, more);
}

ExitCode by_all_ranks(const std::function<ExitCode()> &lead, const WorkOnCase &work) {
    join_ranks();
    if (ranks() != nullptr && ranks()->index() > 0) {
        return follow_rank_0(work);
    }
    try {
        const ExitCode code = lead();
        dismiss_ranks(code);
        return code;
    } catch (const Failure &failure) {
        if (ranks() == nullptr) {
            throw;
        }
        JsonOutput none;
        const ExitCode code =
            report_failure(failure, none);  // first: a launcher forwards little once a rank has ended
        dismiss_ranks(code);
        return code;
    } catch (...) {
        dismiss_ranks(ExitCode::differs_or_internal);
        throw;
    }
}

}  // namespace perdure::commands
