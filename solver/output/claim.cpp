#include "solver/output/claim.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "solver/messages.hpp"

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

/// When the process started, in clock ticks after the boot of this host; empty when there is none of that number.
std::string start_of(long process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');  // the program's name may hold anything
    if (name_end == std::string::npos) {
        return {};
    }
    std::istringstream words(text.substr(name_end + 1));
    constexpr int words_before_start = 19;  // proc(5): word 22 of the line
    std::string word;
    for (int i = 0; i <= words_before_start; ++i) {
        words >> word;
    }
    return word;
}

ClaimHolder this_process() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::error_code none;
    return {host.data(), fs::read_symlink("/proc/self/ns/pid", none).string(), getpid(), start_of(getpid()),
            fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
}

std::string lines_of(const ClaimHolder &holder) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n", holder.host, holder.process_namespace, holder.process,
                       holder.started, holder.since);
}

/// What a claim file says; a holder without process where it says nothing (yet).
ClaimHolder read_holder(const fs::path &file) {
    std::ifstream stream(file);
    std::array<std::string, 5> lines;
    for (std::string &line : lines) {
        std::getline(stream, line);
    }
    if (!stream) {
        return {};
    }
    long process = 0;
    std::from_chars(lines[2].data(), lines[2].data() + lines[2].size(), process);
    return {lines[0], lines[1], process, lines[3], lines[4]};
}

bool is_gone(const ClaimHolder &holder) {
    const ClaimHolder here = this_process();
    const bool seen_from_here =
        holder.host == here.host && holder.process_namespace == here.process_namespace && holder.process > 0;
    return seen_from_here && start_of(holder.process) != holder.started;
}

void write_holder(int descriptor, const fs::path &file) {
    if (ftruncate(descriptor, 0) != 0) {
        fail_at(file);
    }
    const std::string text = lines_of(this_process());
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count =
            pwrite(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count <= 0) {
            errno = count == 0 ? ENOSPC : errno;
            fail_at(file);
        }
        done += static_cast<std::size_t>(count);
    }
}

/// N of the file `claim.N` with the largest one; 0 when there is none.
long newest_number(const fs::path &folder) {
    long newest = 0;
    std::error_code error;
    const std::string beginning = numbered_file;
    for (const auto &entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        long number = 0;
        if (name.starts_with(beginning)) {
            std::from_chars(name.data() + beginning.size(), name.data() + name.size(), number);
        }
        newest = std::max(newest, number);
    }
    return newest;
}

fs::path numbered(const fs::path &folder, long number) {
    return folder / (numbered_file + std::to_string(number));
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

/// The holder before it gave up and removed the file that this process has open would have locked nothing.
bool is_still_there(int descriptor, const fs::path &file) {
    struct stat open {};
    struct stat named {};
    return fstat(descriptor, &open) == 0 && stat(file.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

/// Creates a file that has its text from its first moment: 0, or the error. Without hard links it is empty for a moment.
int create_with_text(const fs::path &file) {
    const fs::path draft = file.parent_path() / fmt::format("{}-{:08x}{:08x}", lock_file,
                                                            std::random_device()(), std::random_device()());
    int descriptor = open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return errno;
    }
    std::error_code ignored;
    int error = 0;
    try {
        write_holder(descriptor, draft);
        error = link(draft.c_str(), file.c_str()) == 0 ? 0 : errno;
        close(descriptor);
        descriptor = -1;
        if (error == EPERM || error == EOPNOTSUPP || error == ENOSYS) {
            descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            error = descriptor < 0 ? errno : 0;
            if (descriptor >= 0) {
                write_holder(descriptor, file);
            }
        }
    } catch (...) {
        close(descriptor);
        fs::remove(draft, ignored);
        throw;
    }
    close(descriptor);
    fs::remove(draft, ignored);
    return error;
}

/// Creates claim.(N+1) beyond the newest one, whose process is gone. False when another process was faster.
bool create_numbered(const fs::path &folder, long newest, const std::string &newest_text) {
    const fs::path file = numbered(folder, newest + 1);
    errno = create_with_text(file);
    if (errno == EEXIST || errno == ENOENT) {
        return false;
    }
    if (errno != 0) {
        fail_at(file);
    }
    const bool unchanged = newest == 0 || lines_of(read_holder(numbered(folder, newest))) == newest_text;
    if (!unchanged || newest_number(folder) != newest + 1) {
        unlink(file.c_str());
        return false;
    }
    return true;
}

}  // namespace

std::string ClaimHolder::text() const {
    return process == 0 ? "a process that did not say which it is"
                        : fmt::format("process {} on host {} (since {})", process, host, since);
}

bool is_claim_file(const std::string &name) {
    return name.starts_with(lock_file);
}

Claim::Claim(fs::path folder, int descriptor, fs::path file)
    : folder_(std::move(folder)), descriptor_(descriptor), file_(std::move(file)) {}

Claim::Claim(Claim &&other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      file_(std::move(other.file_)) {
    other.file_.clear();
}

Claim::~Claim() {
    if (file_.empty()) {
        return;
    }
    std::error_code ignored;
    std::vector<fs::path> others;
    for (const auto &entry : fs::directory_iterator(folder_, ignored)) {
        const fs::path name = entry.path().filename();
        if (is_claim_file(name.string()) && name != file_.filename()) {
            others.push_back(entry.path());
        }
    }
    for (const fs::path &other : others) {
        fs::remove(other, ignored);
    }
    std::error_code error;
    fs::remove(file_, error);  // last: until then the name is taken
    if (error) {
        print_message("warning: '{}' could not be removed ({}); it does no harm\n", folder_.string(),
                      error.message());
    }
    rmdir(folder_.c_str());
    if (descriptor_ >= 0) {
        close(descriptor_);  // now: who waits for the lock finds that the file is gone
    }
}

std::variant<Claim, ClaimHolder> claim_folder(const fs::path &folder, bool take_over) {
    const fs::path file = folder / lock_file;
    ClaimHolder holder;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
            fail_at(folder);
        }
        const int descriptor =
            open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (descriptor < 0) {
            if (errno != ENOENT) {
                fail_at(file);
            }
            continue;  // the folder was given up after mkdir
        }
        bool no_locks = false;
        const bool locked = lock(descriptor, no_locks);
        if (!locked && !no_locks) {
            holder = read_holder(file);
            close(descriptor);
            if (holder.process != 0) {
                return holder;
            }
            std::this_thread::sleep_for(retry_delay);  // it has the lock and writes its name now
            continue;
        }
        const long newest = newest_number(folder);
        holder = newest > 0 ? read_holder(numbered(folder, newest)) : ClaimHolder{};
        const bool is_held = newest > 0 && !is_gone(holder);
        if (is_held && !take_over) {
            close(descriptor);
            holder.may_be_taken_over = true;
            return holder;
        }
        if (locked) {
            if (is_still_there(descriptor, file)) {
                write_holder(descriptor, file);
                return Claim(folder, descriptor, file);
            }
            close(descriptor);
            continue;
        }
        close(descriptor);
        if (create_numbered(folder, newest, lines_of(holder))) {
            return Claim(folder, -1, numbered(folder, newest + 1));
        }
        std::this_thread::sleep_for(retry_delay);
    }
    return holder;
}

}  // namespace perdure
