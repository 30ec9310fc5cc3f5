// Allows one writer at a time: a claim on a folder, which ends with the process that holds it.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "solver/file_descriptor.hpp"
#include "solver/output/claim_holder.hpp"

namespace perdure {

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
    Claim(std::filesystem::path folder, FileDescriptor locked, std::filesystem::path file);
    [[nodiscard]] bool is_still_ours() const;

    FileDescriptor locked_;  // closed once the file is removed: who waits for the lock finds that it is gone
    std::filesystem::path folder_;
    std::filesystem::path file_;
    long number_ = 0;     // N of claim.N; 0 of a lock
    ClaimHolder holder_;  // as claim.N names this process
};

/// Claims the folder, which is created where it is not there, or returns who holds it. `take_over`: also from a process that
/// cannot be seen from here, where the file system refuses locks. Throws std::system_error where the folder cannot be created
/// or written.
std::variant<Claim, ClaimHolder> claim_folder(const std::filesystem::path &folder, bool take_over);

/// Whether `name` is a file that a claim makes in its folder.
bool is_claim_file(const std::string &name);

}  // namespace perdure
