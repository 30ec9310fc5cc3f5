#include "solver/commands/usage_error.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "solver/commands/words.hpp"
#include "solver/in_words.hpp"

namespace perdure::commands {
namespace {

const CLI::App *command_named(const CLI::App &above, const std::string &name) {
    for (const CLI::App *below : above.get_subcommands({})) {
        if (below->get_name() == name) {
            return below;
        }
    }
    return nullptr;
}

/// The command that the first words name, and the words after it.
struct Line {
    const CLI::App *command;
    std::string name;  // with the program's: "perdure bench sync"
    std::vector<std::string> words;
};

Line read_line(const CLI::App &program, int argc, char **argv) {
    Line line{&program, "perdure", {}};
    int next = 1;
    for (; next < argc && command_named(*line.command, argv[next]) != nullptr; ++next) {
        line.command = command_named(*line.command, argv[next]);
        line.name += fmt::format(" {}", argv[next]);
    }
    line.words.assign(argv + next, argv + std::max(next, argc));
    return line;
}

bool has_commands(const CLI::App &command) {
    return !command.get_subcommands({}).empty();
}

std::vector<std::string> options_of(const CLI::App &command) {
    std::vector<std::string> options;
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &letter : option->get_snames()) {
            options.push_back("-" + letter);
        }
        for (const std::string &name : option->get_lnames()) {
            options.push_back("--" + name);
        }
    }
    return options;
}

std::string wrong_command(const Line &line) {
    const bool is_program = line.name == "perdure";
    if (line.words.empty()) {
        return fmt::format("expected a command after '{}'", line.name);
    }
    std::vector<std::string> known;
    for (const CLI::App *below : line.command->get_subcommands({})) {
        known.push_back(below->get_name());
    }
    return fmt::format("unknown command '{}{}'{}", is_program ? "" : line.name.substr(8) + " ",
                       line.words.front(), did_you_mean(line.words.front(), known));
}

/// A word that CLI11 did not expect.
std::string wrong_word(const Line &line, const std::string &word) {
    if (!word.starts_with("-") || word == "-") {
        return fmt::format("unexpected argument '{}'{}", word,
                           word.ends_with(".json") ? fmt::format("; did you mean --json={}?", word) : "");
    }
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("unknown option '{}'{}", option,
                       option.starts_with("--") ? did_you_mean(option, options_of(*line.command)) : "");
}

/// The argument that CLI11 names in "NAME is required".
std::string missing_argument(const Line &line, const std::string &message) {
    for (const CLI::Option *option : line.command->get_options()) {
        if (message == option->get_name() + " is required") {
            const std::vector<std::string> words = words_of_choices(option->get_type_name());
            return fmt::format("expected {} after '{}': {}",
                               words.empty() ? option->get_type_name() : in_words(words, "or"), line.name,
                               option->get_description());
        }
    }
    return message;
}

std::string what_is_wrong(const Line &line, const CLI::ParseError &error) {
    const bool lacks_command = line.words.empty() || !line.words.front().starts_with("-");
    if (has_commands(*line.command) && lacks_command) {
        return wrong_command(line);
    }
    if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr && !line.command->remaining().empty()) {
        return wrong_word(line, line.command->remaining().front());
    }
    if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr) {
        for (const std::string &word : line.words) {
            const std::vector<std::string> known = options_of(*line.command);
            const std::string option = word.substr(0, word.find('='));
            const bool is_option = word.starts_with("--") || (word.size() == 2 && word.starts_with("-"));
            if (is_option && std::ranges::find(known, option) == known.end()) {
                return wrong_word(line, word);
            }
        }
        return has_commands(*line.command) ? fmt::format("expected a command after '{}'", line.name)
                                           : missing_argument(line, error.what());
    }
    for (const CLI::Option *option : line.command->get_options()) {
        const std::string missing =
            fmt::format("{}: 1 required {} missing", option->get_name(), option->get_type_name());
        if (error.what() == missing) {
            return fmt::format("expected {} after '{}'", option->get_type_name(), option->get_name());
        }
    }
    return error.what();
}

}  // namespace

std::string usage_error(const CLI::App &program, const CLI::ParseError &error, int argc, char **argv) {
    const Line line = read_line(program, argc, argv);
    return fmt::format("{}\n  {} --help lists the {}", what_is_wrong(line, error), line.name,
                       has_commands(*line.command) ? "commands" : "options");
}

}  // namespace perdure::commands
