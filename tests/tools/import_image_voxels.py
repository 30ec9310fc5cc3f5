"""The size of a voxel that tools/import_image finds in scans, for import_image_test.py."""
import os

import numpy
from import_image_samples import STACK, Imports
from PIL import TiffImagePlugin


class Voxels(Imports):
    def test_the_voxel_that_imagej_wrote(self):
        path = self.pages(STACK, resolution=4.0, description="ImageJ=1.53\nimages=12\nslices=12\nunit=micron\nspacing=0.5\n")
        self.assertIn("voxel size: [0.5, 0.25, 0.25] micron\n", self.run_program(path).stdout)
        path = self.pages(STACK, resolution=72.0, description="ImageJ=1.53\nimages=12\nslices=12\n")
        self.assertNotIn("voxel size:", self.run_program(path).stdout, "72 points an inch is no size of a voxel")
        self.assertIn("voxel size: [3, 2, 1]\n", self.run_program(path, "--voxel", "3", "2", "1").stdout)

    def test_the_resolution_of_a_tiff(self):
        none = "no voxel size found in {}; give --voxel, else cases have grid.spacing 1\n"
        for unit, along_x, along_y, pages, expected in ((3, 4000, 2000, 1, "[0.005, 0.0025] mm"), (2, 2540, 2540, 12, "0.01 mm"), (1, 4000, 4000, 1, ""),
                                                        (3, 4000, 2000, 12, ""), (2, 300, 300, 1, ""), (3, 118.11, 118.11, 1, "")):
            tags = TiffImagePlugin.ImageFileDirectory_v2()
            tags[282], tags[283], tags[296] = along_x, along_y, unit
            path = self.pages(STACK[:pages], tiffinfo=tags)
            printed = self.run_program(path)
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertIn(f"voxel size: {expected}\n" if expected else none.format(path), printed.stdout)
            self.assertEqual("which is taken along z, too" in printed.stderr, bool(expected) and pages > 1, printed.stderr)

    def test_ome_tiff(self):
        sizes = 'PhysicalSizeX="250" PhysicalSizeXUnit="nm" PhysicalSizeY="0.5"'
        for words, pages, expected in ((sizes + ' PhysicalSizeZ="2" PhysicalSizeZUnit="\u00b5m"', 12, "[2, 0.5, 0.25] um"), (sizes, 1, "[0.5, 0.25] um"),
                                       (sizes, 12, ""), ('PhysicalSizeX="2" PhysicalSizeY="x"', 12, "")):
            text = f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image><Pixels {words}/></Image></OME>'
            printed = self.run_program(self.pages(STACK[:pages], description=text.encode()))
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertIn(f"voxel size: {expected}\n" if expected else "no voxel size found in ", printed.stdout)

    def test_nrrd(self):
        try:
            import nrrd
        except ImportError:
            with open(self.at("scan.nrrd"), "w", encoding="utf-8") as file:
                file.write("NRRD0004\n")
            self.expect_refused(self.run_program(self.at("scan.nrrd")), "NRRD files are read by pynrrd", "pip install pynrrd")
            self.skipTest("no pynrrd")
        nrrd.write(self.at("scan.nrrd"), STACK, {"spacings": [0.1, 0.2, 0.3], "units": ["mm"] * 3}, index_order="C")
        printed = self.run_program(self.at("scan.nrrd"))
        numpy.testing.assert_array_equal(self.image(), STACK)
        self.assertIn("voxel size: [0.3, 0.2, 0.1] mm\n", printed.stdout)
        os.remove(self.output)
        with open(self.at("scan.nrrd"), "w", encoding="utf-8") as file:
            file.write("NRRD0004\ntype: uint8\n")
        self.expect_refused(self.run_program(self.at("scan.nrrd")), "it is no NRRD file, or damaged")

    def test_units_of_nrrd(self):
        try:
            import nrrd
        except ImportError as missing:
            self.skipTest(str(missing))
        path = self.at("scan.nrrd")
        for header, expected in (({"spacings": [0.1, 0.2, 0.3], "units": ["mm", "um", "mm"]}, "[0.3, 0.0002, 0.1] mm"),
                                 ({"spacings": [0.1, 0.2, 0.3], "units": ["pixel"] * 3}, "[0.3, 0.2, 0.1] pixel"),
                                 ({"space dimension": 3, "space units": ["mm", "um", "mm"],
                                   "space directions": numpy.array([[0.0, 200.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.3]])}, "[0.3, 0.1, 0.2] mm")):
            nrrd.write(path, STACK, header, index_order="C")
            printed = self.run_program(path)
            self.assertIn(f"voxel size: {expected}\n", printed.stdout, printed.stderr)
        os.remove(self.output)
        nrrd.write(path, STACK, {"spacings": [0.1, 0.2, 0.3], "units": ["mm", "pixel", "mm"]}, index_order="C")
        self.expect_refused(self.run_program(path), "voxel sizes in the units 'mm', 'pixel', 'mm', which cannot be converted", "give --voxel")
        self.assertIn("voxel size: 2\n", self.run_program(path, "--voxel", "2").stdout)
