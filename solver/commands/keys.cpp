#include "solver/commands/keys.hpp"

#include "solver/case_file/case_keys.hpp"
#include "solver/case_file/case_schema.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {

void add_keys(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *keys = program.add_subcommand(
        "keys", "print every key of a case file with its values, its default and its meaning");
    keys->footer("Example:\n  perdure keys | grep solver");
    keys->callback([&chosen] {
        chosen = [] {
            print_output("{}", case_reference());
            return ExitCode::success;
        };
    });
    CLI::App *schema = program.add_subcommand(
        "schema", "print a JSON Schema (draft 7) of case files, with which editors complete and check them");
    schema->footer(
        "Example:\n  perdure schema > case.schema.json\n\n"
        "Editors with yaml-language-server (VS Code's YAML extension, Neovim, Emacs, Kate) find the schema "
        "of a case file through its first line:\n  # yaml-language-server: $schema=case.schema.json\n"
        "`perdure new` writes both the schema and this line. The schema checks keys, types and words; "
        "`perdure validate` checks everything.");
    schema->callback([&chosen] {
        chosen = [] {
            print_output("{}", case_schema());
            return ExitCode::success;
        };
    });
}

}  // namespace perdure::commands
