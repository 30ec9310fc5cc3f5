"""Small scans of known labels, and how tests run tools/import_image on them."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy
from PIL import Image

PROGRAM = sys.argv.pop(1)
# z, y, x; no two axes alike, no symmetry
STACK = (numpy.arange(12 * 5 * 7, dtype=numpy.uint8).reshape(12, 5, 7) % 4) % 3


class Imports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.output = self.at("image.h5")

    def at(self, name):
        return os.path.join(self.folder, name)

    def pages(self, stack, name="stack.tif", **options):
        slices = [Image.fromarray(page) for page in stack]
        slices[0].save(self.at(name), save_all=True, append_images=slices[1:], **options)
        return self.at(name)

    def slices(self, stack, name="slice_{}.tif"):
        os.mkdir(self.at("slices"))
        for number, page in enumerate(stack):
            Image.fromarray(page).save(os.path.join(self.at("slices"), name.format(number)))
        return self.at("slices")

    def page_as_stored(self, pixels, photometric=1, sample_format=1, description=b""):
        """A TIFF of one page, with tags as Pillow does not write them."""
        data, height, width = pixels.tobytes(), *pixels.shape
        tags = [(256, width), (257, height), (258, 8 * pixels.itemsize), (259, 1), (262, photometric), (273, 8), (277, 1),
                (278, height), (279, len(data)), (339, sample_format)]
        entries = [struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags]
        if description:
            entries.insert(5, struct.pack("<HHII", 270, 2, len(description) + 1, 8 + len(data)))
        text = description + b"\0" if description else b""
        with open(self.at("raw.tif"), "wb") as file:
            file.write(struct.pack("<2sHI", b"II", 42, 8 + len(data) + len(text)) + data + text)
            file.write(struct.pack("<H", len(entries)) + b"".join(entries) + struct.pack("<I", 0))
        return self.at("raw.tif")

    def run_program(self, *options):
        return subprocess.run([sys.executable, PROGRAM, *options, "--force", "--output", self.output], capture_output=True, text=True)

    def image(self, dataset="image"):
        with h5py.File(self.output) as file:
            return file[dataset][...]

    def expect_refused(self, result, *words):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(os.path.exists(self.output))
