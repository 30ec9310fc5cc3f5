// The process that holds a claim, as recorded in the claim's file.
#pragma once

#include <filesystem>
#include <string>

namespace perdure {

/// The process that holds a claim, as it wrote itself down. Empty where it was killed before it could.
struct ClaimHolder {
    std::string host;
    std::string process_namespace;  // process numbers of two containers on one host are not comparable
    long process = 0;
    std::string started;  // of the process, in clock ticks after the boot of its host
    std::string since;    // UTC
    bool may_be_taken_over =
        false;  // --take-over helps: the file system has no locks, and the process cannot be seen from here

    /// `process 1234 on host n12 (since 2026-01-02T03:04:05Z)`
    [[nodiscard]] std::string text() const;
};

/// What a claim's file holds, in lines.
std::string lines_of(const ClaimHolder &holder);

/// What a claim's file says; a holder without process where it says nothing (yet).
ClaimHolder read_holder(const std::filesystem::path &file);

/// Writes this process into the open file, which `file` names in errors. Throws std::system_error.
void write_holder(int descriptor, const std::filesystem::path &file);

/// Whether that process can be seen from here and has ended.
bool is_gone(const ClaimHolder &holder);

}  // namespace perdure
