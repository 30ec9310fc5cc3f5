"""digests_test.py DIGESTS PERDURE: what tools/digests finds and what it lets pass. On host threads. 77 without h5py."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERDURE = sys.argv.pop()
DIGESTS = sys.argv.pop()
QUICKLY = ("--models", "persistent", "--set", "execution.groups=1", "--only")


def run(*arguments):
    done = subprocess.run([sys.executable, DIGESTS, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    return done


class Digests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def other_program(self, text):
        """A program that runs perdure after its case files were changed."""
        path = self.folder / "other"
        path.write_text(f'#!/bin/sh\n[ "$1" = run ] && {text}\nexec {PERDURE} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_another_answer_is_found_and_measured(self):
        other = self.other_program("sed -i 's/problem.f: \"x-y\"/problem.f: \"x-2*y\"/; s/dt: 0.003}/dt: 0.003125}/' heat.yaml")
        done = run(other, "--against", PERDURE, *QUICKLY, "heat")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"heat, a source and a sigma, persistent, float64: field u has other values; history has other values")
        self.assertRegex(done.stdout, r"u: \d+ of 1110 values differ, by up to \d\.\d\de-\d\d; largest value \d\.\d\d")
        self.assertRegex(done.stdout, r"heat, a given step, persistent, float32: iterations: 80, was 84")
        self.assertIn("report: time_step 0.003125, was 0.003", done.stdout)
        self.assertIn("36 runs compared: 4 differ", done.stdout)

    def test_other_work_is_no_other_answer(self):
        other = self.other_program("set -- \"$@\" --set execution.groups=1")
        done = run(other, "--against", PERDURE, "--only", "uniform_3d")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_case_that_is_new_or_gone_is_a_difference(self):
        other = self.other_program("sed -i 's/title: one cell/title: a cell/' shapes.yaml")
        done = run(other, "--against", PERDURE, *QUICKLY, "shapes")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for line in ("shapes, one cell, persistent, float64: was not run", "shapes, a cell, persistent, float64: is new"):
            self.assertIn(line, done.stdout)


if __name__ == "__main__":
    unittest.main()
