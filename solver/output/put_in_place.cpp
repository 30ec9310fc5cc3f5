#include "solver/output/put_in_place.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace perdure {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error) {
    throw std::system_error(error, std::generic_category());
}

/// renameat2(2): 0, or the error.
int rename_with(const fs::path &from, const fs::path &to, unsigned flags) {
    return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0 ? 0 : errno;
}

bool is_unknown(int error) {
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

void rename_plainly(const fs::path &from, const fs::path &to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        fail(errno);
    }
}

/// Never replaces; on a file system without that rename a hard link does it, and without hard links a look before.
void rename_to_free_name(const fs::path &from, const fs::path &to) {
    const int error = rename_with(from, to, RENAME_NOREPLACE);
    if (error == 0) {
        return;
    }
    if (!is_unknown(error)) {
        fail(error);
    }
    std::error_code none;
    if (!fs::is_directory(from, none)) {
        if (link(from.c_str(), to.c_str()) == 0) {
            fs::remove(from);
            return;
        }
        if (errno != EPERM && !is_unknown(errno)) {
            fail(errno);
        }
    }
    if (fs::exists(fs::symlink_status(to, none))) {
        fail(EEXIST);
    }
    rename_plainly(from, to);
}

void replace_folder(const fs::path &from, const fs::path &to) {
    std::error_code none;
    if (!fs::exists(fs::symlink_status(to, none))) {
        rename_plainly(from, to);
        return;
    }
    const int error = rename_with(from, to, RENAME_EXCHANGE);
    if (error == 0) {
        return;
    }
    if (!is_unknown(error)) {
        fail(error);
    }
    rename_plainly(to, set_aside(from));
    rename_plainly(from, to);
}

}  // namespace

void sync_to_disk(const fs::path &path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(errno);
    }
    const bool synced = fsync(descriptor) == 0;
    const int error = errno;
    close(descriptor);
    if (!synced && error != EINVAL && error != ENOTSUP) {  // folders of some file systems cannot be synced
        fail(error);
    }
}

void sync_folder_of(const fs::path &path) {
    sync_to_disk(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

void put_in_place(const fs::path &from, const fs::path &to, bool replace) {
    if (!replace) {
        rename_to_free_name(from, to);
    } else if (fs::is_directory(fs::symlink_status(from))) {
        replace_folder(from, to);
    } else {
        rename_plainly(from, to);
    }
}

fs::path set_aside(const fs::path &from) {
    fs::path aside = from;
    return aside += ".replaced";
}

void restore_set_aside(const fs::path &from, const fs::path &to) {
    std::error_code error;
    if (fs::exists(set_aside(from), error) && !fs::exists(fs::symlink_status(to, error))) {
        rename_plainly(set_aside(from), to);
    }
}

}  // namespace perdure
