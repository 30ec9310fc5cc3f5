"""Tests tools/plot on outputs: plot_test.py PLOT WRITE_SAMPLES. Exits with 77 without matplotlib or h5py."""
import contextlib
import io
import os
import runpy
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import matplotlib.image
    import numpy
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PLOT, WRITE_SAMPLES = sys.argv.pop(1), sys.argv.pop(1)
GREY = 0.7


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        subprocess.run([WRITE_SAMPLES, self.folder], check=True)

    def run_plot(self, name, *options):
        """Draws in this process, which has loaded matplotlib. Returns what the exit said, empty after success."""
        given = sys.argv
        sys.argv = [PLOT, os.path.join(self.folder, name), *options]
        try:
            with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                runpy.run_path(PLOT, run_name="__main__")
        except SystemExit as stopped:
            return str(stopped.code or "")
        finally:
            sys.argv = given
        return ""

    def grey_share(self, name):
        picture = matplotlib.image.imread(os.path.join(self.folder, name))[:, :, :3]
        return (abs(picture - GREY) < 0.003).all(axis=2).mean()

    def test_the_excluded_cell_is_grey(self):
        for name in ("float32_2d", "float64_3d"):
            result = self.run_plot(f"{name}.vtkhdf", "--slice", "0") if "3d" in name else self.run_plot(f"{name}.vtkhdf")
            self.assertEqual(result, "")
            self.assertGreater(self.grey_share(f"{name}.png"), 0.01)

    def test_a_slice_without_excluded_cells(self):
        output = os.path.join(self.folder, "x.png")
        self.assertEqual(self.run_plot("float64_3d.vtkhdf", "--axis", "x", "--output", output), "")
        self.assertLess(self.grey_share("x.png"), 0.01)

    def effective_result(self, name, shape):
        """Of a steady case: u_x 1 everywhere; flux_x whose length grows along x from 5 to 6, y component 4, z component 0."""
        path = os.path.join(self.folder, name)
        axes = "zyx"[-len(shape):]
        flux = numpy.zeros(shape + (3,))
        flux[..., 1] = 4.0
        flux[..., 0] = numpy.linspace(3.0, 20.0 ** 0.5, shape[-1])
        with h5py.File(path, "w") as file:
            cells = file.create_group("VTKHDF/CellData")
            file["VTKHDF"].attrs["Origin"], file["VTKHDF"].attrs["Spacing"] = numpy.zeros(3), numpy.ones(3)
            cells["flux_x"], cells["u_x"] = flux, numpy.ones(shape)
            for axis, size in zip(axes, shape):
                file[axis] = numpy.arange(size) + 0.5
            file["time"] = 0.0
            file.attrs["title"] = "Pores"
            file.create_group("report").attrs["problem"] = "effective"
        return path

    def drawn(self, *options):
        """Draws in this process, and gives back what matplotlib was told."""
        plot = runpy.run_path(PLOT)
        given = [sys.argv, plot["pyplot"].subplots]
        figures = []
        try:
            sys.argv = ["plot", *options, "--output", os.path.join(self.folder, "drawn.png")]
            plot["pyplot"].subplots = lambda *a, **k: figures.append(given[1](*a, **k)) or figures[-1]
            with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
                plot["main"]()
        finally:
            sys.argv, plot["pyplot"].subplots = given
        (figure, axes), = figures
        return axes.images[0], axes, figure.axes[1], said.getvalue()

    def test_a_vector_is_drawn_as_its_magnitude_or_a_component(self):
        for name, shape in (("plane.h5", (2, 4)), ("box.h5", (3, 2, 4))):
            path = self.effective_result(name, shape)
            picture, axes, bar, _ = self.drawn(path, "--field", "flux_x")
            self.assertEqual(picture.get_array().shape, (2, 4))
            numpy.testing.assert_allclose(picture.get_array()[:, [0, -1]], [[5.0, 6.0]] * 2)
            self.assertEqual(bar.get_ylabel(), "magnitude of flux_x")
            picture, axes, bar, _ = self.drawn(path, "--field", "flux_x", "--component", "y", "--range", "-1", "9")
            numpy.testing.assert_allclose(picture.get_array(), 4.0)
            self.assertEqual(bar.get_ylabel(), "y component of flux_x")
            self.assertEqual(picture.get_clim(), (-1.0, 9.0))
            self.assertNotIn("time", axes.get_title())
            self.assertAlmostEqual(bar.get_position().height, axes.get_position().height)

    def test_slices_on_the_range_of_the_whole_field(self):
        path = self.effective_result("box.h5", (3, 2, 4))
        limits = self.drawn(path, "--field", "flux_x", "--axis", "x", "--slice", "0", "--range", "field")[0].get_clim()
        numpy.testing.assert_allclose(limits, (5.0, 6.0))

    def test_without_u_the_first_scalar_field(self):
        _, _, bar, said = self.drawn(self.effective_result("box.h5", (3, 2, 4)))
        self.assertEqual(bar.get_ylabel(), "u_x")
        self.assertIn("drawing u_x; --field draws another of: flux_x, u_x", said)

    def test_heat_says_its_time(self):
        self.assertIn("time 0.5", self.drawn(os.path.join(self.folder, "float64_3d.vtkhdf"))[1].get_title())

    def reaction_in_time(self):
        """A system's v in three snapshots: snapshot + x / 10."""
        path = os.path.join(self.folder, "reaction.vtkhdf")
        with h5py.File(path, "w") as file:
            file.create_group("VTKHDF/Steps")
            file["VTKHDF"].attrs["Origin"], file["VTKHDF"].attrs["Spacing"] = numpy.zeros(3), numpy.ones(3)
            file["VTKHDF/CellData/v"] = numpy.arange(3.0)[:, None, None] + numpy.arange(5) / 10.0 + numpy.zeros((3, 4, 5))
            for axis, size in zip("yx", (4, 5)):
                file[axis] = numpy.arange(size) + 0.5
            file["time"] = [0.0, 2.5, 5.0]
            file.attrs["title"] = "Reaction"
            file.create_group("report").attrs["problem"] = "system"
        return path

    def test_every_problem_in_time_says_its_time(self):
        self.assertIn("time 2.5", self.drawn(self.reaction_in_time(), "--snapshot", "1")[1].get_title())

    def test_a_film_has_a_frame_of_each_snapshot_in_the_same_colours(self):
        path = self.reaction_in_time()
        plot, ranges = runpy.run_path(PLOT), []
        inner = plot["draw"]
        plot["film"].__globals__["draw"] = lambda file, field, plane, snapshot, limits, output, tight: (
            ranges.append(limits), inner(file, field, plane, snapshot, limits, output, tight))
        plot["film"].__globals__["shutil"] = type("NoFfmpeg", (), {"which": staticmethod(lambda name: None)})
        given, sys.argv = sys.argv, [PLOT, path, "--field", "v", "--film"]
        try:
            with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
                plot["main"]()
        finally:
            sys.argv = given
        self.assertEqual(ranges, [(0.0, 2.4)] * 3)
        self.assertIn("ffmpeg", said.getvalue())
        frames = [matplotlib.image.imread(os.path.join(self.folder, "reaction.frames", f"{i:05d}.png")) for i in range(3)]
        self.assertEqual({frame.shape for frame in frames}, {frames[0].shape})
        self.assertGreater(abs(frames[0] - frames[2]).max(), 0.1)

    def test_refused(self):
        self.effective_result("box.h5", (3, 2, 4))
        for name, options, words in [("float64_3d.vtkhdf", ["--slice", "2"], "slices along z are 0 to 1"),
                                     ("float64_3d.vtkhdf", ["--field", "v"], "no field 'v'; it has: u"),
                                     ("float64_2d.vtkhdf", ["--slice", "0"], "this result has two dimensions"),
                                     ("float64_2d.vtkhdf", ["--axis", "x"], "--axis: this result has two dimensions"),
                                     ("box.h5", ["--component", "x"], "u_x is no vector"),
                                     ("box.h5", ["--range", "2", "1"], "the lower one first"),
                                     ("box.h5", ["--film"], "--film: it has one snapshot"),
                                     ("missing.vtkhdf", [], "no file '")]:
            self.assertIn(words, self.run_plot(name, *options))


if __name__ == "__main__":
    unittest.main()
