#include "solver/output/claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "solver/messages.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

constexpr const char *lock_file = "claim";
constexpr const char *numbered_file = "claim.";
constexpr int most_attempts = 100;  // each fails only because another process gave up its claim meanwhile
constexpr auto retry_delay = std::chrono::milliseconds(2);

[[noreturn]] void fail_at(const fs::path &path) {
    throw std::system_error(errno, std::generic_category(), path.string());
}

/// N of a file `claim.N`; 0 of others.
long number_of(const std::string &name) {
    const std::string beginning = numbered_file;
    long number = 0;
    if (name.starts_with(beginning)) {
        std::from_chars(name.data() + beginning.size(), name.data() + name.size(), number);
    }
    return number;
}

/// N of the file `claim.N` with the largest one; 0 when there is none.
long newest_number(const fs::path &folder) {
    long newest = 0;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder, error)) {
        newest = std::max(newest, number_of(entry.path().filename().string()));
    }
    return newest;
}

fs::path numbered(const fs::path &folder, long number) {
    return folder / (numbered_file + std::to_string(number));
}

/// Holds the folder as the file claim.N, by the largest N. N is 0 where there is none.
struct NumberedClaim {
    long number = 0;
    ClaimHolder holder;
    [[nodiscard]] bool is_held() const { return number > 0 && !is_gone(holder); }
};

NumberedClaim newest_claim(const fs::path &folder) {
    NumberedClaim newest{newest_number(folder), {}};
    if (newest.number > 0) {
        newest.holder = read_holder(numbered(folder, newest.number));
        newest.holder.may_be_taken_over = true;
    }
    return newest;
}

void refuse_other_kinds(const FileDescriptor &opened, const fs::path &file) {
    struct stat status {};
    if (fstat(opened.number(), &status) != 0) {
        fail_at(file);
    }
    if (!S_ISREG(status.st_mode)) {
        std::error_code error;
        throw std::system_error(
            EEXIST, std::generic_category(),
            fmt::format("{} is {}", file.string(), kind_of(fs::status(file, error).type())));
    }
}

/// The lock itself: whether this process has it now. `refused`: the file system has no locks.
bool lock(int descriptor, bool &refused) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) {
        return true;
    }
    refused = errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL;
    if (!refused && errno != EAGAIN && errno != EACCES) {
        fail_at(lock_file);
    }
    return false;
}

/// Creates a file that has its text from its first moment: 0, or the error. Without hard links it is empty for a moment.
int create_with_text(const fs::path &file) {
    const fs::path draft = file.parent_path() / fmt::format("{}-{:08x}{:08x}", lock_file,
                                                            std::random_device()(), std::random_device()());
    const FileDescriptor opened(open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!opened.is_open()) {
        return errno;
    }
    std::error_code ignored;
    int error = 0;
    try {
        write_holder(opened.number(), draft);
        error = link(draft.c_str(), file.c_str()) == 0 ? 0 : errno;
        if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS) {
            const FileDescriptor made(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            error = made.is_open() ? 0 : errno;
            if (made.is_open()) {
                write_holder(made.number(), file);
            }
        }
    } catch (...) {
        fs::remove(draft, ignored);
        throw;
    }
    fs::remove(draft, ignored);
    return error;
}

/// Creates claim.(N+1) beyond the newest one, whose process is gone. False when another process was faster.
bool create_numbered(const fs::path &folder, const NumberedClaim &newest) {
    const fs::path file = numbered(folder, newest.number + 1);
    errno = create_with_text(file);
    if (errno == EEXIST || errno == ENOENT) {
        return false;
    }
    if (errno != 0) {
        fail_at(file);
    }
    const bool unchanged = newest.number == 0 ||
                           lines_of(read_holder(numbered(folder, newest.number))) == lines_of(newest.holder);
    if (!unchanged || newest_number(folder) != newest.number + 1) {
        unlink(file.c_str());
        return false;
    }
    return true;
}

}  // namespace

