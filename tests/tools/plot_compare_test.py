"""Tests tools/plot_compare on small reports: plot_compare_test.py PLOT_COMPARE. Exits with 77 without matplotlib."""
import contextlib
import io
import json
import os
import runpy
import sys
import tempfile
import unittest

try:
    import matplotlib.image
    import matplotlib.pyplot
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
        """Draws in this process, which has loaded matplotlib. Returns what the exit said, empty after success, and the picture."""
        path = os.path.join(self.folder, "compare.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        picture = os.path.join(self.folder, "compare.png")
        given = sys.argv
        sys.argv = [PLOT, path, picture, *options]
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                runpy.run_path(PLOT, run_name="__main__")
        except SystemExit as stopped:
            return str(stopped.code or ""), picture
        finally:
            sys.argv = given
            matplotlib.pyplot.close("all")
        return "", picture

    def test_draws_a_panel_for_each_precision(self):
        for content, panels in ((report(), 2), (report(points=[point(64)]), 1),
                                (report(points=[point(64, shape=[32, 64])]), 1), (report(devices=[]), 2)):
            for options in ((), ("--device",)):
                said, picture = self.draw(content, *options)
                self.assertEqual(said, "")
                pixels = matplotlib.image.imread(picture)
                self.assertEqual(round(pixels.shape[1] / 960), panels)
                self.assertLess(pixels.min(), 0.5)

    def test_refuses_what_is_not_a_comparison(self):
        for content, words in (([], "was not written by perdure compare"), ({"benchmark": "sync"}, "was not written by perdure compare"),
                               (report(points=[]), "holds no points"), ({"benchmark": "compare", "points": [{}]}, "cannot plot")):
            self.assertIn(words, self.draw(content)[0])


if __name__ == "__main__":
    unittest.main()
