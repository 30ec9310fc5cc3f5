#include "solver/hdf5/probe.hpp"

#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "solver/failure.hpp"
#include "solver/hdf5/helper_process.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe_state.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::int64_t waiting_per_processor_second = 5;  // a slow disk is not a broken file

nlohmann::ordered_json answer_of(const HelperResult &result, const std::string &file) {
    if (result.signal == SIGINT || result.signal == SIGTERM) {
        throw Failure(ExitCode::stopped, fmt::format("stopped while reading '{}'", file));
    }
    if (result.timed_out || result.signal == SIGXCPU) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}' is damaged: the HDF5 library does not come to an end with it", file));
    }
    auto answer = nlohmann::ordered_json::parse(result.output, nullptr, false);
    if (result.signal || !answer.is_object()) {
        throw Failure(ExitCode::input_output,
                      fmt::format("'{}' is damaged: the HDF5 library crashed while reading it ({})", file,
                                  result.signal ? fmt::format("signal {}", *result.signal)
                                                : fmt::format("exit status {}", result.exit_status)));
    }
    return answer;
}

}  // namespace

nlohmann::ordered_json probe(const ProbeArguments &arguments) {
    if (!probe_main_was_called()) {
        throw Failure(ExitCode::differs_or_internal,
                      "main() has to call probe_main() before HDF5 files are read");
    }
    require_file(arguments.file);
    const std::chrono::seconds limit(waiting_per_processor_second * processor_seconds(arguments));
    const auto answer = answer_of(run_helper(arguments.words(), limit), arguments.file.string());
    if (answer.contains("failure")) {
        throw Failure(static_cast<ExitCode>(answer.at("code").get<int>()),
                      answer.at("failure").get<std::string>());
    }
    return answer.at("result");
}

}  // namespace perdure::hdf5
