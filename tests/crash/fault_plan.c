#define _GNU_SOURCE
#include "fault_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum action { no_action, kill_it, stop_it, tear_it, halve_it, fail_it, shorten_it, fill_up };

static struct {
    char folder[PATH_MAX];
    int trace; /* descriptor; -1: none */
    long at;
    enum action action;
    int error;
    int lock_error;
    int rename_error;
    pid_t process; /* 0: no folder was given */
} plan;

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static char shortened[PATH_MAX]; /* the file whose next write fails */

static void stop_program(const char *variable, const char *value) {
    fprintf(stderr, "fault_shim: %s=%s is unknown: tests/crash/fault_plan.h lists the values\n", variable,
            value);
    _exit(125);
}

static int error_named(const char *variable) {
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"ENOSPC", ENOSPC},         {"EIO", EIO},       {"EDQUOT", EDQUOT}, {"ENOLCK", ENOLCK},
                  {"EOPNOTSUPP", EOPNOTSUPP}, {"ENOSYS", ENOSYS}, {"EINVAL", EINVAL}};
    const char *value = getenv(variable);
    if (!value) {
        return 0;
    }
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; ++i) {
        if (strcmp(value, errors[i].name) == 0) {
            return errors[i].number;
        }
    }
    stop_program(variable, value);
    return 0;
}

static enum action action_named(void) {
    static const char *const names[] = {"", "kill", "stop", "torn", "half", "fail", "short", "full"};
    const char *value = getenv("FAULT_ACTION");
    for (size_t i = 0; value && i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(value, names[i]) == 0) {
            return (enum action)i;
        }
    }
    if (value) {
        stop_program("FAULT_ACTION", value);
    }
    return no_action;
}

__attribute__((constructor)) static void read_plan(void) {
    static const char *const variables[] = {"FAULT_FOLDER",       "FAULT_TRACE", "FAULT_AT",
                                            "FAULT_ACTION",       "FAULT_ERROR", "FAULT_LOCKS",
                                            "FAULT_RENAME_FLAGS", "LD_PRELOAD"};
    const char *folder = getenv("FAULT_FOLDER");
    if (folder) {
        snprintf(plan.folder, sizeof plan.folder, "%s", folder);
        plan.process = getpid();
        const char *trace = getenv("FAULT_TRACE");
        plan.trace =
            trace ? (int)syscall(SYS_openat, AT_FDCWD, trace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)
                  : -1;
        const char *at = getenv("FAULT_AT");
        plan.at = at ? strtol(at, NULL, 10) : 0;
        plan.action = action_named();
        plan.error = error_named("FAULT_ERROR");
        plan.lock_error = error_named("FAULT_LOCKS");
        plan.rename_error = error_named("FAULT_RENAME_FLAGS");
    }
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        unsetenv(variables[i]);
    }
}

void kill_this_process(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) {
        pause();
    }
}

static enum outcome refusal(int error) {
    errno = error;
    return refuse;
}

static enum outcome decide(long number, enum kind kind, const char *path) {
    const int at = number == plan.at;
    if (at && plan.action == kill_it) {
        kill_this_process();
    }
    if (at && plan.action == stop_it) {
        syscall(SYS_kill, getpid(), SIGSTOP);
    }
    const int room = kind == needs_room || kind == writes_bytes;
    if (kind == takes_lock && plan.lock_error) {
        return refusal(plan.lock_error);
    }
    if (kind == renames_with_flags && plan.rename_error) {
        return refusal(plan.rename_error);
    }
    if (kind == writes_bytes && shortened[0] && strcmp(shortened, path) == 0) {
        return refusal(plan.error);
    }
    if (plan.action == fill_up && plan.at && number >= plan.at && room) {
        return refusal(plan.error);
    }
    if (!at) {
        return execute;
    }
    switch (plan.action) {
        case fail_it:
            return refusal(plan.error);
        case shorten_it:
            snprintf(shortened, sizeof shortened, "%s", path);
            return kind == writes_bytes ? halve : execute;
        case halve_it:
            return kind == writes_bytes ? halve : execute;
        case tear_it:
            return kind == writes_bytes ? tear : execute;
        case no_action:
        case kill_it:
        case stop_it:
        case fill_up:
            break;
    }
    return execute;
}

/* Counts a call on a path whose folder is resolved. */
static enum outcome count_resolved(const char *name, enum kind kind, const char *path) {
    const size_t length = strlen(plan.folder);
    if (strncmp(path, plan.folder, length) != 0 || (path[length] != '/' && path[length] != '\0')) {
        return execute;
    }
    const int before = errno;
    pthread_mutex_lock(&counting);
    const long number = ++calls;
    if (plan.trace >= 0) {
        char line[PATH_MAX + 64];
        const int bytes =
            snprintf(line, sizeof line, "%ld %s %s\n", number, name, path[length] ? path + length + 1 : ".");
        syscall(SYS_write, plan.trace, line, (size_t)bytes);
    }
    errno = before;
    const enum outcome outcome = decide(number, kind, path);
    pthread_mutex_unlock(&counting);
    return outcome;
}

enum outcome count_call(const char *name, enum kind kind, const char *path) {
    if (!plan.process || getpid() != plan.process || !path) {
        return execute;
    }
    const int before = errno;
    char copy[PATH_MAX];
    char parent[PATH_MAX];
    char resolved[2 * PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    if (!realpath(dirname(copy), parent)) {
        errno = before;
        return execute;
    }
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(resolved, sizeof resolved, "%s/%s", parent, basename(copy));
    errno = before;
    return count_resolved(name, kind, resolved);
}

enum outcome count_descriptor_call(const char *name, enum kind kind, int descriptor) {
    if (!plan.process || getpid() != plan.process) {
        return execute;
    }
    const int before = errno;
    char link[64];
    char path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length <= 0) {
        return execute;
    }
    path[length] = '\0';
    return count_resolved(name, kind, path);
}
