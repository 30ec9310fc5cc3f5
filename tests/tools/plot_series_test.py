"""Tests tools/plot_series on a file with a series: plot_series_test.py PLOT_SERIES. Exits with 77 without matplotlib or h5py."""
import contextlib
import io
import os
import runpy
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy
    import matplotlib  # noqa: F401 (what the script needs)
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PLOT_SERIES = sys.argv.pop(1)
TIME = numpy.array([0.0, 1.0, 4.0])


class PlotSeries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.vtkhdf")
        with h5py.File(self.path, "w") as file:
            file.attrs["title"] = "A run"
            file.create_group("report")
            series = file.create_group("series")
            series["time"], series["rake"] = TIME, numpy.array([0.0, 0.5, 1.0])  # as many points as times
            series["time"].make_scale("time")
            series["rake"].make_scale("rake")
            for name, values in (("mass", TIME ** 2), ("step", TIME), ("rake_v", numpy.outer(TIME, [1.0, 2.0, 3.0]))):
                series[name] = values
                series[name].dims[0].attach_scale(series["time"])
            series["rake_v"].dims[1].attach_scale(series["rake"])
            series["mass"].attrs["units"] = "kg"

    def drawn(self, *options):
        """Draws in this process: what the exit said, and the panels."""
        plot, figures = runpy.run_path(PLOT_SERIES), []
        given = [sys.argv, plot["pyplot"].subplots]
        try:
            sys.argv = ["plot_series", self.path, *options]
            plot["pyplot"].subplots = lambda *a, **k: figures.append(given[1](*a, **k)) or figures[-1]
            with contextlib.redirect_stdout(io.StringIO()):
                plot["main"]()
        except SystemExit as stopped:
            return str(stopped.code), []
        finally:
            sys.argv, plot["pyplot"].subplots = given
        return "", list(figures[0][1].flat)

    def test_a_panel_for_each_variable(self):
        failure, panels = self.drawn()
        self.assertEqual(failure, "")
        self.assertEqual([panel.get_ylabel() for panel in panels], ["mass [kg]", "distance"])
        curve, = panels[0].lines
        numpy.testing.assert_array_equal(curve.get_xdata(), TIME)
        numpy.testing.assert_array_equal(curve.get_ydata(), TIME ** 2)
        numpy.testing.assert_array_equal(panels[1].collections[0].get_array().reshape(3, 3),
                                         numpy.outer([1.0, 2.0, 3.0], TIME))
        self.assertEqual(panels[1].get_xlabel(), "time")
        self.assertTrue(os.path.getsize(self.path.replace(".vtkhdf", "_series.png")) > 1000)

    def test_some_on_a_logarithmic_axis(self):
        _, panels = self.drawn("--only", "mass", "--log")
        self.assertEqual([panel.get_yscale() for panel in panels], ["log"])

    def test_refused(self):
        self.assertIn("nothing named 'rake' was watched; there are: mass, rake_v", self.drawn("--only", "rake")[0])
        with h5py.File(self.path, "a") as file:
            del file["series"]
        self.assertIn("nothing was watched", self.drawn()[0])


if __name__ == "__main__":
    unittest.main()
