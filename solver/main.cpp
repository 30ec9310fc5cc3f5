// perdure: the command line.
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "solver/commands/bench.hpp"
#include "solver/commands/case_options.hpp"
#include "solver/commands/commands.hpp"
#include "solver/commands/compare.hpp"
#include "solver/commands/completion.hpp"
#include "solver/commands/help.hpp"
#include "solver/commands/kernels.hpp"
#include "solver/commands/keys.hpp"
#include "solver/commands/lead_ranks.hpp"
#include "solver/commands/new_case.hpp"
#include "solver/commands/plot.hpp"
#include "solver/commands/table.hpp"
#include "solver/commands/usage_error.hpp"
#include "solver/commands/words.hpp"
#include "solver/hdf5/probe.hpp"
#include "solver/measure/measurements.hpp"
#include "solver/messages.hpp"
#include "solver/run/interrupt.hpp"
#include "solver/time_spent.hpp"
#include "solver/version.hpp"

namespace {

using perdure::ExitCode;
using perdure::Failure;
using perdure::print_message;
using perdure::print_output;
using perdure::commands::CaseOptions;

/// Between quotes where a shell would take the word apart.
std::string as_shell_word(const std::string &word) {
    constexpr const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string quoted = "'";
    for (const char letter : word) {
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return quoted + "'";
}

/// What a launcher's processes would all print, by one of them.
std::function<ExitCode()> by_rank_0(const std::function<ExitCode()> &command) {
    return [command] { return perdure::commands::by_all_ranks(command); };
}

int run_program(int argc, char **argv) {
    if (const auto words = perdure::commands::words_for_plot(argc, argv)) {
        perdure::commands::plot(*words);
    }
    CLI::App program(
        "perdure solves partial differential equations on structured grids; a whole run is one kernel "
        "launch.");
    program.set_version_flag("--version",
                             fmt::format("perdure {} ({})", perdure::version(), perdure::built_with()));
    program.get_formatter()->label("SUBCOMMAND", "COMMAND");
    program.require_subcommand(1);
    program.footer(
        "Examples:\n"
        "  perdure new case.yaml                      write a commented starting case\n  perdure new --type "
        "effective case.yaml     a starting case for the properties of an image\n"
        "  perdure run case.yaml                      solve the case and write results/case.vtkhdf\n"
        "  perdure run case.yaml --set solver.rtol=1e-6 --set execution.backend=host\n"
        "  perdure verify case.yaml                   solve the case, solve it again with Eigen, and "
        "compare\n"
        "  perdure info results/case.vtkhdf           print what a result holds\n"
        "  perdure plot results/case.vtkhdf           draw a result\n\n"
        "Exit codes: " +
        std::string(perdure::commands::exit_codes));
    CaseOptions options;
    options.measurements = perdure::measurements();
    std::vector<std::filesystem::path> files;
    perdure::commands::JsonOutput json;
    double bound = 0.0;
    int device_index = 0;
    std::function<ExitCode()> chosen;

    CLI::App *run = program.add_subcommand("run", "run cases and write their results");
    perdure::commands::add_case_options(*run, options);
    perdure::commands::add_options_of_run(*run, options);
    run->footer(
        "Examples:\n  perdure run inputs/heated_plate.yaml --output results --force\n"
        "  perdure run sweep.yaml --shard auto --time-limit 55m      run as a task of a Slurm array\n"
        "  sed s/RTOL/1e-6/ case.in | perdure run -                  read a case from standard input\n"
        "  mpirun -n 4 perdure run case.yaml                         share a case among processes of host "
        "threads");
    run->callback([&] { chosen = [&] { return perdure::commands::run(options); }; });

    CLI::App *validate = program.add_subcommand("validate", "check cases without running them");
    perdure::commands::add_case_options(*validate, options);
    validate->add_flag("--verbose,-v", options.verbose,
                       "print a line for each member of a sweep, not one for the sweep");
    validate->footer("Example:\n  perdure validate inputs/*.yaml");
    validate->callback([&] { chosen = [&] { return perdure::commands::validate(options); }; });

    CLI::App *verify = program.add_subcommand(
        "verify", "run cases and compare the results with an independent solution by Eigen");
    perdure::commands::add_case_options(*verify, options);
    CLI::Option *bound_option = verify->add_option("--bound", bound,
                                                   "largest relative L2 difference that is accepted "
                                                   "(default: 1000 times rtol; for heat: rounding error)");
    bound_option->check(perdure::commands::number_above_zero());
    verify->footer("Example:\n  perdure verify inputs/composite_layers.yaml --bound 1e-8");
    verify->callback([&] {
        chosen = [&] {
            if (bound_option->count() > 0) {
                options.bound = bound;
            }
            return perdure::commands::verify(options);
        };
    });

    CLI::App *info = program.add_subcommand("info", "print what a result holds");
    info->add_option("file", files, "HDF5 files")->required()->type_name("FILE");
    json.add_to(*info, "print the contents as JSON");
    info->footer("Example:\n  perdure info results/effective_diffusivity.vtkhdf");
    info->callback([&] { chosen = by_rank_0([&] { return perdure::commands::info(files, json); }); });

    CLI::App *devices = program.add_subcommand("devices", "list devices and test their barriers");
    perdure::commands::DevicesOptions devices_options;
    devices
        ->add_option("--backend", devices_options.backend,
                     "list the devices of this back end only (default: auto, all back ends)")
        ->type_name(perdure::commands::choices<perdure::BackendChoice>());
    devices_options.json.add_to(*devices, "print only the list, as JSON");
    devices->footer("Examples:\n  perdure devices\n  perdure devices --backend opencl --json=devices.json");
    devices->callback(
        [&] { chosen = by_rank_0([&] { return perdure::commands::devices(devices_options); }); });

    perdure::commands::add_kernels(program, chosen);

    perdure::commands::LitmusOptions litmus_options;
    CLI::App *litmus =
        program.add_subcommand("litmus", "show by experiment what goes wrong without synchronisation");
    litmus->add_option("names", litmus_options.names, "experiments to run (default: all)")->type_name("NAME");
    litmus->add_option("--backend", litmus_options.backend, "back end to test (default: auto)")
        ->type_name(perdure::commands::choices<perdure::BackendChoice>());
    CLI::Option *litmus_device = litmus->add_option(
        "--device", device_index, "number of the device within its back end, as `perdure devices` prints it");
    litmus_device->type_name("N")->check(perdure::commands::whole_number(0, perdure::commands::most_devices));
    litmus_options.json.add_to(*litmus, "print only the results, as JSON");
    litmus->footer("Example:\n  perdure litmus --backend host lost_updates torn_store --json=litmus.json");
    litmus->callback([&] {
        chosen = [&] {
            if (litmus_device->count() > 0) {
                litmus_options.device = device_index;
            }
            return perdure::commands::litmus(litmus_options);
        };
    });

    std::string command_line;
    for (int i = 0; i < argc; ++i) {
        command_line += fmt::format("{}{}", i > 0 ? " " : "", as_shell_word(argv[i]));
    }
    perdure::commands::add_bench(program, chosen, command_line);
    perdure::commands::add_compare(program, chosen, command_line);

    perdure::commands::add_table(program, chosen);
    perdure::commands::add_new_case(program, chosen);
    perdure::commands::add_plot(program, chosen, argc > 1 ? argv[1] : "");
    perdure::commands::add_keys(program, chosen);
    perdure::commands::add_completion(program, chosen);
    perdure::commands::add_help(program, chosen);

    if (argc > 1 && std::string(argv[1]) == perdure::commands::complete_word) {
        print_output("{}", to_lines(perdure::commands::complete(program, {argv + 2, argv + argc})));
        return static_cast<int>(ExitCode::success);
    }
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            std::ostringstream text;
            (void)program.exit(error, text, text);
            print_output("{}", text.str());
            return static_cast<int>(ExitCode::success);
        }
        print_message("error: {}\n", perdure::commands::usage_error(program, error, argc, argv));
        return static_cast<int>(ExitCode::case_or_usage);
    }
    const perdure::TimeSpent::Scope started(perdure::Activity::other);
    return static_cast<int>(chosen());
}

