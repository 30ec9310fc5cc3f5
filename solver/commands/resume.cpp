#include "solver/commands/resume.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "solver/messages.hpp"
#include "solver/output/case_differences.hpp"
#include "solver/output/data_files.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/stored_results.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/time_spent.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

/// Keys that say nothing of the values, nor of what the series and the snapshots hold that are there already; inputs/README.md lists them.
constexpr std::array free_keys{
    "title",         "output.checkpoint", "output.compression",   "output.directory",  "output.name",
    "output.series", "execution.devices", "execution.time_limit", "execution.watchdog"};
/// What a run that ends in time needs from the request to stop until it has left its checkpoint.
constexpr double seconds_to_end = 1.0, slow_disk = 1.0e8, most_of_limit = 0.25;

bool is_free(const std::string &key) {
    return std::any_of(free_keys.begin(), free_keys.end(), [&](std::string_view free) {
        return key == free || (key.starts_with(free) && key[free.size()] == '.');
    });
}

/// Graphs are those of one device, and resident kernels keep what they have by groups.
void refuse_other_devices(const CheckpointPlan &plan, const Config &config) {
    const auto model = value_named<ExecutionModel>(plan.model);
    const bool by_phases = model == ExecutionModel::persistent || model == ExecutionModel::launches;
    if (config.execution.devices != plan.devices && !by_phases) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format(
                "execution.devices: the run began on {} device{} with execution.model: {}, which cannot go "
                "on "
                "with another number; set execution.devices: {} as before, or start again with --force",
                plan.devices, plan.devices == 1 ? "" : "s", plan.model, plan.devices));
    }
}

void refuse_other_case(const Checkpoint &checkpoint, const std::filesystem::path &file,
                       const Config &config) {
    std::vector<ValueDifference> refused = differences(checkpoint.case_as_read, through_json(config.as_read));
    const auto warned = std::stable_partition(refused.begin(), refused.end(),
                                              [](const ValueDifference &of) { return !is_free(of.key); });
    const std::vector<ValueDifference> free(warned, refused.end());
    refused.erase(warned, refused.end());
    if (!refused.empty()) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("the case has changed since the checkpoint '{}' was written: {}. Undo this "
                        "change, or start again with --force; a run can go on with other values of {} "
                        "alone",
                        file.string(), in_words(refused), fmt::join(free_keys, ", ")));
    }
    refuse_other_devices(checkpoint.plan, config);
    for (const ValueDifference &difference : free) {
        print_message("warning: {}: {} when the run began\n", config.path.string(), difference.text);
    }
    if (const std::string other = difference_of_data_files(checkpoint.data_files, config); !other.empty()) {
        throw Failure(ExitCode::bad_input,
                      fmt::format("the checkpoint '{}' belongs to a run with other data files, or the data "
                                  "files have changed since: {}; restore them, or start again with --force",
                                  file.string(), other));
    }
    if (checkpoint.version != version()) {
        print_message("warning: the run began with perdure {} and continues with perdure {}\n",
                      checkpoint.version, version());
    }
}

/// Without --resume and --force.
void refuse_to_lose(const std::vector<std::filesystem::path> &files) {
    if (!files.empty()) {
        throw Failure(
            ExitCode::input_output,
            fmt::format("'{}' is a checkpoint of a run that did not end; continue it with --resume, start "
                        "again with --force, or choose another output.directory or output.name",
                        files.front().string()));
    }
}

}  // namespace

std::shared_ptr<const Checkpoint> find_resumable(const Config &config, const CaseOptions &options,
                                                 bool of_batch, EarlierRun &earlier) {
    if (!options.resume) {
        if (!of_batch && !options.force) {
            refuse_to_lose(find_checkpoints(config));
        }
        return nullptr;
    }
    const std::vector<std::filesystem::path> files = find_checkpoints(config);
    if (find_stored_results(config).finished.empty()) {
        earlier = EarlierRun();
        earlier.state = EarlierRun::State::unfinished;
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        try {
            auto checkpoint = std::make_shared<Checkpoint>(read_checkpoint_file(files[i]));
            refuse_other_case(*checkpoint, files[i], config);
            print_message("{}: continues after step {}, t = {:.6g}{}\n", config.path.string(),
                          checkpoint->step, checkpoint->time, unit_in_words(config.units.time));
            return checkpoint;
        } catch (const Failure &failure) {
            if (failure.code() != ExitCode::bad_input || i + 1 == files.size()) {
                throw;
            }
            print_message("warning: {}\n", failure.what());
        }
    }
    print_message("{}: no checkpoint was found; the run begins at the start\n", config.path.string());
    return nullptr;
}

Config planned_as(const Checkpoint &checkpoint, Config config) {
    const CheckpointPlan &plan = checkpoint.plan;
    ExecutionConfig &execution = config.execution;
    execution.backend = value_named<BackendChoice>(plan.backend).value_or(execution.backend);
    execution.model = value_named<ExecutionModel>(plan.model).value_or(execution.model);
    if (execution.devices == plan.devices) {  // else groups and barrier are those of the devices at hand
        if (is_one_launch(execution.model)) {
            execution.barrier = value_named<BarrierChoice>(plan.barrier).value_or(execution.barrier);
        }
        execution.groups = static_cast<int>(plan.groups);
    }
    execution.group_size = static_cast<int>(plan.group_size);
    return config;
}

void go_on_from(std::shared_ptr<const Checkpoint> checkpoint, PreparedCase &prepared) {
    if (checkpoint == nullptr) {
        return;
    }
    const std::string &device = prepared.selected.device->description().name;
    if (device != checkpoint->plan.device) {
        print_message("warning: the run began on {} and continues on {}\n", checkpoint->plan.device, device);
    }
    prepared.plan.ring_slots = static_cast<std::uint32_t>(checkpoint->plan.ring_slots);
    prepared.model_choice = checkpoint->plan.model_choice;
    prepared.resumption.from = std::move(checkpoint);
}

void leave_checkpoints(const Config &config, RunOutput &output, PreparedCase &prepared) {
    if (!config.output.checkpoint && !config.execution.time_limit) {
        return;
    }
    prepared.resumption.save = [&config, &output](Checkpoint checkpoint) {
        checkpoint.version = version();
        checkpoint.case_as_read = through_json(config.as_read);
        checkpoint.data_files = config.data_files_read.value_or("");
        output.save(std::move(checkpoint));
    };
    if (config.execution.time_limit) {
        const double left = *config.execution.time_limit - TimeSpent::now().total();
        const double to_write = seconds_to_end + static_cast<double>(prepared.plan.least_bytes) / slow_disk;
        const std::chrono::duration<double> seconds(
            left - std::min(to_write, most_of_limit * *config.execution.time_limit));
        prepared.resumption.stop_at =
            std::chrono::steady_clock::now() +
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(seconds);
    }
}

}  // namespace perdure::commands
