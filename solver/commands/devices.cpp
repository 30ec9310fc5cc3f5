#include <cstdio>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/backends/backend.hpp"
#include "solver/commands/commands.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

struct Listed {
    std::string why_none;
    std::vector<std::unique_ptr<Device>> devices;
};

void describe_residency(Device &device, Json &json) {
    for (const char *const kernel : {"jacobi", "cg", "bicgstab", "chebyshev", "heat"}) {
        const int size =
            std::min(device.default_group_size(), device.largest_group_size(kernel, Precision::float64));
        json["resident_groups"][kernel] = device.resident_groups(kernel, Precision::float64, size);
    }
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
    for (const ExecutionModel model : execution_models) {
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
        if (failure.empty()) {
            describe_residency(device, json);
        }
    }
    json["notes"] = description.notes;  // asking for resident groups may have added some
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
        fmt::print("     not {}: {}\n", fmt::join(models, ", "), reason);
    }
}

void print_device(std::size_t index, const Json &json) {
    fmt::print("  {}: {}\n", index, json["name"].get<std::string>());
    fmt::print("     {}; {} compute units, {} memory\n", json["driver"].get<std::string>(),
               json["compute_units"].dump(), readable_bytes(json["memory_bytes"].get<double>()));
    for (const auto &reason : json["refused"]) {
        fmt::print("     cannot be used: {}\n", reason.get<std::string>());
    }
    for (const auto &note : json["notes"]) {
        fmt::print("     note: {}\n", note.get<std::string>());
    }
    if (json.contains("resident_groups")) {
        fmt::print("     models {}; float32, float64; {} groups of {} at once (jacobi, float64); {}; {}\n",
                   fmt::join(json["models"].get<std::vector<std::string>>(), ", "),
                   json["resident_groups"]["jacobi"].dump(), json["group_size"].dump(),
                   json["shared_control"].get<bool>() ? "progress and stop during a launch"
                                                      : "progress between launches",
                   json["clock"].get<bool>() ? "device clock" : "no device clock");
        print_missing_models(json);
    }
    if (json.contains("self_test")) {
        const std::string result = json["self_test"];
        fmt::print("     barrier self-test: {}\n", result == "passed" ? result : "FAILED: " + result);
    }
}

}  // namespace

ExitCode devices(bool json) {
    Listed cuda;
    Listed opencl;
    Listed host;
    cuda.devices = cuda_devices(cuda.why_none);
    opencl.devices = opencl_devices(opencl.why_none);
    host.devices = host_devices();
    Json all;
    all["version"] = version();
    all["built_with"] = built_with();
    for (const auto &[backend, listed] : {std::pair<const char *, Listed *>{"cuda", &cuda},
                                          std::pair<const char *, Listed *>{"opencl", &opencl},
                                          std::pair<const char *, Listed *>{"host", &host}}) {
        all["backends"][backend] = Json::array();
        if (!json) {
            fmt::print("{}{}\n", backend, listed->devices.empty() ? ": " + listed->why_none : "");
        }
        for (std::size_t i = 0; i < listed->devices.size(); ++i) {
            const Json description = describe_device(*listed->devices[i]);
            all["backends"][backend].push_back(description);
            if (!json) {
                print_device(i, description);
            }
        }
    }
    if (json) {
        fmt::print("{}\n", all.dump(2));
    } else {
        fmt::print("perdure {} ({}); backend: auto takes a CUDA GPU, then an OpenCL GPU, then host threads\n",
                   version(), built_with());
    }
    return ExitCode::success;
}

}  // namespace perdure::commands
