// The cases of a call: which there are, and which of them it runs.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/case_file/case_text.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/made_ahead.hpp"
#include "solver/output/output_names.hpp"
#include "solver/time_spent.hpp"

namespace perdure::commands {
namespace {

using Json = nlohmann::ordered_json;

/// A part of the cases: every `of`-th from `number`, which counts from 1.
struct Shard {
    std::size_t number = 1, of = 1;
};

std::optional<std::size_t> count_in(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                                     : std::nullopt;
}

[[noreturn]] void refuse(const std::string &message) {
    throw Failure(ExitCode::case_or_usage, message);
}

/// A number that Slurm gives the task of an array.
std::size_t number_from_slurm(const char *option, const char *variable) {
    const char *const text = std::getenv(variable);
    const auto number = count_in(text != nullptr ? text : "");
    if (!number) {
        refuse(fmt::format(
            "{} auto: expected a whole number in the environment variable {}, which Slurm sets for the tasks "
            "of an array (sbatch --array=1-8), found {}",
            option, variable, text != nullptr ? fmt::format("'{}'", text) : "none"));
    }
    return *number;
}

std::size_t member_of(const std::string &text) {
    if (text == "auto") {
        return number_from_slurm("--member", "SLURM_ARRAY_TASK_ID");
    }
    const auto number = count_in(text);
    if (!number || *number == 0) {
        refuse(
            fmt::format("--member: expected auto or the number of a case, counted from 1; found '{}'", text));
    }
    return *number;
}

/// The place of this task among those of its array, whose numbers have one distance.
Shard shard_from_slurm() {
    constexpr const char *option = "--shard";
    const std::size_t id = number_from_slurm(option, "SLURM_ARRAY_TASK_ID");
    const std::size_t count = number_from_slurm(option, "SLURM_ARRAY_TASK_COUNT");
    const std::size_t least = number_from_slurm(option, "SLURM_ARRAY_TASK_MIN");
    const std::size_t most = number_from_slurm(option, "SLURM_ARRAY_TASK_MAX");
    const std::size_t step = count > 1 && most > least ? (most - least) / (count - 1) : 1;
    if (count == 0 || id < least || id > most || least + step * (count - 1) != most ||
        (id - least) % step != 0) {
        refuse(
            fmt::format("--shard auto: the task numbers of the Slurm array are not evenly spaced (task {} of "
                        "{}, from {} to {}); use an array such as --array=1-8",
                        id, count, least, most));
    }
    return {(id - least) / step + 1, count};
}

Shard shard_of(const std::string &text) {
    if (text == "auto") {
        return shard_from_slurm();
    }
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto number = count_in(text.substr(0, slash));
    const auto of = count_in(slash < text.size() ? text.substr(slash + 1) : "");
    if (!number || !of || *number == 0 || *number > *of) {
        refuse(
            fmt::format("--shard: expected I/N with I from 1 to N, such as 2/8, or auto; found '{}'", text));
    }
    return {*number, *of};
}

/// All cases of the files, unread but for the files themselves.
std::vector<BatchCase> cases_of(const CaseOptions &options) {
    std::vector<BatchCase> batch;
    for (const std::filesystem::path &path : options.cases) {
        const std::filesystem::path name = is_standard_input(path) ? standard_input_name : path;
        try {
            const auto file = std::make_shared<CaseFile>(path, options.overrides);
            for (std::size_t index = 0; index < file->size(); ++index) {
                batch.push_back({name, file, index, {}, std::nullopt});
            }
        } catch (const Failure &failure) {
            batch.push_back({name, nullptr, 0, {}, failure});
        }
    }
    return batch;
}

/// With the warnings of this case alone.
Config read(const BatchCase &one, const CaseOptions &options) {
    if (!one.is_good()) {
        throw Failure(*one.failure);
    }
    Config config = one.file->config(one.index);
    if (!options.output.empty()) {
        config.output.directory = options.output;
    }
    if (options.time_limit && config.time) {
        config.execution.time_limit = options.time_limit;
    }
    return config;
}

/// Files with a case that is wrong, from the moment on when that is known.
class WrongFiles {
  public:
    void add(const CaseFile *file) {
        const std::scoped_lock lock(mutex_);
        files_.insert(file);
    }
    [[nodiscard]] bool have(const CaseFile *file) {
        const std::scoped_lock lock(mutex_);
        return files_.contains(file);
    }

