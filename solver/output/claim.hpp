// One writer at a time: a claim on a folder, which ends with the process that holds it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

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

/// Holds a folder for this process. The destructor gives it up: it removes its files and the folder, if that is empty then.
///
/// The claim is a lock on the file `claim` in the folder (an open-file-description lock: the kernel frees it when the process
/// ends, however it ends). Where the file system refuses locks, it is the file `claim.N` that this process linked into
/// place; the valid one is that of the largest N. A process takes over by creating `claim.(N+1)`, once it knows that the
/// process in `claim.N` is gone: two cannot create the same file, and the one who did looks at `claim.N` again, for the folder
/// may have changed hands in between.
class Claim {
  public:
    Claim(Claim &&other) noexcept;
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;
    Claim &operator=(Claim &&) = delete;
    ~Claim();

  private:
    friend std::variant<Claim, ClaimHolder> claim_folder(const std::filesystem::path &folder, bool take_over);
    Claim(std::filesystem::path folder, int descriptor, std::filesystem::path file);

    std::filesystem::path folder_;
    int descriptor_;  // of the locked file; -1 where the claim is a file
    std::filesystem::path file_;
};

/// Claims the folder, which is created where it is not there, or returns who holds it. `take_over`: also from a process that
/// cannot be seen from here, where the file system refuses locks. Throws std::system_error where the folder cannot be created
/// or written.
std::variant<Claim, ClaimHolder> claim_folder(const std::filesystem::path &folder, bool take_over);

/// Whether `name` is a file that a claim makes in its folder.
bool is_claim_file(const std::string &name);

}  // namespace perdure
