#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/commands/commands.hpp"
#include "solver/commands/made_ahead.hpp"
#include "solver/messages.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/time_spent.hpp"

namespace perdure::commands {

namespace {

/// Once for the members of a sweep that leave out the same.
void say_assumptions(const Config &config, const CaseOptions &options, std::set<std::string> &said) {
    if (options.quiet || config.assumed.empty()) {
        return;
    }
    const std::string text =
        fmt::format("{}: assumed: {}\n", config.path.string(), fmt::join(config.assumed, "; "));
    if (said.insert(text).second) {
        print_message("{}", text);
    }
}

using Json = nlohmann::ordered_json;

void add_failure(const Failure &failure, JsonOutput &json, Json entry) {
    entry["exit_code"] = static_cast<int>(failure.code());
    entry["error"] = failure.what();
    json.add(entry, -1);
}

/// The failures of a batch: one that many members share, as of a damaged file that all of them read, is printed once.
class Failures {
  public:
    explicit Failures(JsonOutput &json) : json_(json) {}

    ExitCode report(const Failure &failure, const Json &subject) {
        const bool is_new = ++times_[failure.what()] == 1;
        return is_new ? report_failure(failure, json_, subject) : report_again(failure, subject);
    }

    /// How many other cases had the failures that were printed once.
    void say_repeated() const {
        for (const auto &[message, times] : times_) {
            if (times > 1) {
                print_message("{} other case{} ended with the same error: {}\n", times - 1,
                              times > 2 ? "s" : "", message.substr(0, message.find('\n')));
            }
        }
    }

  private:
    ExitCode report_again(const Failure &failure, const Json &subject) {
        add_failure(failure, json_, subject);
        return failure.code();
    }

    JsonOutput &json_;
    std::map<std::string, int> times_;
};

}  // namespace

ExitCode report_failure(const Failure &failure, JsonOutput &json, const Json &subject) {
    add_failure(failure, json, subject);
    const bool positioned = !failure.diagnostics().empty();
    print_message("{}{}\n", positioned ? "" : "error: ", failure.what());
    return failure.code();
}

nlohmann::ordered_json of_case(const Config &config, const nlohmann::ordered_json &report) {
    if (report.is_array()) {
        Json list = Json::array();
        for (const Json &one : report) {
            list.push_back(of_case(config, one));
        }
        return list;
    }
    Json json = subject_of(config);
    json.update(report);
    return json;
}

ExitCode for_each_case(CaseOptions &options, std::vector<BatchCase> &batch,
                       const std::function<ExitCode(const Config &)> &one,
                       const std::function<void(const BatchCase &, const Config *, const Failure &)> &failed,
                       const std::function<ExitCode(ExitCode)> &last,
                       const std::function<void(const Config &)> &ahead) {
    options.json.check();
    if (batch.size() > 1) {
        options.json.one_line_each();
    }
    ExitCode worst = ExitCode::success;
    std::set<std::string> said;
    Failures failures(options.json);
    MadeAhead<std::unique_ptr<const Config>> configs(batch.size(), [&](std::size_t i) {
        auto config = std::make_unique<const Config>(load(batch[i], options));
        ahead(*config);
        return config;
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
        ExitCode code = ExitCode::success;
        std::unique_ptr<const Config> config;
        try {
            config = configs.take();
            say_assumptions(*config, options, said);
            for (const Diagnostic &warning : config->warnings) {
                print_message("{}\n", to_text(warning));
            }
            code = one(*config);
        } catch (const Failure &failure) {
            if (failed) {
                failed(batch[i], config.get(), failure);
            }
            code = failures.report(failure,
                                   config ? subject_of(*config) : Json{{"case", batch[i].path.string()}});
        }
        const bool is_out_of_time = options.time_limit && TimeSpent::now().total() > *options.time_limit;
        if (i + 1 < batch.size() && (interrupted() || is_out_of_time)) {  // also between two cases
            code = ExitCode::stopped;
        }
        worst = std::max(worst, code);
        if (code == ExitCode::stopped) {
            if (i + 1 < batch.size()) {
                print_message("stopped: {} of {} cases not begun; run the same command to continue\n",
                              batch.size() - i - 1, batch.size());
            }
            break;
        }
    }
    failures.say_repeated();
    if (last) {
        worst = last(worst);
    }
    options.json.write();
    return worst;
}

}  // namespace perdure::commands
