#include "solver/commands/lead_ranks.hpp"

#include <exception>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/case_file/case_file.hpp"
#include "solver/commands/resume.hpp"
#include "solver/enum_names.hpp"
#include "solver/messages.hpp"
#include "solver/output/data_files.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/open_devices.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

/// What another rank needs to know of a case, and must find the same.
std::string describe(const PreparedCase &prepared) {
    const Config &config = prepared.config;
    return Json{
        {"version", version()},
        {"case", through_json(config.as_read)},
        {"path", config.path.string()},
        {"directory", config.output.directory.string()},
        {"model", name(config.execution.model)},
        {"saves", static_cast<bool>(prepared.resumption.save)},
        {"continues_after", prepared.resumption.from ? std::int64_t{prepared.resumption.from->step} : -1},
        {"data_files", config.data_files_read.value_or("")}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

void expect_same_program(const Json &told) {
    if (told.at("version") != version()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("this is perdure {}, but rank 0 runs {}; install one version on all hosts",
                                  version(), told.at("version").get<std::string>()));
    }
}

Config config_as_told(const Json &told) {
    Config config =
        load_cases_of_text(told.at("case").get<std::string>(), told.at("path").get<std::string>(), {})
            .front();
    config.output.directory = told.at("directory").get<std::string>();
    config.execution.model =
        value_named<ExecutionModel>(told.at("model").get<std::string>()).value_or(config.execution.model);
    if (!are_same_data_files(told.at("data_files").get<std::string>(), config)) {
        throw Failure(ExitCode::bad_input,
                      "the data files of the case are not those that rank 0 reads; put them where all hosts "
                      "see the same files");
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

void run_as_told(const Json &told, OpenDevices &devices) {
    expect_same_program(told);
    const Config config = config_as_told(told);
    const auto from = checkpoint_as_told(told, config);
    PreparedCase prepared = prepare_case(
        from ? planned_as(*from, config) : config, devices, [] {}, 1);
    go_on_from(from, prepared);
    if (told.at("saves").get<bool>()) {
        prepared.resumption.save = [](const Checkpoint &) {};  // rank 0 has all that belongs into it
    }
    run_prepared(prepared, Progress::Style::quiet, {[](const Solution &) {}, {}});
}

}  // namespace

void choose_model_of_ranks(Config &config) {
    if (ranks() != nullptr && config.execution.model == ExecutionModel::automatic) {
        config.execution.model = ExecutionModel::persistent;
    }
}

Solution run_with_ranks(PreparedCase &prepared, Progress::Style style, const ResultSink &sink) {
    if (ranks() == nullptr) {
        return run_prepared(prepared, style, sink);
    }
    std::string told = describe(prepared);
    ranks()->broadcast(told);
    Solution last;
    try {
        last = run_prepared(prepared, style, sink);
    } catch (const Failure &failure) {
        ranks()->give_up(static_cast<int>(failure.code()), failure.what());
    } catch (const std::exception &error) {
        ranks()->give_up(static_cast<int>(ExitCode::differs_or_internal), error.what());
    }
    return last;
}

void dismiss_ranks() {
    if (ranks() != nullptr) {
        std::string nothing;
        ranks()->broadcast(nothing);
        ranks()->leave();
    }
}

ExitCode follow_rank_0() {
    print_nothing();
    OpenDevices devices;
    for (;;) {
        std::string told;
        ranks()->broadcast(told);
        if (told.empty()) {
            ranks()->leave();
            return ExitCode::success;
        }
        try {
            run_as_told(Json::parse(told), devices);
        } catch (const Failure &failure) {
            ranks()->give_up(static_cast<int>(failure.code()), failure.what());
        } catch (const std::exception &error) {
            ranks()->give_up(static_cast<int>(ExitCode::differs_or_internal), error.what());
        }
    }
}

}  // namespace perdure::commands
