"""early_stop_test.py PERDURE: SIGTERM and SIGINT at many points of a start. The exit code is 75 from the beginning of main();
only before that is it the system's."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import catches, wait_until  # noqa: E402

PERDURE = sys.argv.pop()
CASE = """problem: {type: heat, a: 1, initial: x}
grid: {shape: [64, 64]}
time: {end: 1.0e+6}
"""
IN_OPEN = 0x20
LIBC = ctypes.CDLL(None, use_errno=True)


class EarlyStop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.case = os.path.join(self.folder, "case.yaml")
        with open(self.case, "w", encoding="utf-8") as file:
            file.write(CASE)

    def start(self, command):
        return subprocess.Popen([PERDURE, command, self.case, "--set", "execution.backend=host"], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def stop(self, process, number):
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        results = os.path.join(self.folder, "results")
        for name in os.listdir(results) if os.path.isdir(results) else []:
            os.remove(os.path.join(results, name))
        return process.returncode, said

    def test_when_the_case_is_opened(self):
        for command in ("run", "validate", "verify", "compare"):
            for number in (signal.SIGTERM, signal.SIGINT):
                watch = LIBC.inotify_init1(os.O_CLOEXEC)
                self.assertGreaterEqual(LIBC.inotify_add_watch(watch, self.case.encode(), IN_OPEN), 0)
                with self.start(command) as process:
                    os.read(watch, 4096)
                    os.close(watch)
                    code, said = self.stop(process, number)
                # `validate` may have finished before the signal comes
                self.assertIn(code, (75, 0) if command == "validate" else (75,), f"{command}: {said}")

    def test_at_many_points(self):
        codes = {}
        for i in range(40):
            with self.start("run") as process:
                if i % 2:  # behind the beginning of main(), however long that takes to come
                    self.assertTrue(wait_until(lambda: catches(process, signal.SIGTERM), process))
                time.sleep(0.001 * i)
                handled = catches(process, signal.SIGTERM)
                code, said = self.stop(process, signal.SIGTERM)
            self.assertIn(code, (75,) if handled else (75, -signal.SIGTERM), said)
            codes[code] = codes.get(code, 0) + 1
        self.assertGreaterEqual(codes.get(75, 0), 20)


if __name__ == "__main__":
    unittest.main()
