"""measure_whole_runs_test.py MEASURE_WHOLE_RUNS PERDURE: small rows on host threads, and a program with other answers. 77 without h5py."""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

PERDURE = sys.argv.pop()
MEASURE = pathlib.Path(sys.argv.pop())


def run(*arguments):
    done = subprocess.run([sys.executable, MEASURE, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    return done


class MeasureWholeRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.result = self.folder / "whole.json"
        self.small = ("--backend", "host", "--scale", 0.05, "--rounds", 2, "--json", self.result)

    def points(self):
        return {point["point"]: point for point in json.loads(self.result.read_text(encoding="utf-8"))["points"]}

    def test_parts_add_up_to_the_process(self):
        done = run(PERDURE, "--against", PERDURE, *self.small, "--rows", "Poisson 256^3, default*", "--rows", "effective*u",
                   "--rows", "sweep of 32*")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("| same bits |"), 3, done.stdout)
        self.assertIn("15.3, 5.6 and 5.1 s", done.stdout)
        points = self.points()
        self.assertEqual(len(points), 3)
        for name, point in points.items():
            for program in ("new", "old"):
                self.assertEqual(len(point[program]["wall_seconds"]), 2)
            self.assertEqual(point["difference"], 0, name)
            self.assertIsNone(point["met"])
            parts = point["new"]["parts"]  # medians of two runs: means, which add up
            self.assertAlmostEqual(sum(parts.values()), statistics.mean(point["new"]["wall_seconds"]), delta=1e-9)
            self.assertGreater(parts["outside"], 0, name)
            self.assertGreater(parts["launch"], 0, name)
        same = subprocess.run([sys.executable, MEASURE.parent / "find_regressions", self.result, self.result], capture_output=True,
                              text=True, check=False)
        self.assertEqual((same.returncode, same.stdout.split(";")[0]), (0, "0 regressions in 6 times"), same.stderr)

    def test_a_fast_wrong_answer_is_noticed(self):
        other = self.folder / "other"
        other.write_text(f'#!/bin/sh\nif [ "$1" = run ]; then\n  exec {PERDURE} "$@" --set solver.rtol=1e-2 '
                         f"--set solver.multigrid.direct_level=none\nfi\nexec {PERDURE} \"$@\"\n", encoding="utf-8")
        other.chmod(0o755)
        done = run(other, "--against", PERDURE, *self.small, "--rows", "Poisson*host threads")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("OTHER ANSWERS: Poisson 64^2, host threads", done.stdout)
        self.assertGreater(self.points()["Poisson 64^2, host threads"]["difference"], 1e-6)

    def test_rows_that_are_not_there(self):
        self.assertEqual(len(run("--list").stdout.splitlines()), 12)
        done = run(PERDURE, "--rows", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--list prints them", done.stderr)


if __name__ == "__main__":
    unittest.main()
