#include "solver/commands/plot.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/commands/completion.hpp"
#include "solver/commands/plot_texts.hpp"
#include "solver/commands/words.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char *interpreter = "python3";

std::string_view embedded(std::string_view name) {
    const auto &files = plot_texts();
    return std::ranges::find_if(files, [&](const PlotText &file) { return file.path.ends_with(name); })->text;
}

/// Of the list that the Python package reads, too. The values are for help and completion alone.
void add_options(CLI::App &command) {
    const auto unused = std::make_shared<std::vector<std::string>>();
    const auto add = [&](const std::string &name, const std::string &meaning) {
        return command.add_option_function<std::vector<std::string>>(
            name, [unused](const std::vector<std::string> &words) { *unused = words; }, meaning);
    };
    add("file", "results (*.vtkhdf), or tables for --sweep, --orders and --report")
        ->required()
        ->type_name("FILE");
    for (const auto &entry : nlohmann::json::parse(embedded("options.json"))) {
        if (entry.contains("group")) {
            continue;
        }
        const std::string name = entry.at("name"), meaning = entry.at("help");
        if (entry.contains("choices")) {
            add(name, meaning)->expected(1)->type_name(choices(entry.at("choices")));
        } else if (entry.contains("value")) {
            add(name, meaning)
                ->expected(1, entry.value("several", false) ? CLI::detail::expected_max_vector_size : 1)
                ->type_name(entry.at("value"));
        } else {
            command.add_flag(name, meaning);
        }
    }
    command.footer(std::string(embedded("examples.txt")));
}

/// Installed beside the program, else in the tree that it was built from.
fs::path package_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share" / "perdure" / "plotting";
    const fs::path source = fs::path(source_folder()) / "solver" / "python" / "perdure" / "plotting";
    for (const fs::path &folder : {installed, source}) {
        if (fs::exists(folder / "__main__.py", error)) {
            return folder;
        }
    }
    throw Failure(ExitCode::input_output,
                  fmt::format("plot: its Python files are neither in {} nor in {}; install perdure again, or "
                              "use tools/plot of the source tree",
                              installed.string(), source.string()));
}

}  // namespace

void add_plot(CLI::App &program, std::function<ExitCode()> &chosen, const std::string &asked) {
    CLI::App *command =
        program.add_subcommand("plot", "draw results: fields, lines, time series, sweeps, orders, reports");
    if (asked == "plot" || asked == "help" || asked == complete_word) {
        add_options(*command);
    }
    command->callback([&chosen] {
        chosen = []() -> ExitCode {
            throw Failure(ExitCode::case_or_usage,
                          "plot must be the first word of the command line: perdure plot FILE...");
        };
    });
}

std::optional<std::vector<std::string>> words_for_plot(int argc, char **argv) {
    if (argc < 2 || std::strcmp(argv[1], "plot") != 0) {
        return std::nullopt;
    }
    std::vector<std::string> words(argv + 2, argv + argc);
    const bool asks_for_help =
        std::ranges::any_of(words, [](const std::string &word) { return word == "--help" || word == "-h"; });
    return asks_for_help ? std::nullopt : std::optional(std::move(words));
}

void plot(const std::vector<std::string> &words) {
    const std::string folder = package_folder().string();
    std::vector<const char *> arguments{interpreter, folder.c_str()};
    for (const std::string &word : words) {
        arguments.push_back(word.c_str());
    }
    arguments.push_back(nullptr);
    (void)execvp(interpreter, const_cast<char **>(arguments.data()));
    const int error = errno;
    throw Failure(ExitCode::input_output,
                  fmt::format("plot needs {}, which cannot be started: {}; install it with: sudo apt-get "
                              "install python3 python3-h5py python3-matplotlib",
                              interpreter, std::strerror(error)));
}

}  // namespace perdure::commands
