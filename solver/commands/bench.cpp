#include "solver/commands/bench.hpp"

#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/json_output.hpp"
#include "solver/commands/words.hpp"
#include "solver/in_words.hpp"
#include "solver/measure/bench/sync_bench.hpp"
#include "solver/messages.hpp"
#include "solver/run/interrupt.hpp"

namespace perdure::commands {
namespace {

ExitCode bench_sync(const bench::SyncOptions &options, JsonOutput &json) {
    json.check();
    const InterruptGuard guard;
    const bench::SyncReport report = bench::measure_sync(options);
    if (!json.alone()) {
        print_output("{}", bench::sync_table(report));
    }
    json.add(bench::sync_json(report));
    json.write();
    if (json.to_file()) {
        print_output("\n{}\n", json.file());
    }
    const std::vector<std::string> failures = report.failures();
    for (const std::string &failure : failures) {
        print_message("error: {}\n", failure);
    }
    if (report.wrong() != 0) {
        print_message("error: after a synchronisation the kernels read {}\n",
                      count_of(report.wrong(), "wrong value"));
        return ExitCode::differs_or_internal;
    }
    if (report.stopped) {
        print_message("stopped before everything was measured\n");
        return ExitCode::stopped;
    }
    return failures.empty() ? ExitCode::success : ExitCode::device;
}

struct SyncArguments {
    bench::SyncOptions options;
    std::string backend = "auto";
    int device = 0;
    JsonOutput json;
};

void add_sync(CLI::App &bench, std::function<ExitCode()> &chosen, const std::string &command_line) {
    const auto arguments = std::make_shared<SyncArguments>();
    bench::SyncOptions &options = arguments->options;
    options.command = command_line;
    options.say = [](const std::string &line) { print_message("{}\n", line); };
    CLI::App *sync =
        bench.add_subcommand("sync", "time barriers, reductions and the operations that they consist of");
    sync->add_option("--backend", arguments->backend, "back end to measure (default: auto)")
        ->type_name(choices<BackendChoice>());
    CLI::Option *device =
        sync->add_option("--device", arguments->device,
                         "number of the device within its back end, as `perdure devices` prints it")
            ->type_name("N")
            ->check(whole_number(0, most_devices));
    sync->add_option("--groups", options.groups, "numbers of groups to measure, e.g. 1,16,132")
        ->delimiter(',')
        ->type_name("LIST")
        ->expected(1)
        ->take_all()
        ->check(whole_number(1, 1 << 16));
    sync->add_option("--group-size", options.group_sizes,
                     "group sizes (items per group) to measure, e.g. 32,512")
        ->delimiter(',')
        ->type_name("LIST")
        ->expected(1)
        ->take_all()
        ->check(whole_number(1, 1 << 16));
    sync->add_option("--rounds", options.rounds, "rounds per launch (default: as many as take 10 ms)")
        ->type_name("N")
        ->check(whole_number(1, 1 << 24));
    sync->add_option("--repetitions", options.repetitions,
                     "number of launches, of which the median is printed (default: 9)")
        ->type_name("N")
        ->check(whole_number(1, 1000));
    arguments->json.add_to(*sync);
    sync->add_flag("--quick", options.quick,
                   "measure one shape only, with short launches and a smaller classical experiment");
    sync->footer("Example:\n  perdure bench sync --json=sync.json && tools/plot_sync sync.json sync.png");
    sync->callback([arguments, device, &chosen] {
        chosen = [arguments, device] {
            arguments->options.backend = backend_of(arguments->backend);
            if (device->count() > 0) {
                arguments->options.device = arguments->device;
            }
            return bench_sync(arguments->options, arguments->json);
        };
    });
}

}  // namespace

void add_bench(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &command_line) {
    CLI::App *bench = program.add_subcommand("bench", "measure the device");
    bench->require_subcommand(1);
    bench->footer("Example:\n  perdure bench sync --quick");
    add_sync(*bench, chosen, command_line);
}

}  // namespace perdure::commands
