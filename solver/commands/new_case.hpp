// `perdure new`: writes a starting case.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "solver/failure.hpp"

namespace perdure::commands {

/// The file of the schema beside a new case, which its first line names.
inline constexpr const char *schema_file_name = "case.schema.json";

struct NewCaseOptions {
    std::filesystem::path path;  // empty: that of the example
    std::string type;            // one of problem.type; empty: diffusion, or effective of an image
    std::string example;
    std::string image, dataset;  // of an effective case
    bool list = false;           // prints the examples instead
    bool force = false;
    bool no_schema = false;  // leaves out what is for editors
};

/// Adds the command to the command line; `chosen` runs it.
void add_new_case(CLI::App &program, std::function<ExitCode()> &chosen);

/// Writes the case, and the schema beside it unless another file has that name. Refuses to overwrite a case without `force`.
ExitCode new_case(const NewCaseOptions &options);

/// A starting case of an image in an HDF5 file, its shape and labels filled in. Without a dataset the only one that may be an image is
/// taken. Throws Failure: there is none, or several; more labels than an effective case takes.
struct ImageCase {
    std::string text;
    std::string found;  // for people: dataset, shape and labels
};
ImageCase image_case(const NewCaseOptions &options);

}  // namespace perdure::commands
