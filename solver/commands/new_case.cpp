#include <fstream>

#include <fmt/format.h>

#include "solver/commands/commands.hpp"
#include "solver/commands/words.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {

ExitCode new_case(const std::filesystem::path &path, const std::string &type, bool force) {
    const bool effective = type == "effective";
    if (!effective && type != "diffusion") {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("--type: expected diffusion or effective, found '{}'{}", type,
                                  did_you_mean(type, {"diffusion", "effective"})));
    }
    std::error_code unknown;
    if (!force && std::filesystem::exists(path, unknown)) {
        throw Failure(
            ExitCode::input_output,
            fmt::format("{} is there already; give another name, or --force to replace it", path.string()));
    }
    std::ofstream file(path, std::ios::trunc);
    file << (effective ? starting_effective_case() : starting_case());
    file.close();
    if (!file) {
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot write {}; is its folder there and writable?", path.string()));
    }
    if (effective) {
        print_output(
            "wrote {0}; put the image beside it as image.h5 (tools/import_image makes it of TIFF slices), "
            "its "
            "labels and shape into it, then: perdure run {0}\n",
            path.string());
    } else {
        print_output("wrote {0}; try: perdure run {0}\n", path.string());
    }
    return ExitCode::success;
}

}  // namespace perdure::commands
