"""Tests tools/make_microstructure: make_microstructure_test.py PROGRAM. Exits with 77 without h5py."""
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)
SMALL = ["--shape", "12", "10", "14", "--radius", "2.5", "--porosity", "0.6", "--seed", "7"]


class MakeMicrostructure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "image.h5")

    def run_program(self, *options):
        return subprocess.run([sys.executable, PROGRAM, *options, "--output", self.file], capture_output=True, text=True)

    # The sums below were confirmed voxel by voxel in rational arithmetic.
    def test_the_same_voxels_everywhere(self):
        printed = self.run_program(*SMALL).stdout
        self.assertIn("36 spheres, 1002 of 1680 voxels are pores (0.596429)", printed)
        self.assertIn("ed9dddcdc50ef0af914f2cc225a38ada3efd81a5d3e7e5386c023e2a8c771045", printed)

    def test_periodic(self):
        printed = self.run_program(*SMALL, "--periodic").stdout
        self.assertIn("13 spheres, 977 of 1680 voxels are pores (0.581548)", printed)
        self.assertIn("7c12ea1fefa0fb3937b398d249303a54816445c354ac006057bdb54aeaec0d92", printed)

    def test_equal_images_are_equal_files(self):
        files = []
        for _ in range(2):
            self.run_program(*SMALL)
            with open(self.file, "rb") as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])

    def test_dataset(self):
        self.run_program(*SMALL, "--dataset", "/scan/labels")
        with h5py.File(self.file) as file:
            image = file["scan/labels"][...]
        self.assertEqual((image.shape, image.dtype.name, int((image == 0).sum())), ((12, 10, 14), "uint8", 1002))

    def test_all_pore(self):
        self.assertIn("0 spheres, 8 of 8 voxels",
                      self.run_program("--shape", "2", "2", "2", "--radius", "1", "--porosity", "1").stdout)

    def test_refused(self):
        for options, words in [(("--shape", "0", "2", "2", "--radius", "1", "--porosity", "0.5"), "--shape: each side"),
                               (("--shape", "4", "4", "4", "--radius", "1", "--porosity", "1.5"), "--porosity: it is"),
                               ((*SMALL, "--radius", "6", "--periodic"), "wider than the box")]:
            result = self.run_program(*options)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
            self.assertFalse(os.path.exists(self.file))


if __name__ == "__main__":
    unittest.main()
