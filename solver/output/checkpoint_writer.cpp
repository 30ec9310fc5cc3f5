#include "solver/output/checkpoint_writer.hpp"

#include <system_error>

#include <fmt/format.h>

#include "solver/messages.hpp"
#include "solver/output/needed_space.hpp"
#include "solver/output/output_names.hpp"
#include "solver/output/replace_file.hpp"

namespace perdure {

void CheckpointWriter::write(const Checkpoint &checkpoint) {
    if (const auto cell = first_not_finite(checkpoint)) {
        print_message(
            "warning: no checkpoint was written after step {}, because a value in cell {} is not finite; the "
            "checkpoint before it is kept\n",
            checkpoint.step, *cell);
        return;
    }
    const std::filesystem::path file = partial_folder(config_) / checkpoint_name(config_, checkpoint.step);
    folder_.expect_same();
    try {
        replace_file(file, [&](const std::filesystem::path &temporary) {
            write_checkpoint_file(temporary, checkpoint);
            folder_.expect_same();
        });
    } catch (const std::system_error &error) {
        folder_.expect_same();  // if that is why, it is what to say
        throw Failure(ExitCode::input_output,
                      fmt::format("cannot write the checkpoint '{}': {}; earlier checkpoints are intact. {}",
                                  file.string(), error.code().message(), advice_after(error.code().value())));
    }
    last_ = {checkpoint.step, file};
    const auto keep = static_cast<std::size_t>(config_.output.checkpoint.value_or(CheckpointConfig()).keep);
    const std::vector<std::filesystem::path> there = find_checkpoints(config_);
    for (std::size_t i = keep; i < there.size(); ++i) {
        std::error_code ignored;
        std::filesystem::remove(there[i], ignored);
    }
}

}  // namespace perdure
