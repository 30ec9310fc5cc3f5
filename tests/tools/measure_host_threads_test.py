"""measure_host_threads_test.py MEASURE_HOST_THREADS PERDURE: a small case of two programs beside plain loops."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERDURE = sys.argv.pop()
MEASURE = sys.argv.pop()


class MeasureHostThreads(unittest.TestCase):
    def measure(self, *options):
        return subprocess.run([sys.executable, MEASURE, PERDURE, *options], capture_output=True, text=True, timeout=300, check=False)

    def test_two_programs_and_plain_loops(self):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder) / "host.json"
            done = self.measure("--against", PERDURE, "--rounds", "2", "--cases", "heat 512^2", "--json", str(result))
            self.assertEqual(done.returncode, 0, done.stderr)
            (row,) = json.loads(result.read_text(encoding="utf-8"))
        self.assertTrue(row["same_residual"])
        self.assertTrue(all(1.0 < row[key] < 1.0e6 for key in ("new_us", "old_us", "plain_us")), row)
        self.assertNotIn("other residuals", done.stdout)

    def test_names_that_are_none(self):
        done = self.measure("--cases", "cg 3^3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are: heat 512^2", done.stderr)


if __name__ == "__main__":
    unittest.main()
