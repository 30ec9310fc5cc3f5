"""Tests tools/plot_compare on small reports: plot_compare_test.py PLOT_COMPARE. Exits with 77 without matplotlib."""
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


def member(name, seconds, **changes):
    times = {"median": seconds, "lowest": 0.9 * seconds, "highest": 1.1 * seconds}
    return {"name": name, "status": "measured", "seconds_per_iteration": times} | changes


def point(size, precision="float64", **changes):
    return {"device": "a device", "backend": "cuda", "precision": precision, "shape": [size, size], "size": size,
            "bytes_per_iteration": 80.0 * size * size,
            "members": [member("persistent/tree", 1e-6 * size,
                               device_seconds_per_iteration={"median": 9e-7 * size, "lowest": 8e-7 * size, "highest": 1e-6 * size}),
                        member("launches", 2e-6 * size), member("graph", 1e-9, status="wrong"),
                        {"name": "graph_while", "status": "left out"}]} | changes


def report(**changes):
    return {"benchmark": "compare", "version": "0", "date": "2026-01-02T03:04:05Z",
            "case": {"title": "a case", "method": "cg"},
            "devices": [{"name": "a device", "backend": "cuda", "copy_bytes_per_second": 3.0e12}],
            "points": [point(size, precision) for precision in ("float32", "float64") for size in (128, 64, 256)]} | changes


class PlotCompare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def draw(self, content, *options):
        path = os.path.join(self.folder, "compare.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        picture = os.path.join(self.folder, "compare.png")
        return subprocess.run([sys.executable, PLOT, path, picture, *options], capture_output=True, text=True), picture

    def test_draws_a_panel_for_each_precision(self):
        for content, panels in ((report(), 2), (report(points=[point(64)]), 1),
                                (report(points=[point(64, shape=[32, 64])]), 1), (report(devices=[]), 2)):
            for options in ((), ("--device",)):
                result, picture = self.draw(content, *options)
                self.assertEqual(result.returncode, 0, result.stderr)
                pixels = matplotlib.image.imread(picture)
                self.assertEqual(round(pixels.shape[1] / 960), panels)
                self.assertLess(pixels.min(), 0.5)

    def test_refuses_what_is_not_a_comparison(self):
        for content in ([], {"benchmark": "sync"}):
            result, _ = self.draw(content)
            self.assertEqual(result.returncode, 1)
            self.assertIn("was not written by perdure compare", result.stderr)
        result, _ = self.draw(report(points=[]))
        self.assertIn("holds no points", result.stderr)
        result, _ = self.draw({"benchmark": "compare", "points": [{}]})
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot plot", result.stderr)


if __name__ == "__main__":
    unittest.main()
