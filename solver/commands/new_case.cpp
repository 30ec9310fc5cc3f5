#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "solver/case_file/case_schema.hpp"
#include "solver/commands/examples.hpp"
#include "solver/commands/new_case.hpp"
#include "solver/commands/words.hpp"
#include "solver/equations/equation.hpp"
#include "solver/in_words.hpp"
#include "solver/messages.hpp"
#include "solver/output/replace_file.hpp"
#include "solver/output/text_table.hpp"
#include "solver/output/wrap_text.hpp"
#include "solver/regular_file.hpp"

namespace perdure::commands {

namespace {

/// Replaces a file alone, and only where asked to. A link is refused: whoever names it may not know the file behind it.
void check_replaceable(const std::filesystem::path &path, bool force) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
    std::string reason;
    if (std::filesystem::is_symlink(status)) {
        reason = fmt::format("is a link to {}; name that file instead, or remove the link",
                             std::filesystem::read_symlink(path, error).string());
    } else if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        reason = fmt::format("is {}; give another name", kind_of(status.type()));
    } else if (std::filesystem::exists(status) && !force) {
        reason = "already exists; give another name, or use --force to replace it";
    }
    if (!reason.empty()) {
        throw Failure(ExitCode::input_output, fmt::format("{} {}", path.string(), reason));
    }
}

void write_text(const std::filesystem::path &path, const std::string &text) {
    try {
        replace_file(path, [&](const std::filesystem::path &temporary) {
            errno = 0;
            std::ofstream file(temporary);
            file << text;
            file.close();
            if (!file) {
                throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
            }
        });
    } catch (const std::system_error &failed) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot write {}: {}; does its folder exist, and may you write to it?",
                                  path.string(), failed.code().message()));
    }
}

/// A case before it is written.
struct NewCase {
    std::string text;
    std::string first;  // what its user does before it runs, a clause
};

std::vector<std::string> types_of_problems() {
    std::vector<std::string> types;
    for (const Equation &equation : all_equations()) {
        types.emplace_back(name(equation.type));
    }
    return types;
}

NewCase of_type(const std::string &type) {
    const Equation &equation = all_equations()[index_of("--type", type, types_of_problems())];
    return {equation.starting_case(), equation.before_it_runs};
}

Example example_named(const std::string &name) {
    std::vector<std::string> names;
    for (const Example &example : examples()) {
        names.push_back(example.name);
        if (example.name != name) {
            continue;
        }
        if (!example.data_files.empty()) {
            throw Failure(
                ExitCode::case_or_usage,
                fmt::format("--example: {} needs the data file {}, which is not part of the program; "
                            "`tools/run inputs/{}.yaml` in the source tree creates it and runs the case. To "
                            "begin with an image of your own: perdure new --type {}",
                            name, in_words(example.data_files, "and"), name, example.type));
        }
        return example;
    }
    std::string advice = did_you_mean(name, names);
    if (std::erase_if(names, [&](const std::string &known) { return known.find(name) == std::string::npos; });
        advice.empty() && !names.empty()) {
        advice = fmt::format("; did you mean {}?", in_words(names, "or"));
    }
    throw Failure(ExitCode::case_or_usage,
                  fmt::format("--example: unknown example '{}'{}", name,
                              advice.empty() ? "; perdure new --list prints all" : advice));
}

/// The name of the equation that is solved on an image.
std::string_view type_of_images() {
    const std::span<const Equation> equations = all_equations();
    return name(std::find_if(equations.begin(), equations.end(), [](const Equation &equation) {
                    return equation.of_image;
                })->type);
}

NewCase chosen_case(const NewCaseOptions &options) {
    if (!options.example.empty()) {
        return {std::string(example_named(options.example).text), ""};
    }
    if (options.image.empty()) {
        return of_type(options.type.empty() ? "diffusion" : options.type);
    }
    if (!options.type.empty() && options.type != type_of_images()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--image: a case with an image has type {}, found --type {}",
                                  type_of_images(), options.type));
    }
    const ImageCase image = image_case(options);
    return {image.text, fmt::format("{}; give each label a coefficient", image.found)};
}

