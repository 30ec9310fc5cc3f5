// Replaces a file by a new one. The old file stays complete until the new one is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace perdure {

/// A name for a temporary file beside `path`, of this process alone, also among those of other hosts that write into the same folder.
std::filesystem::path temporary_beside(const std::filesystem::path &path);

/// Removes a temporary file; whoever still has it open holds no space.
void remove_temporary(const std::filesystem::path &path);

/// `write` makes a temporary file beside `path`; it is synced to disk, renamed to `path`, and the folder
/// synced. When anything fails the temporary file is removed, `path` is as it was, and the exception goes on.
/// Throws std::system_error for what the system refuses.
void replace_file(const std::filesystem::path &path,
                  const std::function<void(const std::filesystem::path &)> &write);

/// The same for a file that holds `text`.
void replace_with_text(const std::filesystem::path &path, const std::string &text);

/// The same for a file whose name is known once it is written: `write` returns it, a path in the folder of `beside`.
std::filesystem::path create_and_name(
    const std::filesystem::path &beside,
    const std::function<std::filesystem::path(const std::filesystem::path &)> &write);

}  // namespace perdure