/// A run that failed keeps its code; one that succeeded did so in vain for whoever waits for its output.
int with_output_error(int code) {
    const std::string error = perdure::output_error();
    if (error.empty()) {
        return code;
    }
    print_message(
        "error: cannot write to standard output: {}; the files that the command wrote are complete\n", error);
    return code == static_cast<int>(ExitCode::success) ? static_cast<int>(ExitCode::input_output) : code;
}

int run_or_report(int argc, char **argv) {
    try {
        return run_program(argc, argv);
    } catch (const Failure &failure) {
        perdure::commands::JsonOutput none;
        return static_cast<int>(perdure::commands::report_failure(failure, none));
    } catch (const std::bad_alloc &) {
        print_message("error: not enough memory on the host for this case; use a smaller grid\n");
        return static_cast<int>(ExitCode::device);
    } catch (const std::exception &error) {
        print_message("internal error: {}\n", error.what());
        return static_cast<int>(ExitCode::differs_or_internal);
    }
}

/// All files are closed and all that was printed is out: what is left at an exit is to take apart back ends, thread by thread, of which
/// the system frees all the same. Sanitizers, profilers and tests that are loaded into the process have their turn at its exit.
int leave(int code) {
#ifndef PERDURE_SANITIZED
    if (std::getenv("LD_PRELOAD") == nullptr && std::getenv("CUDA_INJECTION64_PATH") == nullptr) {
        std::quick_exit(code);
    }
#endif
    return code;
}

}  // namespace

int main(int argc, char **argv) {
    perdure::prepare_standard_streams();
    if (const std::optional<int> probed = perdure::probe_main(argc, argv)) {
        return *probed;
    }
    perdure::handle_interrupts();
    (void)std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error like a full disk
    return leave(with_output_error(run_or_report(argc, argv)));
}
