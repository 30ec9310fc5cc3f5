/* The C library's functions for files, each of which passes through count_call() before its system call: see fault_plan.h.
 * remove() and fopen() are here since their own system calls do not come through the functions of that name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fault_plan.h"

static int is_written(int flags) {
    return (flags & O_CREAT) || (flags & O_ACCMODE) != O_RDONLY;
}

static int open_counted(int folder, const char *path, int flags, mode_t mode) {
    if (is_written(flags) && count_call("open", flags & O_CREAT ? needs_room : other_call, path) == refuse) {
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPEN_FUNCTION(name, parameters, folder)                      \
    int name parameters {                                            \
        mode_t mode = 0;                                             \
        if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
            va_list rest;                                            \
            va_start(rest, flags);                                   \
            mode = va_arg(rest, mode_t);                             \
            va_end(rest);                                            \
        }                                                            \
        return open_counted(folder, path, flags, mode);              \
    }

OPEN_FUNCTION(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(openat, (int folder, const char *path, int flags, ...), folder)
OPEN_FUNCTION(openat64, (int folder, const char *path, int flags, ...), folder)

#define FOPEN_FUNCTION(name)                                                    \
    FILE *name(const char *path, const char *mode) {                            \
        const enum kind kind = *mode == 'r' ? other_call : needs_room;          \
        if (strpbrk(mode, "wa+") && count_call("open", kind, path) == refuse) { \
            return NULL;                                                        \
        }                                                                       \
        FILE *(*next)(const char *, const char *);                              \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                              \
        return next(path, mode);                                                \
    }

FOPEN_FUNCTION(fopen)
FOPEN_FUNCTION(fopen64)

/* Runs the call with `bytes` of them, or half of these. */
#define WRITE_COUNTED(name, descriptor, bytes, call)                                    \
    size_t allowed = bytes;                                                             \
    const enum outcome outcome = count_descriptor_call(name, writes_bytes, descriptor); \
    if (outcome == refuse) {                                                            \
        return -1;                                                                      \
    }                                                                                   \
    if (outcome != execute) {                                                           \
        allowed = allowed / 2;                                                          \
    }                                                                                   \
    const ssize_t written = (call);                                                     \
    if (outcome == tear) {                                                              \
        kill_this_process();                                                            \
    }                                                                                   \
    return written

ssize_t write(int descriptor, const void *data, size_t bytes) {
    WRITE_COUNTED("write", descriptor, bytes, syscall(SYS_write, descriptor, data, allowed));
}

ssize_t pwrite(int descriptor, const void *data, size_t bytes, off_t offset) {
    WRITE_COUNTED("pwrite", descriptor, bytes, syscall(SYS_pwrite64, descriptor, data, allowed, offset));
}

ssize_t pwrite64(int descriptor, const void *data, size_t bytes, off64_t offset) {
    WRITE_COUNTED("pwrite", descriptor, bytes, syscall(SYS_pwrite64, descriptor, data, allowed, offset));
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    const struct iovec first = {parts[0].iov_base, (parts[0].iov_len + 1) / 2};
    const size_t all = (size_t)count;
    WRITE_COUNTED("writev", descriptor, all,
                  allowed == all ? syscall(SYS_writev, descriptor, parts, count)
                                 : syscall(SYS_writev, descriptor, &first, 1));
}

/* A function that counts one call and makes one system call. */
#define COUNTED(name, parameters, condition, counted, call) \
    int name parameters {                                   \
        if ((condition) && (counted) == refuse) {           \
            return -1;                                      \
        }                                                   \
        return (int)(call);                                 \
    }

COUNTED(ftruncate, (int descriptor, off_t bytes), 1,
        count_descriptor_call("ftruncate", needs_room, descriptor), syscall(SYS_ftruncate, descriptor, bytes))
COUNTED(ftruncate64, (int descriptor, off64_t bytes), 1,
        count_descriptor_call("ftruncate", needs_room, descriptor), syscall(SYS_ftruncate, descriptor, bytes))
COUNTED(truncate, (const char *path, off_t bytes), 1, count_call("truncate", other_call, path),
        syscall(SYS_truncate, path, bytes))
