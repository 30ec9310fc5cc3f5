"""Tests tools/plot_sync on small reports: plot_sync_test.py PLOT_SYNC. Exits with 77 without matplotlib."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import matplotlib.image
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PLOT = sys.argv.pop(1)


def line(name, groups, median, section="barrier"):
    return {"section": section, "name": name, "groups": groups, "group_size": 32, "status": "measured",
            "median_ns": median, "lowest_ns": 0.9 * median, "highest_ns": 1.1 * median, "reference": "group_leader",
            "fraction_of_reference": median / 100.0, "floor_ns": 50.0}


def report(**changes):
    missing = {"section": "barrier", "name": "cooperative", "groups": 4, "group_size": 32, "status": "none here"}
    whole = {"benchmark": "sync", "version": "0", "date": "2026-01-02T03:04:05Z",
             "device": {"name": "a device", "backend": "host"}, "standard_shape": {"groups": 4, "group_size": 32},
             "standard": [line("group_leader", 4, 100.0), line("words, 1 double a side", 4, 60.0, "halo"), missing],
             "sweep": [line("group_leader", groups, 20.0 * groups) for groups in (1, 2, 4)] + [missing]}
    return whole | changes


class PlotSync(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def draw(self, content):
        path = os.path.join(self.folder, "sync.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        picture = os.path.join(self.folder, "sync.png")
        return subprocess.run([sys.executable, PLOT, path, picture], capture_output=True, text=True), picture

    def test_draws_a_picture(self):
        for content in (report(), report(sweep=[]), report(standard=[])):
            result, picture = self.draw(content)
            self.assertEqual(result.returncode, 0, result.stderr)
            pixels = matplotlib.image.imread(picture)
            self.assertGreater(pixels.shape[1], 1000)
            self.assertLess(pixels.min(), 0.5)

    def test_refuses_what_is_not_a_report(self):
        for content in ([], {"benchmark": "other"}):
            result, _ = self.draw(content)
            self.assertEqual(result.returncode, 1)
            self.assertIn("was not written by perdure bench sync", result.stderr)
        result, _ = self.draw({"benchmark": "sync"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot plot", result.stderr)


if __name__ == "__main__":
    unittest.main()
