#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/backends/backend.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/words.hpp"
#include "solver/messages.hpp"
#include "solver/output/wrap_text.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/run/readable_bytes.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

struct Listed {
    std::string why_none;
    std::vector<std::unique_ptr<Device>> devices;
};

Listed list(BackendChoice backend) {
    Listed listed;
    listed.devices = backend == BackendChoice::cuda     ? cuda_devices(listed.why_none)
                     : backend == BackendChoice::opencl ? opencl_devices(listed.why_none)
                                                        : host_devices();
    return listed;
}

Json describe_device(Device &device) {
    const DeviceDescription &description = device.description();
    Json json;
    json["name"] = description.name;
    json["driver"] = description.driver;
    json["gpu"] = description.gpu;
    json["memory_bytes"] = description.memory_bytes;
    json["free_bytes"] = description.free_bytes;
    json["compute_units"] = description.compute_units;
    json["shared_control"] = description.shared_control;
    json["clock"] = description.clock;
    json["time_limited"] = description.time_limited;
    json["models"] = models_of(description);
    for (const ExecutionModel model : all_models) {
        if (const std::string missing = model_missing(description, model); !missing.empty()) {
            json["models_missing"][name(model)] = missing;
        }
    }
    json["refused"] = description.refused;
    json["notes"] = Json::array();
    if (description.refused.empty()) {
        const std::string failure = run_barrier_self_test(device);
        json["self_test"] = failure.empty() ? "passed" : failure;
        json["group_size"] = device.default_group_size();
    }
    json["notes"] = description.notes;  // the self-test may have added some
    return json;
}

/// Models that lack for one reason in one line.
void print_missing_models(const Json &json) {
    std::map<std::string, std::vector<std::string>> by_reason;
    const Json missing = json.value("models_missing", Json::object());
    for (const auto &[model, reason] : missing.items()) {
        by_reason[reason.get<std::string>()].push_back(model);
    }
    for (const auto &[reason, models] : by_reason) {
        print_output("{}",
                     wrap_text(fmt::format("cannot run {}: {}", fmt::join(models, ", "), reason), 5, 2));
    }
}

void print_device(std::size_t index, const Json &json) {
    const auto print_line = [](const std::string &text) { print_output("{}", wrap_text(text, 5, 2)); };
    print_output("{}", wrap_text(fmt::format("{}: {}", index, json["name"].get<std::string>()), 2, 3));
    print_line(fmt::format("{}; {} compute units, {} memory", json["driver"].get<std::string>(),
                           json["compute_units"].dump(), readable_bytes(json["memory_bytes"].get<double>())));
    for (const auto &reason : json["refused"]) {
        print_line("cannot be used: " + reason.get<std::string>());
    }
    for (const auto &note : json["notes"]) {
        print_line("note: " + note.get<std::string>());
    }
    if (json.contains("group_size")) {
        print_line(fmt::format(
            "models {}; float32, float64; groups of {} items; {}; {}",
            fmt::join(json["models"].get<std::vector<std::string>>(), ", "), json["group_size"].dump(),
            json["shared_control"].get<bool>() ? "can report progress and stop during a launch"
                                               : "can report progress and stop between launches only",
            json["clock"].get<bool>() ? "device clock" : "has no device clock"));
        print_missing_models(json);
    }
    if (json.contains("self_test")) {
        const std::string result = json["self_test"];
        print_line("barrier self-test: " + (result == "passed" ? result : "FAILED: " + result));
    }
}

}  // namespace

ExitCode devices(DevicesOptions &options) {
    const BackendChoice chosen = backend_of(options.backend);
    options.json.check();
    const bool print = !options.json.alone();
    Json all;
    all["version"] = version();
    all["built_with"] = built_with();
    for (const BackendChoice backend : {BackendChoice::cuda, BackendChoice::opencl, BackendChoice::host}) {
        if (chosen != BackendChoice::automatic && chosen != backend) {
            continue;
        }
        const Listed listed = list(backend);
        all["backends"][name(backend)] = Json::array();
        if (print) {
            print_output("{}{}\n", name(backend), listed.devices.empty() ? ": " + listed.why_none : "");
        }
        for (std::size_t i = 0; i < listed.devices.size(); ++i) {
            const Json description = describe_device(*listed.devices[i]);
            all["backends"][name(backend)].push_back(description);
            if (print) {
                print_device(i, description);
            }
        }
    }
    if (chosen == BackendChoice::automatic || chosen == BackendChoice::cuda) {
        const std::string missing = why_no_nvshmem();
        all["nvshmem"] = missing;
        if (print) {
            print_output("{}",
                         wrap_text(fmt::format("NVSHMEM, between GPUs of processes: {}",
                                               missing.empty() ? "can be used" : "not there: " + missing),
                                   0, 2));
        }
    }
    if (print) {
        print_output(
            "perdure {} ({}); backend: auto chooses a CUDA GPU, else an OpenCL GPU, else host threads\n",
            version(), built_with());
    }
    options.json.add(all);
    options.json.write();
    return ExitCode::success;
}

}  // namespace perdure::commands