bool is_claim_file(const std::string &name) {
    constexpr std::size_t digits_of_draft = 16;
    const std::string beginning = lock_file;
    if (!name.starts_with(beginning)) {
        return false;
    }
    const std::string rest = name.substr(beginning.size());
    return rest.empty() ||
           (rest.front() == '.' && rest.size() > 1 &&
            rest.find_first_not_of("0123456789", 1) == std::string::npos) ||
           (rest.front() == '-' && rest.size() == digits_of_draft + 1 &&
            rest.find_first_not_of("0123456789abcdef", 1) == std::string::npos);
}

Claim::Claim(fs::path folder, FileDescriptor locked, fs::path file)
    : locked_(std::move(locked)),
      folder_(std::move(folder)),
      file_(std::move(file)),
      number_(locked_.is_open() ? 0 : number_of(file_.filename().string())),
      holder_(number_ > 0 ? read_holder(file_) : ClaimHolder()) {}

Claim::Claim(Claim &&other) noexcept
    : locked_(std::move(other.locked_)),
      folder_(std::move(other.folder_)),
      file_(std::move(other.file_)),
      number_(other.number_),
      holder_(std::move(other.holder_)) {
    other.file_.clear();
}

/// Not where the folder of that name is another one by now.
bool Claim::is_still_ours() const {
    return locked_.is_open() ? is_still_at(locked_, file_)
                             : lines_of(read_holder(file_)) == lines_of(holder_);
}

Claim::~Claim() {
    if (file_.empty() || !is_still_ours()) {
        return;
    }
    std::error_code ignored;
    std::vector<fs::path> others;
    for (const auto &entry : fs::directory_iterator(folder_, ignored)) {
        const fs::path name = entry.path().filename();
        const bool took_over = number_ > 0 && number_of(name.string()) > number_;
        if (is_claim_file(name.string()) && name != file_.filename() && !took_over) {
            others.push_back(entry.path());
        }
    }
    for (const fs::path &other : others) {
        fs::remove(other, ignored);
    }
    std::error_code error;
    fs::remove(file_, error);  // last: until then the name is taken
    // NFS keeps a removed file in its folder for as long as it is open.
    { const FileDescriptor closed(std::move(locked_)); }
    if (rmdir(folder_.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT && !error) {
        error.assign(errno, std::generic_category());
    }
    if (error) {
        print_message("warning: cannot remove '{}' ({}); the file is harmless\n", folder_.string(),
                      error.message());
    }
}

std::variant<Claim, ClaimHolder> claim_folder(const fs::path &folder, bool take_over) {
    const fs::path file = folder / lock_file;
    ClaimHolder holder;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const bool is_new = mkdir(folder.c_str(), 0777) == 0;
        if (!is_new && errno != EEXIST) {
            fail_at(folder);
        }
        if (const NumberedClaim newest = newest_claim(folder); newest.is_held() && !take_over) {
            return newest.holder;
        }
        FileDescriptor opened(
            open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
        if (!opened.is_open()) {
            if (errno == ENOENT) {
                continue;  // the folder was given up after mkdir
            }
            const int error = errno;
            if (is_new) {
                rmdir(folder.c_str());  // a umask can make a folder that its own user may not enter
            }
            errno = error;
            fail_at(file);
        }
        refuse_other_kinds(opened, file);
        bool no_locks = false;
        const bool locked = lock(opened.number(), no_locks);
        if (!locked && !no_locks) {
            holder = read_holder(file);
            if (holder.process != 0) {
                return holder;
            }
            std::this_thread::sleep_for(retry_delay);  // it has the lock and writes its name now
            continue;
        }
        const NumberedClaim newest = newest_claim(folder);
        if (newest.is_held() && !take_over) {  // by a process that was faster than this one
            return newest.holder;
        }
        if (!locked) {
            if (create_numbered(folder, newest)) {
                return Claim(folder, FileDescriptor(-1), numbered(folder, newest.number + 1));
            }
            std::this_thread::sleep_for(retry_delay);
        } else if (is_still_at(opened, file)) {  // else its holder removed it: nothing would be locked
            const int number = opened.number();
            Claim claim(folder, std::move(opened), file);  // gives up if this process cannot write its name
            write_holder(number, file);
            return claim;
        }
    }
    return holder;
}

}  // namespace perdure
