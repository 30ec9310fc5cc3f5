"""measure_runs_test.py MEASURE_RUNS PERDURE: one point of two programs, of which one waits. On host threads. 77 without h5py."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERDURE = sys.argv.pop()
MEASURE = sys.argv.pop()


def run(*arguments):
    return subprocess.run([sys.executable, MEASURE, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


class MeasureRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_program_that_waits_is_slower(self):
        first = run(PERDURE, "--repetitions", 2, "--points", "host Poisson*", "--json", self.folder / "first.json")
        if first.returncode == 77:
            print(first.stdout)
            sys.exit(77)
        [point] = json.loads((self.folder / "first.json").read_text(encoding="utf-8"))["points"]
        wait = 1.0 + 3.0 * max(point["new"]["wall_seconds"])
        slow = self.folder / "slow"
        slow.write_text(f'#!/bin/sh\n[ "$1" = run ] && sleep {wait}\nexec {PERDURE} "$@"\n', encoding="utf-8")
        slow.chmod(0o755)
        result = self.folder / "runs.json"
        done = run(slow, "--against", PERDURE, "--repetitions", 2, "--points", "host Poisson*", "--json", result)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| SLOWER: process", done.stdout)
        [point] = json.loads(result.read_text(encoding="utf-8"))["points"]
        self.assertEqual(point["point"], "host Poisson 64^2")
        self.assertGreater(point["wall_seconds_ratio"], 1.0)
        self.assertEqual(point["new"]["stop_reason"], "converged (rtol)")
        for program in ("new", "old"):
            self.assertEqual(len(point[program]["wall_seconds"]), 2)
            for wall, launches in zip(point[program]["wall_seconds"], point[program]["launch_seconds"]):
                self.assertLess(launches, wall)
        self.assertGreater(min(point["new"]["wall_seconds"]), wait)

    def test_points_that_are_not_there(self):
        self.assertLessEqual(len(run("--list").stdout.splitlines()), 30)
        for pattern in ("nothing", "host"):
            done = run(PERDURE, "--points", pattern)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--list prints them", done.stderr)


if __name__ == "__main__":
    unittest.main()
