"""Small scans of known labels, and how tests run tools/import_image on them."""
import contextlib
import io
import os
import runpy
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

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
        """The program in this process, which has what it imports: a process of its own takes most of its time for that."""
        output, errors, code = io.StringIO(), io.StringIO(), 0
        arguments = [PROGRAM, *map(str, options), "--force", "--output", str(self.output)]
        with mock.patch.object(sys, "argv", arguments), mock.patch.object(sys, "path", [os.path.dirname(PROGRAM), *sys.path]), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                runpy.run_path(PROGRAM, run_name="__main__")
            except SystemExit as end:
                code = end.code or 0
                if isinstance(code, str):
                    print(code, file=errors)
                    code = 1
        return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())

    def image(self, dataset="image"):
        with h5py.File(self.output) as file:
            return file[dataset][...]

    def expect_refused(self, result, *words):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(os.path.exists(self.output))
