// perdure(1): the commands and options as the command line has them.
#include <fmt/format.h>

#include "solver/commands/help.hpp"
#include "solver/version.hpp"

namespace perdure::commands {
namespace {

/// Text as man shows it: no character of it is a request, and - is what a shell takes.
std::string escaped(const std::string &text) {
    std::string safe;
    for (const char letter : text) {
        if ((letter == '.' || letter == '\'') && (safe.empty() || safe.back() == '\n')) {
            safe += "\\&";
        }
        safe += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : std::string(1, letter);
    }
    return safe;
}

std::string bold(const std::string &text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string about(const CLI::Option &option) {
    std::string head;
    for (const std::string &name : option.get_snames()) {
        head += (head.empty() ? "" : ", ") + bold("-" + name);
    }
    for (const std::string &name : option.get_lnames()) {
        head += (head.empty() ? "" : ", ") + bold("--" + name);
    }
    const std::string type = option.get_type_name();
    const bool shows_type = option.get_items_expected_max() > 0 || type.starts_with("[=");
    if (option.get_positional()) {
        head = "\\fI" + escaped(option.get_single_name()) + "\\fR";
    }
    if (shows_type && !type.empty()) {
        head += (type.starts_with("[=") ? "" : " ") + escaped(type);
    }
    return fmt::format(".TP\n{}\n{}\n", head, escaped(option.get_description()));
}

/// Lines as they stand.
std::string as_it_stands(const std::string &text) {
    return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(text));
}

std::string about_command(const CLI::App &command, const std::string &path) {
    std::string text = fmt::format(".SS \"{}\"\n{}.\n", escaped(path), escaped(command.get_description()));
    for (const CLI::Option *const option : command.get_options([](const CLI::Option *) { return true; })) {
        text += option == command.get_help_ptr() ? "" : about(*option);
    }
    text += command.get_footer().empty() ? "" : as_it_stands(command.get_footer());
    for (const CLI::App *const below : command.get_subcommands([](const CLI::App *) { return true; })) {
        text += about_command(*below, path + " " + below->get_name());
    }
    return text;
}

}  // namespace

std::string manual_page(const CLI::App &program) {
    std::string text = fmt::format(
        ".TH PERDURE 1 \"\" \"perdure {}\"\n.SH NAME\nperdure \\- solve partial differential equations on "
        "structured grids\n"
        ".SH SYNOPSIS\n.B perdure\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.br\n.B perdure help\n[\\fITOPIC\\fR]\n.SH "
        "DESCRIPTION\n{}\n"
        "A case file in YAML describes a problem; the result is an HDF5 file that ParaView and xarray can "
        "open.\n.SH COMMANDS\n",
        escaped(std::string(version())), escaped(program.get_description()));
    for (const CLI::App *const command : program.get_subcommands([](const CLI::App *) { return true; })) {
        text += about_command(*command, command->get_name());
    }
    return text + ".SH \"EXIT STATUS\"\n" + as_it_stands(exit_codes) + ".SH FILES\n.TP\n" +
           escaped("results/NAME.vtkhdf") + "\nresult of a case\n.TP\n" + escaped("~/.cache/perdure") +
           "\ncompiled kernels and measured times\n";
}

}  // namespace perdure::commands
