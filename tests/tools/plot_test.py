"""Tests tools/plot on outputs: plot_test.py PLOT WRITE_SAMPLES. Exits with 77 without matplotlib or h5py."""
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py  # noqa: F401
    import matplotlib.image
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
        path = os.path.join(self.folder, name)
        return subprocess.run([sys.executable, PLOT, path, *options], capture_output=True, text=True)

    def grey_share(self, name):
        picture = matplotlib.image.imread(os.path.join(self.folder, name))[:, :, :3]
        return (abs(picture - GREY) < 0.003).all(axis=2).mean()

    def test_the_excluded_cell_is_grey(self):
        for name in ("float32_2d_000120", "float64_3d_000120"):
            result = self.run_plot(f"{name}.vtkhdf", "--slice", "0") if "3d" in name else self.run_plot(f"{name}.vtkhdf")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(self.grey_share(f"{name}.png"), 0.01)

    def test_a_slice_without_excluded_cells(self):
        output = os.path.join(self.folder, "x.png")
        self.assertEqual(self.run_plot("float64_3d_000120.vtkhdf", "--axis", "x", "--output", output).returncode, 0)
        self.assertLess(self.grey_share("x.png"), 0.01)

    def test_refused(self):
        for name, options, words in [("float64_3d_000120.vtkhdf", ["--slice", "2"], "slices along z are 0 to 1"),
                                     ("float64_3d_000120.vtkhdf", ["--field", "v"], "no field 'v'; it has: u"),
                                     ("float64_2d_000120.vtkhdf", ["--slice", "0"], "this result has two dimensions"),
                                     ("missing.vtkhdf", [], "no file '")]:
            result = self.run_plot(name, *options)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
