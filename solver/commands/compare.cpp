#include "solver/commands/compare.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solver/commands/compare_files.hpp"
#include "solver/commands/lead_ranks.hpp"
#include "solver/commands/words.hpp"
#include "solver/equations/equation.hpp"
#include "solver/measure/compare/report.hpp"
#include "solver/measure/compare/sweep.hpp"
#include "solver/messages.hpp"
#include "solver/ranks/ranks.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

using compare::Comparison;

struct Arguments {
    std::filesystem::path case_file;
    std::vector<std::string> overrides, sizes, precisions, backends, models, barriers;
    int repetitions = 7;
    std::int64_t iterations = 0;
    double run_seconds = 0.1;
    double time_limit = 0.0;
    std::optional<std::string> markdown;
    JsonOutput json;
    std::string command;
};

/// The values of an enumeration by their names, each once. Throws Failure(case_or_usage) with the closest one.
template <HasNames Choice, std::size_t count>
std::vector<Choice> values_of(const std::string &option, const std::vector<std::string> &words,
                              const std::array<Choice, count> &choices) {
    std::vector<Choice> values;
    for (const std::string &word : words) {
        const Choice value = value_of(option, word, choices);
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

std::vector<std::int64_t> sizes_of(const std::vector<std::string> &words) {
    std::vector<std::int64_t> sizes;
    for (const std::string &word : words) {
        std::size_t read = 0;
        std::int64_t size = 0;
        try {
            size = std::stoll(word, &read);
        } catch (const std::logic_error &) {
            read = 0;
        }
        if (read != word.size() || size < 2) {
            throw Failure(
                ExitCode::case_or_usage,
                fmt::format("--sizes: expected 'auto' or numbers of cells (at least 2) along the longest "
                            "side, e.g. 64,128,256, found '{}'",
                            word));
        }
        sizes.push_back(size);
    }
    return sizes;
}

/// Of a number in words; NaN is none.
CLI::Validator seconds_between(double least, double most) {
    return CLI::Validator(
        [least, most](const std::string &word) {
            double seconds = 0.0;
            const bool read = CLI::detail::lexical_cast(word, seconds);
            return read && seconds >= least && seconds <= most
                       ? std::string{}
                       : fmt::format("expected seconds between {} and {}, found '{}'", least, most, word);
        },
        "SECONDS");
}

compare::SweepOptions sweep_options(const Arguments &arguments, const Config &config) {
    compare::SweepOptions options;
    options.automatic_sizes = arguments.sizes == std::vector<std::string>{"auto"};
    if (!options.automatic_sizes) {
        options.sizes = sizes_of(arguments.sizes);
    }
    options.precisions = values_of("--precisions", arguments.precisions, values_without(Precision::mixed));
    options.backends = values_of("--backends", arguments.backends, all_values<BackendChoice>());
    const auto models = values_of("--models", arguments.models, all_models);
    const bool every_barrier = arguments.barriers == std::vector<std::string>{"all"};
    const auto barriers =
        values_of("--barriers", every_barrier ? std::vector<std::string>{} : arguments.barriers,
                  all_values<BarrierChoice>());
    options.contenders = compare::contenders(models, barriers, every_barrier, config);
    options.repetitions = arguments.repetitions;
    options.iterations = arguments.iterations;
    options.run_seconds = arguments.run_seconds;
    options.time_limit = arguments.time_limit;
    return options;
}

Comparison about(const Arguments &arguments, const Config &config, const compare::SweepOptions &options) {
    Comparison comparison;
    comparison.version = version();
    comparison.built_with = built_with();
    comparison.build_id = build_id();
    comparison.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    comparison.command = arguments.command;
    comparison.title = config.title;
    comparison.case_path = config.path.string();
    comparison.case_text = case_text(config);
    comparison.method = method_of(config).title;
    for (const compare::Contender &contender : options.contenders) {
        comparison.models.push_back(contender.name);
    }
    comparison.repetitions = options.repetitions;
    comparison.iterations = options.iterations;
    comparison.run_seconds = options.run_seconds;
    return comparison;
}

ExitCode finish(const Comparison &comparison, bool kept) {
    for (const std::string &failure : comparison.failures()) {
        print_message("error: {}\n", failure);
    }
    if (comparison.wrong()) {
        return ExitCode::differs_or_internal;
    }
    if (comparison.stopped) {
        print_message("stopped before everything was measured\n");
        return ExitCode::stopped;
    }
    if (comparison.out_of_time) {
        print_message("out of time: not everything was measured{}\n",
                      comparison.points.empty() || !kept ? "" : "; run the same command to continue");
    } else if (comparison.points.empty()) {
        print_message("error: nothing was measured\n");
        return comparison.why_nothing;
    }
    return comparison.failures().empty() ? ExitCode::success : ExitCode::device;
}

/// Of another rank than 0: the same measurements. `earlier`: what rank 0 has of an earlier call, as JSON.
void sweep_by_ranks(const Arguments &arguments, const Config &config, const std::string &earlier) {
    Comparison comparison = compare::from_json(nlohmann::ordered_json::parse(earlier));
    compare::sweep(config, sweep_options(arguments, config), comparison,
                   [](const compare::Point & /*point*/) { in_all_ranks([] {}); });
}

ExitCode lead_compare(Arguments &arguments) {
    const Config config = load_config(arguments.case_file, arguments.overrides);
    for (const Diagnostic &warning : config.warnings) {
        print_message("{}\n", to_text(warning));
    }
    if (directions_of(config).size() > 1) {
        throw Failure(
            ExitCode::case_or_usage,
            fmt::format("{}: an effective case is one run per direction, but compare times a single run; "
                        "choose one direction, for example with --set 'problem.directions=[x]'",
                        arguments.case_file.string()));
    }
    if (is_in_time(config) && solves_systems(config)) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("{}: compare times iterations and explicit steps, but a step of {} is a "
                                  "solve of many iterations; `perdure run` reports how long such steps take",
                                  arguments.case_file.string(), name(config.time->integrator)));
    }
    const compare::SweepOptions options = sweep_options(arguments, config);
    Comparison comparison = about(arguments, config, options);
    const bool tables = !arguments.json.alone();
    CompareFiles files(arguments.json, arguments.markdown);
    files.resume(comparison);
    if (tables && !comparison.points.empty()) {
        print_output("From an earlier run of this command:\n\n");
    }
    for (std::size_t i = 0; tables && i < comparison.points.size(); ++i) {
        print_output("{}", compare::point_table(comparison, comparison.points[i]));
    }
    const InterruptGuard guard;
    const std::string earlier = ranks() != nullptr ? compare::to_json(comparison).dump() : "";
    work_with_ranks(config, earlier, [&](const Config &, const std::string &) {
        compare::sweep(config, options, comparison, [&](const compare::Point &point) {
            in_all_ranks([&] {
                files.write(comparison);
                if (tables) {
                    print_output("{}", compare::point_table(comparison, point));
                }
            });
        });
    });
    files.write(comparison);
    if (!tables) {
        arguments.json.add(compare::to_json(comparison));
        return finish(comparison, false);
    }
    print_output("{}", compare::summary(comparison));
    if (arguments.json.to_file()) {
        print_output("{}\n", arguments.json.file());
    }
    if (arguments.markdown) {
        print_output("{}\n", *arguments.markdown);
    }
    return finish(comparison, arguments.json.to_file());
}