std::string read_beginning(const std::filesystem::path &path) {
    std::string text(1000, '\0');
    std::ifstream file(path);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

/// Whether the schema may stand there: nothing does, or that of another version.
bool may_be_schema(const std::filesystem::path &path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
    return !std::filesystem::exists(status) || (std::filesystem::is_regular_file(status) &&
                                                read_beginning(path).find(schema_title) != std::string::npos);
}

ExitCode list_examples() {
    using Align = TextTable::Align;
    TextTable table({{"example", Align::left}, {"type", Align::left}, {"title", Align::left}});
    std::string left_out;
    for (const Example &example : examples()) {
        if (example.data_files.empty()) {
            table.add({example.name, example.type, example.title});
        } else {
            left_out += fmt::format("{}{} ({})", left_out.empty() ? "" : ", ", example.name,
                                    in_words(example.data_files, "and"));
        }
    }
    print_output("{}\nperdure new --example NAME writes one of these.\n{}", table.plain(0),
                 wrap_text("Not listed, because they need data files: " + left_out, 0));
    return ExitCode::success;
}

}  // namespace

ExitCode new_case(const NewCaseOptions &options) {
    if (options.list) {
        return list_examples();
    }
    const std::filesystem::path path =
        options.path.empty() ? std::filesystem::path(options.example + ".yaml") : options.path;
    check_replaceable(path, options.force);
    const NewCase chosen = chosen_case(options);
    const std::filesystem::path schema = path.parent_path() / schema_file_name;
    const bool with_schema = !options.no_schema && may_be_schema(schema);
    write_text(path, with_schema ? fmt::format("# yaml-language-server: $schema={}\n{}", schema_file_name,
                                               chosen.text)
                                 : chosen.text);
    if (with_schema) {
        write_text(schema, case_schema());
    } else if (!options.no_schema) {
        print_message(
            "warning: {} exists and is not a schema written by perdure; it is not replaced, and the new case "
            "does not refer to it\n",
            schema.string());
    }
    print_output("wrote {}{}; {}: perdure run {}\n", path.string(),
                 with_schema ? fmt::format(", and {} for editors", schema.string()) : "",
                 chosen.first.empty() ? "try" : chosen.first + ", then", path.string());
    return ExitCode::success;
}

void add_new_case(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *command = program.add_subcommand("new", "write a commented starting case, or an example");
    const auto options = std::make_shared<NewCaseOptions>();
    command->add_option("file", options->path, "the file to write (default for an example: NAME.yaml)")
        ->type_name("CASE");
    command->add_flag("--force,-f", options->force, "replace the file if it exists");
    CLI::Option *type = command->add_option("--type", options->type, "the equation (default: diffusion)");
    type->type_name(choices(types_of_problems()));
    CLI::Option *example =
        command->add_option("--example", options->example, "write this example; --list lists the names");
    example->type_name("EXAMPLE")->excludes(type);
    command->add_flag("--list", options->list, "list the examples and write nothing");
    CLI::Option *image =
        command->add_option("--image", options->image,
                            "HDF5 file with a label image, whose shape and labels are written into the case");
    image->type_name("FILE")->excludes(example);
    command
        ->add_option("--dataset", options->dataset,
                     "path of the image in that file, if the file holds several")
        ->type_name("PATH")
        ->needs(image);
    command->add_flag(
        "--no-schema", options->no_schema,
        "leave out what editors need: the first line of the case and the schema file that this line names");
    command->footer(
        "Examples:\n  perdure new case.yaml\n  perdure new --type system case.yaml\n  perdure new --example "
        "gray_scott\n"
        "  perdure new --image image.h5 pores.yaml");
    command->callback([options, &chosen] {
        if (options->path.empty() && options->example.empty() && !options->list) {
            throw CLI::RequiredError("file");
        }
        chosen = [options] { return new_case(*options); };
    });
}

}  // namespace perdure::commands
