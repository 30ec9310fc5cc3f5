#include "solver/commands/help.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solver/case_file/case_keys.hpp"
#include "solver/commands/subjects.hpp"
#include "solver/commands/words.hpp"
#include "solver/equations/equation.hpp"
#include "solver/formulas/functions.hpp"
#include "solver/messages.hpp"
#include "solver/output/text_table.hpp"
#include "solver/output/wrap_text.hpp"

namespace perdure::commands {
namespace {

constexpr const char *formulas_topic = "formulas", *exit_codes_topic = "exit-codes";

std::vector<const CLI::App *> commands_below(const CLI::App &app) {
    return app.get_subcommands([](const CLI::App *) { return true; });
}

/// The command of that name, or of several: "bench sync".
const CLI::App *find_command(const CLI::App &above, const std::string &topic, std::string &path) {
    for (const CLI::App *const below : commands_below(above)) {
        const std::string &name = below->get_name();
        if (topic == name) {
            return below;
        }
        if (topic.starts_with(name + " ")) {
            path += " " + name;
            return find_command(*below, topic.substr(name.size() + 1), path);
        }
    }
    return nullptr;
}

std::string about(const CaseKey &key) {
    std::string head = fmt::format("{}: {}", key.path, key.takes);
    if (!key.by_default.empty()) {
        head += is_required(key) ? ", required" : fmt::format(" (default: {})", key.by_default);
    }
    return head + "\n" + (key.meaning.empty() ? "" : wrap_text(std::string(key.meaning), 4));
}

/// The keys that `chosen` names.
template <class Chosen>
std::string about_keys(const Chosen &chosen) {
    std::string text;
    for (const CaseKey &key : case_keys()) {
        text += chosen(key.path) ? about(key) : "";
    }
    return text;
}

std::string about(const Equation &equation) {
    return fmt::format(
        "problem.type {}: {}\n    perdure new --type {} case.yaml writes a commented case of this type\n",
        name(equation.type), equation.formula, name(equation.type));
}

std::string about(const formulas::Function &function) {
    return fmt::format("{}: {}\n    a function of formulas; perdure help {} lists all functions\n",
                       function.usage, function.meaning, formulas_topic);
}

bool is_function(const formulas::Function &function) {
    return function.role != formulas::FunctionRole::operation;
}

std::string all_functions() {
    using Align = TextTable::Align;
    TextTable table({{"write", Align::left}, {"meaning", Align::left, TextTable::Cut::last}});
    for (const formulas::Function &function : formulas::functions()) {
        if (is_function(function)) {
            table.add({std::string(function.usage), std::string(function.meaning)});
        }
    }
    return fmt::format(
        "{}\n`perdure keys` lists the operators and the names that each kind of formula knows.\n",
        table.plain(0));
}

/// The words of a list with blanks between them.
std::vector<std::string> words_of(std::string_view list) {
    return CLI::detail::split(std::string(list), ' ');
}

const Subject *find_subject(const std::string &topic) {
    const auto found = std::ranges::find_if(all_subjects(), [&](const Subject &subject) {
        const std::vector<std::string> others = words_of(subject.other_names);
        return subject.name == topic || std::ranges::find(others, topic) != others.end();
    });
    return found == all_subjects().end() ? nullptr : &*found;
}

std::string about(const Subject &subject) {
    std::string text = wrap_text(fmt::format("{}: {}", subject.name, subject.text), 0, 4);
    if (!subject.keys.empty()) {
        text += fmt::format("  keys      {}\n", fmt::join(words_of(subject.keys), ", "));
    }
    if (!subject.example.empty()) {
        text += fmt::format("  example   perdure new --example {}\n", subject.example);
    }
    if (!subject.command.empty()) {
        text += fmt::format("  command   {}\n", subject.command);
    }
    return text;
}

std::string list_of_topics(const CLI::App &program) {
    std::string text = "perdure help TOPIC explains one of these topics:\n\n";
    for (const CLI::App *const command : commands_below(program)) {
        text += fmt::format("  {:<12}{}\n", command->get_name(), command->get_description());
    }
    std::vector<std::string> sections;
    for (const CaseKey &key : case_keys()) {
        if (key.takes == "map" && key.path.find('.') == std::string_view::npos) {
            sections.emplace_back(key.path);
        }
    }
    std::vector<std::string> subjects;
    for (const Subject &subject : all_subjects()) {
        subjects.emplace_back(subject.name);
    }
    text += fmt::format(
        "\n{}", wrap_text(fmt::format("{}: what perdure has for these", fmt::join(subjects, ", ")), 2));
    return text + fmt::format(
                      "  {}, or any key below these, such as solver.rtol or rtol: keys of a case file\n  "
                      "{}, or a function such as lap: formulas\n  {}: what the program returns\n",
                      fmt::join(sections, ", "), formulas_topic, exit_codes_topic);
}

}  // namespace

std::vector<std::string> help_topics(const CLI::App &program) {
    std::vector<std::string> topics{formulas_topic, exit_codes_topic};
    for (const CLI::App *const command : commands_below(program)) {
        topics.push_back(command->get_name());
    }
    for (const Subject &subject : all_subjects()) {
        topics.emplace_back(subject.name);
        for (const std::string &other : words_of(subject.other_names)) {
            topics.push_back(other);
        }
    }
    for (const CaseKey &key : case_keys()) {
        topics.emplace_back(key.path);
    }
    for (const Equation &equation : all_equations()) {
        topics.emplace_back(name(equation.type));
    }
    for (const formulas::Function &function : formulas::functions()) {
        if (is_function(function)) {
            topics.emplace_back(function.name);
        }
    }
    return topics;
}

std::string help_on(const CLI::App &program, const std::string &topic) {
    std::string path = "perdure";
    if (const CLI::App *const command = find_command(program, topic, path)) {
        return command->help(path);
    }
    if (topic == formulas_topic) {
        return all_functions();
    }
    if (topic == exit_codes_topic) {
        return fmt::format("{}\n", exit_codes);
    }
    const std::string form = listed_form(topic);
    const std::string listed =
        form.empty() ? topic : form;  // of boundary.x-.value that of boundary.SIDE.value
    const Subject *const subject = find_subject(topic);
    std::string text = subject != nullptr ? about(*subject) : "";
    const std::size_t before = text.size();
    text += about_keys([&](std::string_view key) { return key == listed || key.starts_with(listed + "."); });
    if (text.size() == before) {
        text += about_keys([&](std::string_view key) { return key.ends_with("." + topic); });
    }
    for (const Equation &equation : all_equations()) {
        text += topic == name(equation.type) ? about(equation) : "";
    }
    for (const formulas::Function &function : formulas::functions()) {
        text += is_function(function) && topic == function.name ? about(function) : "";
    }
    if (text.empty()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("help: there is no topic '{}'{}\n  perdure help lists the topics", topic,
                                  did_you_mean(topic, help_topics(program))));
    }
    return text;
}

void add_help(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *command =
        program.add_subcommand("help", "explain a command, a key of a case file or a function of formulas");
    const auto words = std::make_shared<std::vector<std::string>>();
    const auto manual = std::make_shared<bool>(false);
    command->add_option("topic", *words, "topic to explain (default: list all topics)")->type_name("TOPIC");
    command->add_flag("--man", *manual, "print the manual page, for man -l");
    command->footer(
        "Examples:\n  perdure help solver.rtol\n  perdure help bench sync\n  perdure help --man > "
        "~/.local/share/man/man1/perdure.1");
    command->callback([&program, &chosen, words, manual] {
        chosen = [&program, words, manual] {
            print_output("{}", *manual ? manual_page(program)
                               : words->empty()
                                   ? list_of_topics(program)
                                   : help_on(program, fmt::format("{}", fmt::join(*words, " "))));
            return ExitCode::success;
        };
    });
}

}  // namespace perdure::commands