  private:
    std::mutex mutex_;
    std::set<const CaseFile *> files_;
};

/// Reads each case. Of a file with a case that is wrong no other one is left.
void check(std::vector<BatchCase> &batch, const CaseOptions &options) {
    struct Found {
        std::filesystem::path result;
        std::vector<Diagnostic> warnings;
    };
    WrongFiles wrong;
    MadeAhead<Found> all(batch.size(), [&](std::size_t i) {
        if (!batch[i].is_good() || wrong.have(batch[i].file.get())) {
            return Found{};
        }
        Config config = read(batch[i], options);
        return Found{result_path(config), std::move(config.warnings)};
    });
    BatchCase *first = nullptr;  // of a file
    for (BatchCase &one : batch) {
        try {
            const Found found = all.take();
            if (one.is_good() && (first == nullptr || one.file != first->file)) {
                first = &one;
            }
            one.result = found.result;
            if (first != nullptr) {
                add_new(found.warnings, first->warnings);
            }
        } catch (const Failure &failure) {
            if (!wrong.have(one.file.get())) {
                wrong.add(one.file.get());
                one.failure = failure;
            }
        }
    }
    std::erase_if(batch, [&](const BatchCase &one) {
        return one.is_good() && wrong.have(one.file.get()) && !one.failure;
    });
    for (BatchCase &one : batch) {
        if (one.failure) {
            one = {one.path, nullptr, 0, {}, one.failure};
        }
    }
}

}  // namespace

std::vector<std::size_t> chosen_cases(const CaseOptions &options, std::size_t count) {
    if (!options.member.empty() && !options.shard.empty()) {
        refuse("--member and --shard exclude each other; use one of them");
    }
    Shard shard;
    std::size_t first = 0, end = count;
    if (!options.member.empty()) {
        const std::size_t member = member_of(options.member);
        if (member > count || member == 0) {
            refuse(fmt::format(
                "--member {}: expected a number from 1 to {}, the number of cases of this command", member,
                count));
        }
        first = member - 1;
        end = member;
    } else if (!options.shard.empty()) {
        shard = shard_of(options.shard);
        first = shard.number - 1;
    }
    std::vector<std::size_t> chosen;
    for (std::size_t i = first; i < end; i += shard.of) {
        chosen.push_back(i);
    }
    return chosen;
}

std::vector<BatchCase> load_batch(const CaseOptions &options) {
    const TimeSpent::Scope reading(Activity::read);
    std::vector<BatchCase> all = cases_of(options);
    std::vector<BatchCase> batch;
    for (const std::size_t index : chosen_cases(options, all.size())) {
        batch.push_back(std::move(all[index]));
    }
    check(batch, options);
    return batch;
}

Config load(const BatchCase &one, const CaseOptions &options) {
    Config config = read(one, options);
    config.warnings = one.warnings;
    return config;
}

Json subject_of(const Config &config) {
    Json subject{{"case", config.path.string()}};
    if (config.sweep) {
        subject["member"] = config.sweep->number;
        subject["members"] = config.sweep->count;
        Json swept = Json::object();
        for (const auto &[key, value] : config.sweep->settings) {
            const Json parsed = Json::parse(value, nullptr, false);
            swept[key] = parsed.is_discarded() ? Json(value) : parsed;
        }
        subject["swept"] = std::move(swept);
    }
    return subject;
}

}  // namespace perdure::commands
