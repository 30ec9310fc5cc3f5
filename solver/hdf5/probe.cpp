#include "solver/hdf5/probe.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <tuple>

#include "solver/failure.hpp"
#include "solver/hdf5/file_in_use.hpp"
#include "solver/hdf5/helper_process.hpp"
#include "solver/hdf5/open_dataset.hpp"
#include "solver/hdf5/probe_state.hpp"

namespace perdure::hdf5 {
namespace {

/// What a file was when it was probed, and for what.
using Question = std::tuple<std::vector<std::string>, dev_t, ino_t, off_t, std::int64_t>;

/// The answers that this process has had: the members of a sweep read the same data, and --force looks at an earlier result before
/// the run and after it.
class Answers {
  public:
    std::optional<nlohmann::ordered_json> find(const Question &question) {
        const std::lock_guard hold(lock_);
        const auto entry = known_.find(question);
        return entry == known_.end() ? std::nullopt : std::optional(entry->second);
    }
    void keep(const Question &question, const nlohmann::ordered_json &answer) {
        const std::lock_guard hold(lock_);
        known_[question] = answer;
    }

  private:
    std::mutex lock_;
    std::map<Question, nlohmann::ordered_json> known_;
};

Question question_of(const ProbeArguments &arguments) {
    struct stat status {};
    if (stat(arguments.file.c_str(), &status) != 0) {
        throw Failure(ExitCode::input_output, fmt::format("cannot examine '{}': {}", arguments.file.string(),
                                                          std::generic_category().message(errno)));
    }
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    return {arguments.words(), status.st_dev, status.st_ino, status.st_size,
            status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec};
}

nlohmann::ordered_json failure_answer(const std::string &message) {
    return {{"failure", message}, {"code", static_cast<int>(ExitCode::input_output)}};
}

nlohmann::ordered_json ask_helper(const ProbeArguments &arguments) {
    const std::int64_t waiting = waiting_seconds(arguments);
    const HelperResult result = run_helper(arguments.words(), std::chrono::seconds(waiting));
    const std::string file = arguments.file.string();
    if (result.stopped || result.signal == SIGINT || result.signal == SIGTERM) {
        throw Failure(ExitCode::stopped, fmt::format("stopped while reading '{}'", file));
    }
    if (result.timed_out) {
        return failure_answer(
            fmt::format("reading '{}' took more than {} s, almost without using the processor: the file "
                        "system is slow or does not respond; copy the file to a local disk",
                        file, waiting));
    }
    if (result.signal == SIGXCPU) {
        return failure_answer(fmt::format(
            "'{}' is damaged: the HDF5 library had not finished after {} s of processor time, ten times what "
            "an intact file of this size needs; create the file again, or copy what h5dump can read from it",
            file, processor_seconds(arguments)));
    }
    auto answer = nlohmann::ordered_json::parse(result.output, nullptr, false);
    if (result.signal || !answer.is_object()) {
        return failure_answer(fmt::format("'{}' is damaged: the HDF5 library crashed while reading it ({})",
                                          file,
                                          result.signal ? fmt::format("signal {}", *result.signal)
                                                        : fmt::format("exit status {}", result.exit_status)));
    }
    return answer;
}

/// Whether the answer is that of an unchanged file for certain. What a file says of its origin is asked again while someone writes it.
bool may_be_known(const ProbeArguments &arguments) {
    return arguments.is_of_values() || arguments.request == ProbeRequest::shape ||
           (arguments.request == ProbeRequest::origin && writer_of(arguments.file).empty());
}

/// That a file is in use is not kept: the next case may find it free.
nlohmann::ordered_json ask_once(const ProbeArguments &arguments) {
    static Answers answers;
    const Question question = question_of(arguments);
    const bool is_kept = may_be_known(arguments);
    if (auto known = is_kept ? answers.find(question) : std::nullopt) {
        return *known;
    }
    auto answer = ask_helper(arguments);
    if (is_kept && !answer.value("in_use", false)) {
        answers.keep(question, answer);
    }
    return answer;
}

}  // namespace

nlohmann::ordered_json probe(const ProbeArguments &arguments) {
    if (!probe_main_was_called()) {
        throw Failure(ExitCode::differs_or_internal,
                      "internal error: main() must call probe_main() before HDF5 files are read");
    }
    require_file(arguments.file);
    const auto answer = ask_once(arguments);
    if (answer.value("in_use", false)) {
        throw InUse(answer.at("failure").get<std::string>());
    }
    if (answer.contains("failure")) {
        throw Failure(static_cast<ExitCode>(answer.at("code").get<int>()),
                      answer.at("failure").get<std::string>());
    }
    return answer.at("result");
}

}  // namespace perdure::hdf5
