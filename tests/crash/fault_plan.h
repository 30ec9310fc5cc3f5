/* What fault_shim does at which system call, as the environment asks:
 *
 *   FAULT_FOLDER       counts only calls on paths below this folder (absolute, without symbolic links)
 *   FAULT_TRACE        appends a line for each counted call to this file: number, name of the call, path below the folder
 *   FAULT_AT           the number of the call that is disturbed; the first call is 1
 *   FAULT_ACTION       kill: the process kills itself before the call; stop: it stops itself (SIGSTOP) before the call;
 *                      torn: it writes half of the bytes, then kills itself; half: it writes half of the bytes and reports
 *                      that number; fail: the call fails with FAULT_ERROR; short: it writes half of the bytes, and the next
 *                      write to that file fails with FAULT_ERROR; full: from this call on every call that needs room fails
 *                      with FAULT_ERROR
 *   FAULT_ERROR        ENOSPC, EIO, EDQUOT, ENOLCK, EOPNOTSUPP, ENOSYS or EINVAL
 *   FAULT_LOCKS        locks (fcntl and flock) are refused with this error
 *   FAULT_RENAME_FLAGS renameat2 with flags is refused with this error
 *
 * The variables and LD_PRELOAD are removed from the environment once they are read, so that no child has the shim. */
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <stddef.h>

enum outcome {
    execute, /* the call goes to the kernel */
    refuse,  /* the call fails with the error that was returned */
    halve,   /* half of the bytes are written */
    tear     /* half of the bytes are written, then the process kills itself */
};

/* What kind of call it is: some actions apply to some kinds only. */
enum kind { other_call, needs_room, writes_bytes, takes_lock, renames_with_flags };

/* Counts a call on `path`, if it lies below the folder, and says what shall happen. A refusal sets errno. */
enum outcome count_call(const char *name, enum kind kind, const char *path);

/* The same for a call on an open file; on one below the folder that is open. */
enum outcome count_descriptor_call(const char *name, enum kind kind, int descriptor);

void kill_this_process(void);

#endif
