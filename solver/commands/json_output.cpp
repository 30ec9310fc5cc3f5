#include "solver/commands/json_output.hpp"

#include "solver/commands/report_file.hpp"
#include "solver/messages.hpp"
#include "solver/output/json_text.hpp"

namespace perdure::commands {

void JsonOutput::add_to(CLI::App &command, const std::string &help) {
    command
        .add_flag("--json", target_, help + "; --json=FILE writes the JSON to FILE and prints the usual text")
        ->type_name("[=FILE]")
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

bool JsonOutput::alone() const {
    return target_ == "true" || target_ == "-";  // CLI11 says "true" of a flag without a value
}

void JsonOutput::check() const {
    if (to_file()) {
        check_json_file(target_);
    }
}

void JsonOutput::add(const nlohmann::ordered_json &report, int wished) {
    const int indent = one_line_each_ ? -1 : wished;
    if (alone()) {
        print_output("{}\n", json_text(report, indent));
    } else if (asked()) {
        text_ += (text_.empty() ? "" : "\n") + json_text(report, indent);
    }
}

void JsonOutput::write() const {
    if (to_file()) {
        write_report_file(target_, text_);
    }
}

}  // namespace perdure::commands