COUNTED(truncate64, (const char *path, off64_t bytes), 1, count_call("truncate", other_call, path),
        syscall(SYS_truncate, path, bytes))
COUNTED(fsync, (int descriptor), 1, count_descriptor_call("fsync", other_call, descriptor),
        syscall(SYS_fsync, descriptor))
COUNTED(fdatasync, (int descriptor), 1, count_descriptor_call("fsync", other_call, descriptor),
        syscall(SYS_fdatasync, descriptor))
COUNTED(rename, (const char *from, const char *to), 1, count_call("rename", other_call, to),
        syscall(SYS_rename, from, to))
COUNTED(renameat2, (int from_folder, const char *from, int to_folder, const char *to, unsigned flags), 1,
        count_call("rename", flags ? renames_with_flags : other_call, to),
        syscall(SYS_renameat2, from_folder, from, to_folder, to, flags))
COUNTED(link, (const char *from, const char *to), 1, count_call("link", needs_room, to),
        syscall(SYS_link, from, to))
COUNTED(linkat, (int from_folder, const char *from, int to_folder, const char *to, int flags), 1,
        count_call("link", needs_room, to), syscall(SYS_linkat, from_folder, from, to_folder, to, flags))
COUNTED(unlink, (const char *path), 1, count_call("unlink", other_call, path), syscall(SYS_unlink, path))
COUNTED(rmdir, (const char *path), 1, count_call("rmdir", other_call, path), syscall(SYS_rmdir, path))
COUNTED(mkdir, (const char *path, mode_t mode), 1, count_call("mkdir", needs_room, path),
        syscall(SYS_mkdir, path, mode))
COUNTED(flock, (int descriptor, int operation), operation != LOCK_UN,
        count_descriptor_call("flock", takes_lock, descriptor), syscall(SYS_flock, descriptor, operation))

int unlinkat(int folder, const char *path, int flags) {
    char link[64];
    char parent[4096];
    char whole[8192];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const ssize_t length = folder == AT_FDCWD || *path == '/' ? 0 : readlink(link, parent, sizeof parent - 1);
    snprintf(whole, sizeof whole, "%.*s%s%s", length > 0 ? (int)length : 0, parent, length > 0 ? "/" : "",
             path);
    if (count_call(flags & AT_REMOVEDIR ? "rmdir" : "unlink", other_call, whole) == refuse) {
        return -1;
    }
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int remove(const char *path) {
    const int removed = unlink(path);
    return removed == 0 || errno != EISDIR ? removed : rmdir(path);
}

/* Counts the close of a file that is open for writing; leaves the error in errno. */
static int is_close_refused(int descriptor) {
    const int flags = (int)syscall(SYS_fcntl, descriptor, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
           count_descriptor_call("close", other_call, descriptor) == refuse;
}

/* The descriptor is closed even where the call fails, as on Linux. */
int close(int descriptor) {
    const int refused = is_close_refused(descriptor);
    const int error = errno;
    const int closed = (int)syscall(SYS_close, descriptor);
    if (refused) {
        errno = error;
    }
    return refused ? -1 : closed;
}

int fclose(FILE *file) {
    const int refused = is_close_refused(fileno(file));
    const int error = errno;
    int (*next)(FILE *);
    *(void **)&next = dlsym(RTLD_NEXT, "fclose");
    const int closed = next(file);
    if (refused) {
        errno = error;
    }
    return refused ? EOF : closed;
}

static int is_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

#define FCNTL_FUNCTION(name)                                                                       \
    int name(int descriptor, int command, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, command);                                                                   \
        void *argument = va_arg(rest, void *);                                                     \
        va_end(rest);                                                                              \
        if (is_lock(command) && count_descriptor_call("lock", takes_lock, descriptor) == refuse) { \
            return -1;                                                                             \
        }                                                                                          \
        return (int)syscall(SYS_fcntl, descriptor, command, argument);                             \
    }

FCNTL_FUNCTION(fcntl)
FCNTL_FUNCTION(fcntl64)