ExitCode run_compare(Arguments &arguments) {
    return by_all_ranks([&] { return lead_compare(arguments); },
                        [&](const Config &config, const std::string &earlier) {
                            sweep_by_ranks(arguments, config, earlier);
                        });
}

}  // namespace

void add_compare(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &command_line) {
    const auto arguments = std::make_shared<Arguments>();
    arguments->command = command_line;
    CLI::App *compare =
        program.add_subcommand("compare", "time a case under every execution model and recommend one");
    compare->add_option("case", arguments->case_file, "case file (YAML)")->required()->type_name("CASE");
    add_overrides(*compare, arguments->overrides, "solver.check_every=50");
    const auto list = [&](const char *option, std::vector<std::string> &words, const std::string &type,
                          const char *help) {
        compare->add_option(option, words, help)
            ->type_name(type)
            ->delimiter(',')
            ->allow_extra_args(false)
            ->take_all();
    };
    list("--sizes", arguments->sizes, "LIST",
         "numbers of cells along the longest side, e.g. 64,128,256, or auto: smaller and larger sizes around "
         "that of the case (default: the size of the case)");
    list("--precisions", arguments->precisions, choices(values_without(Precision::mixed)),
         "one or several, separated by commas (default: that of the case)");
    list("--backends", arguments->backends, choices<BackendChoice>(),
         "one or several, separated by commas (default: that of the case)");
    list("--models", arguments->models, choices(all_models),
         "one or several, separated by commas (default: all that the device has)");
    list("--barriers", arguments->barriers, choices<BarrierChoice>(),
         "barriers for the persistent model: one, several separated by commas, or all (default: auto)");
    compare
        ->add_option("--repetitions", arguments->repetitions,
                     "number of rounds, of which the median is printed (default: 7)")
        ->check(whole_number(1, 1000));
    compare
        ->add_option("--iterations", arguments->iterations,
                     "iterations or steps of each run (default: as many as take --run-seconds)")
        ->check(whole_number(1, 100'000'000));
    compare
        ->add_option("--run-seconds", arguments->run_seconds,
                     "duration of each run, in seconds; up to ten times as long if 100 iterations need it "
                     "(default: 0.1)")
        ->check(seconds_between(0.001, 60.0));
    compare
        ->add_option("--time-limit", arguments->time_limit,
                     "seconds after which no further measurement begins")
        ->check(seconds_between(0.001, 1.0e8));
    arguments->json.add_to(*compare,
                           "print only the measurements, as JSON; a file is updated after each measurement, "
                           "and the next run continues it");
    compare->add_option("--markdown", arguments->markdown, "write the tables to this file as Markdown")
        ->type_name("FILE");
    compare->footer(
        "Example:\n  perdure compare inputs/manufactured_poisson_2d.yaml --sizes 64,256,1024 "
        "--json=compare.json\n"
        "  tools/plot_compare compare.json compare.png");
    compare->callback([arguments, &chosen] { chosen = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace perdure::commands
