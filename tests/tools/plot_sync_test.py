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

    def draw_pixels(self, content):
        result, picture = self.draw(content)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        pixels = matplotlib.image.imread(picture)
        self.assertLess(pixels.min(), 0.5)
        return pixels

    def test_draws_a_picture(self):
        both = self.draw_pixels(report()).shape[1]
        self.assertGreater(both, 2000)
        self.assertLess(self.draw_pixels(report(standard=[])).shape[1], both)

    def test_a_panel_without_a_curve_is_left_out(self):
        both = self.draw_pixels(report()).shape[1]
        for sweep in ([], [line("group_leader", 2, 40.0)]):
            self.assertLess(self.draw_pixels(report(sweep=sweep)).shape[1], both)

    def test_a_run_that_was_stopped(self):
        waiting = {"section": "barrier", "name": "group_leader", "groups": 4, "group_size": 32,
                   "status": "stopped before it was measured"}
        self.draw_pixels(report(stopped=True, sweep=[waiting]))
        result, _ = self.draw(report(stopped=True, sweep=[], standard=[waiting]))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "nothing to draw: neither barriers over numbers of groups nor the standard case "
                         "were measured before the run was stopped\n")

    def test_values_stand_clear_of_bars_and_spreads(self):
        """A column of their own at the right edge: dark pixels, and the same ones however long the bars are."""
        def right_edge(fraction, spread):
            lines = [line("group_leader", 4, 100.0), line("tree", 4, 100.0 * fraction)]
            lines[1]["highest_ns"] = 100.0 * spread
            pixels = self.draw_pixels(report(standard=lines, sweep=[]))
            return pixels[:, int(0.965 * pixels.shape[1]):, :3]
        for fraction, spread in ((1.11, 1.2), (1.11, 90.0), (3.11, 90.0), (9.11, 90.0)):
            edge = right_edge(fraction, spread)
            self.assertLess(edge.min(), 0.5, "values")
            self.assertTrue((abs(edge[:, :, 0] - edge[:, :, 2]) < 0.2).all(), "no coloured bar")

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
