"""find_regressions_test.py FIND_REGRESSIONS: invented results of both kinds."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FIND = sys.argv.pop()


def runs(wall, launches, device="gpu", name="heat"):
    return {"points": [{"point": name, "device": device, "new": {"wall_seconds": wall, "launch_seconds": launches}}]}


def comparison(members, device="gpu"):
    return {"benchmark": "compare", "case": {"title": "Poisson"}, "points": [
        {"device": device, "shape": [64, 64], "precision": "float64", "members": [
            {"name": name, "status": "failed"} if samples is None
            else {"name": name, "status": "measured", "seconds_per_iteration": {"samples": samples}}
            for name, samples in members.items()]}]}


class FindRegressions(unittest.TestCase):
    def find(self, new, stored, *options):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("new.json", "stored.json")]
            for path, result in zip(paths, (new, stored)):
                path.write_text(result if isinstance(result, str) else json.dumps(result), encoding="utf-8")
            return subprocess.run([sys.executable, FIND, *paths, *options], capture_output=True, text=True, check=False)

    def expect(self, code, lines, *arguments):
        done = self.find(*arguments)
        self.assertEqual((done.returncode, done.stdout.splitlines()), (code, lines), done.stderr)

    def test_what_is_slower_in_median_and_least_time(self):
        stored = runs([1.0, 1.1, 1.2], [0.5, 0.5, 0.5])
        self.expect(1, ["REGRESSION: heat: launches on gpu: 0.52 s, stored 0.5 s: 4.0 % slower",
                        "1 regressions in 2 times; only new: 0, only stored: 0"],
                    runs([1.0, 1.3, 1.3], [0.52, 0.52, 0.53]), stored)
        for better in (runs([1.0, 1.1, 1.2], [0.514] * 3), runs([0.2] * 3, [0.1] * 3)):
            self.expect(0, ["0 regressions in 2 times; only new: 0, only stored: 0"], better, stored)
        self.expect(0, ["0 regressions in 2 times; only new: 0, only stored: 0"], runs([1.05] * 3, [0.52] * 3), stored,
                    "--percent", "10")

    def test_models_of_a_comparison(self):
        stored = comparison({"persistent": [1e-5], "graph": [1e-5], "resident": None})
        self.expect(1, ["REGRESSION: Poisson, 64 x 64, float64: persistent on gpu: 2e-05 s, stored 1e-05 s: 100.0 % slower",
                        "REGRESSION: Poisson, 64 x 64, float64: graph on gpu: failed or wrong",
                        "2 regressions in 3 times; only new: 1, only stored: 0"],
                    comparison({"persistent": [2e-5], "graph": None, "resident": [1e-5], "launches": [1.0]}), stored)

    def test_other_devices_are_not_compared(self):
        both = runs([1.0], [1.0])
        both["points"] += runs([1.0], [1.0], "another gpu")["points"]
        self.expect(0, ["0 regressions in 2 times; only new: 2, only stored: 0"], both, runs([1.0], [1.0]))
        done = self.find(runs([9.0], [9.0]), runs([1.0], [1.0], "another gpu"))
        self.assertEqual((done.returncode, done.stderr), (2, "no time in common: other points, or other devices: another gpu; gpu\n"))

    def test_other_files_are_refused(self):
        for bad in ("{", "[]", "{}", '{"points": [{"point": "a"}]}', '{"points": [{"point": "a", "device": "d", "new": 1}]}'):
            done = self.find(bad, runs([1.0], [1.0]))
            self.assertEqual(done.returncode, 2, bad)
            self.assertIn("new.json: no file of tools/measure_runs --json", done.stderr)


if __name__ == "__main__":
    unittest.main()
