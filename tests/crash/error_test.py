"""error_test.py [--long] PERDURE SHIM: each system call of a run on results fails in turn - no room, an error of the device, a
quota - or writes half of its bytes. The run ends with exit code 6 and names file and reason; what was there before is whole.
A disk that is full, too. Last line: the counts."""

import collections
import errno
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import command_line
from command_line import main, some_of
from scenario import NEW, OLD, Scenario

MOST_CALLS = 14  # of a scenario and an action, in short form
NEEDED = {"open", "write", "pwrite", "writev", "fsync", "rename", "mkdir", "link", "ftruncate"}  # the result needs each of them
counts = collections.Counter({"errors": 0, "mixed": 0, "unreadable": 0, "unlisted": 0, "neither": 0, "left over": 0, "silent": 0})


class Errors(unittest.TestCase):
    def disturb_each_call(self, kind, old, action, error, calls_that_count=NEEDED):
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, kind, old)
        self.addCleanup(scenario.remove)
        done, calls = scenario.fresh().calls(*scenario.arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = [call for call in calls if call.name in calls_that_count]
        for call in some_of(calls, MOST_CALLS):
            program = scenario.fresh()
            done = program.run(*scenario.arguments, at=call.number, action=action, error=error)
            counts["errors"] += 1
            with self.subTest(kind=kind, over=old, action=action, error=error, call=call):
                self.check(scenario, program, done, old, error, call)

    def check(self, scenario, program, done, old, error, call):
        for kind, text in scenario.faults(program, [OLD, NEW] if old else [None, NEW]):
            counts[kind] += 1
            self.fail(f"{kind}: {text}")
        titles = [state.whole for state in scenario.look(program)[0]]
        if done.returncode == 0:  # it did without: a trial, or a call that another one stood in for
            # of threads, another call may have had the number: one that gives up a name
            is_clean = not scenario.has_partial(program) or re.search(r"cannot remove '[^']*\.partial'", done.stderr)
            complete = all(title == [NEW] for title in titles) and is_clean
            counts["silent"] += not complete
            self.assertTrue(complete, f"exit code 0 and {titles}: {done.stderr}")
            return
        self.assertEqual(done.returncode, 6, done.stdout + done.stderr)
        self.assertIn(os.strerror(getattr(errno, error)), done.stderr)
        self.assertRegex(done.stderr, r"results/[\w.-]+|output folder 'results'")

    def test_no_room(self):
        self.disturb_each_call("heat", None, "fail", "ENOSPC")
        self.disturb_each_call("growing", None, "fail", "ENOSPC")
        self.disturb_each_call("flux", "steady", "fail", "ENOSPC")

    def test_no_room_for_files_and_tables(self):
        self.disturb_each_call("files", "heat", "fail", "ENOSPC")
        self.disturb_each_call("sweep", "sweep", "fail", "ENOSPC")

    def test_an_error_of_the_device(self):
        self.disturb_each_call("heat", "files", "fail", "EIO")
        self.disturb_each_call("effective", None, "fail", "EIO", NEEDED | {"close", "unlink", "rmdir"})

    def test_a_quota(self):
        self.disturb_each_call("steady", "heat", "fail", "EDQUOT")

    def test_a_disk_that_becomes_full(self):
        self.disturb_each_call("heat", "heat", "full", "ENOSPC")
        self.disturb_each_call("growing", "heat", "full", "ENOSPC")
        self.disturb_each_call("files", None, "full", "ENOSPC")

    def test_half_of_the_bytes_then_no_room(self):
        self.disturb_each_call("heat", "heat", "short", "ENOSPC", {"write", "pwrite", "writev"})

    def test_half_of_the_bytes(self):
        """A write may do a part: the program writes the rest."""
        for kind in ("heat", "growing"):
            scenario = Scenario(command_line.PERDURE, command_line.SHIM, kind)
            self.addCleanup(scenario.remove)
            _, calls = scenario.fresh().calls(*scenario.arguments)
            for call in some_of([call for call in calls if call.name in ("write", "pwrite", "writev")], MOST_CALLS):
                with self.subTest(kind=kind, call=call):
                    program = scenario.fresh()
                    done = program.run(*scenario.arguments, at=call.number, action="half")
                    counts["errors"] += 1
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(scenario.faults(program, [NEW]), [])

    def test_a_small_disk(self):
        """A real one, where this process may mount it: room for less than a run needs, in steps of a page."""
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, "heat", "heat")
        self.addCleanup(scenario.remove)
        used = sum(-(-file.stat().st_size // 4096) * 4 for file in (scenario.root / "template/results").rglob("*") if file.is_file())
        for room in range(used + 16, used + 200, 12 if command_line.LONG else 48):
            with tempfile.TemporaryDirectory() as mounted, self.subTest(kilobytes=room):
                if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}k", "perdure-test", mounted], capture_output=True,
                                  check=False).returncode != 0:
                    self.skipTest("no right to mount a small file system")
                try:
                    program = scenario.copy_into(pathlib.Path(mounted).resolve())
                    done = program.run(*scenario.arguments)
                    self.check(scenario, program, done, "heat", "ENOSPC", None)
                    counts["errors"] += 1
                finally:
                    subprocess.run(["umount", mounted], check=True)


def tearDownModule():
    print(", ".join(f"{name}: {count}" for name, count in counts.items()), flush=True)


if __name__ == "__main__":
    main()
