// Moves a finished file or folder to its final name, in one step.
#pragma once

#include <filesystem>

namespace perdure {

/// Writes what the system still holds of a file or folder to the disk. Throws std::system_error.
void sync_to_disk(const std::filesystem::path &path);

/// The same of the folder that a file or folder is in: its name then is on the disk.
void sync_folder_of(const std::filesystem::path &path);

/// Renames a file, or a folder, to `to` on the same file system. `replace`: what has that name goes; a folder in one exchange,
/// where the file system can do that: the old one then has the name `from`, or set_aside(from). Otherwise nothing that has
/// the name is touched, and std::system_error says EEXIST.
void put_in_place(const std::filesystem::path &from, const std::filesystem::path &to, bool replace);

/// Where put_in_place() keeps the folder it replaces on file systems without exchange: `from` with an extension.
std::filesystem::path set_aside(const std::filesystem::path &from);

/// Puts back the folder that a killed put_in_place(from, to, true) had set aside.
void restore_set_aside(const std::filesystem::path &from, const std::filesystem::path &to);

}  // namespace perdure
