#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/backends/backend.hpp"
#include "solver/commands/commands.hpp"
#include "solver/run/plan_launch.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

struct Listed {
    std::string why_none;
    std::vector<std::unique_ptr<Device>> devices;
};

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
    json["refused"] = description.refused;
    json["notes"] = Json::array();
    if (description.refused.empty()) {
        const std::string failure = run_barrier_self_test(device);
        json["self_test"] = failure.empty() ? "passed" : failure;
        json["group_size"] = device.default_group_size();
        for (const char *const kernel : {"jacobi", "cg", "heat"}) {
            const int size =
                std::min(device.default_group_size(), device.largest_group_size(kernel, Precision::float64));
            json["resident_groups"][kernel] = device.resident_groups(kernel, Precision::float64, size);
        }
    }
    json["notes"] = description.notes;  // asking for resident groups may have added some
    return json;
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
    if (json.contains("self_test")) {
        const std::string result = json["self_test"];
        fmt::print(
            "     models persistent, launches; float32, float64; {} groups of {} at once (jacobi, float64); "
            "{}; {}\n",
            json["resident_groups"]["jacobi"].dump(), json["group_size"].dump(),
            json["shared_control"].get<bool>() ? "progress and stop during a launch"
                                               : "progress between launches",
            json["clock"].get<bool>() ? "device clock" : "no device clock");
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
