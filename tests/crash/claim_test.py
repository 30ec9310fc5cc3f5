"""claim_test.py [--long] PERDURE SHIM: claims on an output name where the file system has no locks - of a process that is gone,
of another host - and a run one of whose threads stands still."""

import ctypes
import os
import pathlib
import re
import signal
import time
import unittest

import command_line
from cases import case_text
from command_line import main
from faults import finish
from processes import wait_until_busy
from scenario import NEW, Scenario

PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17
WAIT_ALL_THREADS = 0x40000000  # __WALL
MANY_STEPS = case_text("heat", 2).replace("[4, 6]", "[64, 64]").replace("dt: 0.005", "dt: 1.0e-5").replace(
    "end: 0.03", "end: 100.0").replace("snapshots: [0.01, 0.02, 0.03]", "snapshots: [100.0]").replace(
        "model: persistent", "model: persistent, watchdog: 2, groups: 2")


class Claims(unittest.TestCase):
    def setUp(self):
        self.scenario = Scenario(command_line.PERDURE, command_line.SHIM, "heat", None, {"locks": "ENOLCK"})
        self.addCleanup(self.scenario.remove)
        self.program = self.scenario.fresh()
        self.partial = self.program.folder / "results" / "it.partial"

    def kill_with_claim(self):
        _, calls = self.scenario.fresh("counted").calls(*self.scenario.arguments)
        merge = next(call for call in calls if call.name == "open" and "it_000006" in call.path)
        self.program.run(*self.scenario.arguments, at=merge.number, action="kill")
        claims = [file for file in self.partial.iterdir() if file.name.startswith("claim.")]
        self.assertEqual(len(claims), 1, "the killed run left its claim")
        return claims[0]

    def expect_whole(self):
        self.assertEqual(self.scenario.faults(self.program, [NEW]), [])
        self.assertEqual(self.scenario.has_partial(self.program), [])

    def test_the_claim_of_a_process_that_is_gone_is_taken_over(self):
        self.kill_with_claim()
        done = self.program.run(self.scenario.arguments[0], "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_whole()

    def test_the_claim_of_another_host_is_kept_unless_told(self):
        claim = self.kill_with_claim()
        host = os.uname().nodename
        claim.write_text(claim.read_text(encoding="utf-8").replace(host, "far-away"), encoding="utf-8")
        before = sorted(self.partial.iterdir())
        done = self.program.run(self.scenario.arguments[0], "--force")
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("far-away", done.stderr)
        self.assertIn("--take-over", done.stderr)
        self.assertEqual(sorted(self.partial.iterdir()), before)
        done = self.program.run(self.scenario.arguments[0], "--force", "--take-over")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_whole()

    def test_eight_take_over_the_claim_of_a_process_that_is_gone(self):
        """One of them gets it; whoever comes behind its end finds its result."""
        self.kill_with_claim()
        killed = self.program.folder
        for attempt in range(100 if command_line.LONG else 4):
            with self.subTest(attempt=attempt):
                self.program = self.scenario.copy(killed, "next")
                for file in (self.program.folder / "results" / "it.partial").glob("it_*"):
                    file.unlink()  # so that no --force is needed
                processes = [self.program.start(self.scenario.arguments[0]) for _ in range(8)]
                done = [finish(process) for process in processes]
                self.assertEqual({one.returncode for one in done} - {0, 6}, set())
                self.assertEqual(sum("wrote results/it.vtkhdf" in one.stdout for one in done), 1)
                self.assertEqual(sum("in an earlier run" in one.stdout for one in done),
                                 sum(one.returncode == 0 for one in done) - 1)
                self.expect_whole()


class Threads(unittest.TestCase):
    def test_a_thread_that_stands_still(self):
        """The run ends with the watchdog's error, or goes on; it neither hangs nor leaves a result that is wrong."""
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, "steady")
        self.addCleanup(scenario.remove)
        program = scenario.fresh()
        (program.folder / "long.yaml").write_text(MANY_STEPS, encoding="utf-8")
        for chosen in (0, 1, -1) if command_line.LONG else (-1,):
            with self.subTest(thread=chosen):
                running = program.start("long.yaml")
                wait_until_busy(running, 0.5)
                threads = sorted(int(task.name) for task in pathlib.Path(f"/proc/{running.pid}/task").iterdir())
                self.assertGreater(len(threads), 1)
                self.hold(threads[chosen], 5)
                started = time.monotonic()
                time.sleep(1)
                if running.poll() is None:  # it went on
                    running.send_signal(signal.SIGTERM)
                done = finish(running)
                self.assertLess(time.monotonic() - started, 20)
                self.assertIn(done.returncode, (7, 75), done.stdout + done.stderr)
                if done.returncode == 7:
                    self.assertTrue(re.search("watchdog|progress", done.stderr), done.stderr)
                    self.assertFalse((program.folder / "results" / "it.vtkhdf").exists())
                (program.folder / "results" / "it.vtkhdf").unlink(missing_ok=True)

    def hold(self, thread, seconds):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        if libc.ptrace(PTRACE_SEIZE, thread, None, None) != 0:
            self.skipTest(f"no right to hold a thread: {os.strerror(ctypes.get_errno())}")
        self.assertEqual(libc.ptrace(PTRACE_INTERRUPT, thread, None, None), 0)
        libc.waitpid(thread, None, WAIT_ALL_THREADS)
        time.sleep(seconds)
        libc.ptrace(PTRACE_DETACH, thread, None, None)


if __name__ == "__main__":
    main()
