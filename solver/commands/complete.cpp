#include <algorithm>

#include <fmt/format.h>

#include "solver/case_file/config.hpp"
#include "solver/case_file/schema_of_keys.hpp"
#include "solver/commands/completion.hpp"
#include "solver/commands/examples.hpp"
#include "solver/commands/help.hpp"
#include "solver/commands/words.hpp"

namespace perdure::commands {
namespace {

/// Adds those that begin with what is written already.
class Candidates {
  public:
    explicit Candidates(std::string written) : written_(std::move(written)) {}

    void add(const std::string &word, const std::string &meaning = {}) {
        if (word.starts_with(written_)) {
            found.words.emplace_back(word, meaning.substr(0, meaning.find('\n')));
        }
    }

    Completions found;

  private:
    std::string written_;
};

bool takes_value(const CLI::Option &option) {
    return option.get_items_expected_max() > 0;
}

/// "--set" or "-o"; null where the command has no such option.
const CLI::Option *find_option(const CLI::App &command, const std::string &name) {
    return name.size() < 2 || name[0] != '-' ? nullptr : command.get_option_no_throw(name);
}

/// Whether a value may stand behind the key itself, and not only behind keys below it.
bool has_value(const CaseKey &key) {
    return std::ranges::any_of(alternatives(key.takes),
                               [](const std::string &phrase) { return !phrase.starts_with("map"); });
}

/// The paths of a key: of each side one, none where a name is the case's own.
std::vector<std::string> paths_of(const CaseKey &key) {
    const std::string path(key.path);
    if (path.starts_with("VALUE") || path.find("NAME") != std::string::npos ||
        path.find("FIELD") != std::string::npos || !has_value(key)) {
        return {};
    }
    const std::size_t side = path.find("SIDE");
    if (side == std::string::npos) {
        return {path};
    }
    std::vector<std::string> paths;
    for (const char *const name : side_names) {
        paths.push_back(path.substr(0, side) + name + path.substr(side + 4));
    }
    return paths;
}

/// solver.norm=, and behind it the words that the key takes.
void add_keys_of_cases(const std::string &written, Candidates &candidates) {
    const std::string path = written.substr(0, written.find('='));
    const bool names_value = path.size() < written.size();
    for (const CaseKey &key : case_keys()) {
        for (const std::string &one : paths_of(key)) {
            if (!names_value) {
                candidates.add(one + "=", std::string(key.meaning));
            } else if (one == path) {
                for (const std::string &word : words_of_value(key.takes)) {
                    candidates.add(fmt::format("{}={}", one, word));
                }
            }
        }
    }
}

/// Values of an option or positional; `before`: what stands before the value in the same word, such as --table=.
Completions values_of(const CLI::App &program, const CLI::Option &option, const std::string &before,
                      const std::string &written) {
    Candidates candidates(before + written);
    const std::string type = option.get_type_name();
    const char delimiter = option.get_delimiter();
    const std::size_t item = delimiter == '\0' ? 0 : written.rfind(delimiter) + 1;  // npos + 1: the first
    for (const std::string &word : words_of_choices(type)) {
        candidates.add(before + written.substr(0, item) + word);
    }
    if (type == "KEY.PATH=VALUE" && before.empty()) {
        add_keys_of_cases(written, candidates);
    } else if (type == "EXAMPLE") {
        for (const Example &example : examples()) {
            if (example.data_files.empty()) {
                candidates.add(before + example.name, example.title);
            }
        }
    } else if (type == "TOPIC") {
        for (const std::string &topic : help_topics(program)) {
            candidates.add(topic);
        }
    } else if (type.find("CASE") != std::string::npos) {
        candidates.found.files = Completions::Files::cases;
    } else if (type.find("FILE") != std::string::npos) {
        candidates.found.files = Completions::Files::any;
    } else if (type.find("FOLDER") != std::string::npos) {
        candidates.found.files = Completions::Files::folders;
    }
    return candidates.found;
}

Completions options_of(const CLI::App &command, const std::string &written) {
    Candidates candidates(written);
    for (const CLI::Option *const option : command.get_options({})) {
        for (const std::string &name : option->get_lnames()) {
            candidates.add("--" + name, option->get_description());
        }
        for (const std::string &name : option->get_snames()) {
            if (option->get_lnames().empty() || written.size() == 2) {
                candidates.add("-" + name, option->get_description());
            }
        }
    }
    return candidates.found;
}

const CLI::App *command_below(const CLI::App &command, const std::string &name) {
    const auto below = command.get_subcommands([&](const CLI::App *one) { return one->get_name() == name; });
    return below.empty() ? nullptr : below.front();
}

/// Commands below, and what stands at the place of the word without an option before it.
Completions arguments_of(const CLI::App &program, const CLI::App &command, const std::string &written) {
    Candidates candidates(written);
    for (const CLI::App *const below : command.get_subcommands([](const CLI::App *) { return true; })) {
        candidates.add(below->get_name(), below->get_description());
    }
    for (const CLI::Option *const option : command.get_options({})) {
        if (option->get_positional()) {
            return values_of(program, *option, "", written);
        }
    }
    return candidates.found;
}

}  // namespace

Completions complete(const CLI::App &program, const std::vector<std::string> &words) {
    const CLI::App *command = &program;
    const CLI::Option *waiting = nullptr;  // for its value
    bool options_end = false;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string &word = words[i];
        const CLI::App *const below = waiting == nullptr ? command_below(*command, word) : nullptr;
        const CLI::Option *const option =
            waiting == nullptr && !options_end ? find_option(*command, word) : nullptr;
        options_end = options_end || (waiting == nullptr && word == "--");
        waiting = option != nullptr && takes_value(*option) ? option : nullptr;
        command = below != nullptr ? below : command;
    }
    const std::string written = words.empty() ? "" : words.back();
    if (waiting != nullptr) {
        return values_of(program, *waiting, "", written);
    }
    if (options_end || !written.starts_with('-')) {
        return arguments_of(program, *command, written);
    }
    const std::size_t equals = written.find('=');
    const CLI::Option *const named =
        equals == std::string::npos ? nullptr : find_option(*command, written.substr(0, equals));
    return named != nullptr
               ? values_of(program, *named, written.substr(0, equals + 1), written.substr(equals + 1))
               : options_of(*command, written);
}

std::string to_lines(const Completions &completions) {
    using Files = Completions::Files;
    const Files files = completions.files;
    std::string lines = files == Files::any       ? "files\n"
                        : files == Files::cases   ? "cases\n"
                        : files == Files::folders ? "folders\n"
                                                  : "words\n";
    for (const auto &[word, meaning] : completions.words) {
        lines += meaning.empty() ? word + "\n" : fmt::format("{}\t{}\n", word, meaning);
    }
    return lines;
}

}  // namespace perdure::commands
