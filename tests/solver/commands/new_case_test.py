"""new_case_test.py PERDURE INPUTS: `perdure new` writes starting cases, examples and cases of images, with what editors need."""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

INPUTS = sys.argv.pop()
PERDURE = os.path.abspath(sys.argv.pop())
FIRST_LINE = "# yaml-language-server: $schema=case.schema.json\n"
NEED_DATA = {"effective_diffusivity": "overlapping_spheres.h5", "effective_tensor": "overlapping_spheres.h5",
             "representative_volume": "overlapping_spheres.h5"}


class NewCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def perdure(self, *words):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OCL_ICD_VENDORS": "/dev/null"}
        return subprocess.run([PERDURE, *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300,
                              check=False)

    def succeed(self, *words):
        done = self.perdure(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def refuse(self, code, text, *words):
        done = self.perdure(*words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)

    def test_the_schema_stands_beside_the_case(self):
        os.mkdir(self.path("cases"))
        done = self.succeed("new", "cases/case.yaml")
        self.assertEqual(done.stdout, "wrote cases/case.yaml, and cases/case.schema.json for editors; try: perdure run cases/case.yaml\n")
        self.assertTrue(self.read("cases", "case.yaml").startswith(FIRST_LINE + "# A case of perdure"))
        self.assertEqual(self.read("cases", "case.schema.json"), self.succeed("schema").stdout)
        self.succeed("validate", "cases/case.yaml")

    def test_the_schema_of_another_version_is_replaced_and_other_files_are_not(self):
        with open(self.path("case.schema.json"), "w", encoding="utf-8") as file:
            file.write('{"title": "perdure case file", "an": "older one"}')
        self.succeed("new", "case.yaml")
        self.assertEqual(json.loads(self.read("case.schema.json"))["type"], "object")
        with open(self.path("case.schema.json"), "w", encoding="utf-8") as file:
            file.write("mine")
        done = self.succeed("new", "other.yaml")
        self.assertIn("case.schema.json exists and is not a schema written by perdure", done.stderr)
        self.assertEqual(self.read("case.schema.json"), "mine")
        self.assertTrue(self.read("other.yaml").startswith("# A case of perdure"))
        os.remove(self.path("case.schema.json"))
        os.symlink("nowhere.json", self.path("case.schema.json"))
        self.succeed("new", "third.yaml")
        self.assertFalse(os.path.exists(self.path("nowhere.json")))

    def test_nothing_for_editors(self):
        self.succeed("new", "--no-schema", "case.yaml")
        self.assertEqual(os.listdir(self.folder), ["case.yaml"])
        self.assertTrue(self.read("case.yaml").startswith("# A case of perdure"))

    def test_every_input_is_an_example_or_needs_data(self):
        inputs = {os.path.basename(path)[:-5]: path for path in glob.glob(os.path.join(INPUTS, "*.yaml"))}
        listed = self.succeed("new", "--list").stdout
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("gray_scott                system     Gray and Scott's reaction\n", listed)
        rows = [line.split(" ")[0] for line in listed.splitlines()[1:] if line][:-3]
        self.assertEqual(rows, sorted(set(inputs) - set(NEED_DATA)))
        for name in rows:
            self.assertIn(f"perdure run {name}.yaml", self.succeed("new", "--example", name).stdout)
            with open(inputs[name], encoding="utf-8") as file:
                self.assertEqual(self.read(f"{name}.yaml"), FIRST_LINE + file.read())
        for name, data in NEED_DATA.items():
            self.assertIn(f"{name} ({data})", " ".join(listed.splitlines()[-2:]))
            self.refuse(2, f"--example: {name} needs the data file {data}, which is not part of the program", "new", "--example", name)

    def test_an_example_under_another_name(self):
        self.succeed("new", "--example", "heated_plate", "plate.yaml")
        self.succeed("validate", "plate.yaml")
        self.refuse(6, "plate.yaml already exists", "new", "--example", "heated_plate", "plate.yaml")
        self.succeed("new", "--force", "--example", "composite_layers", "plate.yaml")
        self.assertIn("Composite wall", self.read("plate.yaml"))

    def test_wrong_words(self):
        self.refuse(2, "unknown example 'grey_scott'; did you mean 'gray_scott'?\n", "new", "--example", "grey_scott")
        self.refuse(2, "unknown example 'zzzzzzzz'; perdure new --list prints all\n", "new", "--example", "zzzzzzzz")
        self.refuse(2, "expected CASE after 'perdure new'", "new")
        self.refuse(2, "--type excludes --example", "new", "--example", "gray_scott", "--type", "heat")
        self.refuse(2, "--dataset requires --image", "new", "--dataset", "/a", "case.yaml")
        self.assertEqual(os.listdir(self.folder), [])

    def write_image(self, name, **datasets):
        with h5py.File(self.path(name), "w") as file:
            for dataset, values in datasets.items():
                file[dataset] = values

    def test_a_case_of_an_image(self):
        image = np.ones((5, 6, 7), dtype=np.uint8)
        image[:, 2:4, 2:5] = 3
        self.write_image("scan.h5", image=image, grey=np.zeros((5, 6, 7)))
        os.mkdir(self.path("cases"))
        done = self.succeed("new", "--image", "scan.h5", "cases/pores.yaml")
        self.assertIn("the image is dataset /image, shape [5, 6, 7], labels 1 and 3; give each label a coefficient, then: perdure run", done.stdout)
        text = self.read("cases", "pores.yaml")
        for line in ("    file: ../scan.h5 ", "    dataset: /image ", "    labels: {1: 1.0, 3: 0.0} ", "  shape: [5, 6, 7] "):
            self.assertIn("\n" + line, text)
        done = self.succeed("run", "cases/pores.yaml", "--json")
        along_z = json.loads(done.stdout)["effective"]["z"]["coefficient"]  # between blocks that go through: their fraction
        self.assertAlmostEqual(along_z, 1 - (2 * 3) / (6 * 7), delta=1e-9)

    def test_a_scan_is_to_be_imported(self):
        os.mkdir(self.path("slices"))
        for name in ("scan.tif", "scan.nrrd"):
            with open(self.path(name), "wb") as file:
                file.write(b"II*\0 no HDF5")
        for name in ("scan.tif", "scan.nrrd", "slices"):
            self.refuse(6, f"tools/import_image {name} --output {name.split('.')[0]}.h5", "new", "--image", name, "pores.yaml")

    def test_the_voxels_of_an_image(self):
        for size, line in (([2e-6, 1e-6, 1e-6], "  spacing: [2e-06, 1e-06, 1e-06] "), ([1.0, 0.0, 1.0], "  spacing: 1.0 "), ("big", "  spacing: 1.0 ")):
            self.write_image("scan.h5", image=np.ones((5, 6, 7), dtype=np.uint8))
            with h5py.File(self.path("scan.h5"), "a") as file:
                file["image"].attrs["voxel_size"] = size
            self.succeed("new", "--image", "scan.h5", "pores.yaml")
            self.assertIn(line, self.read("pores.yaml"))
            os.remove(self.path("pores.yaml"))

    def test_the_unit_of_voxels(self):
        for unit, line in (("um", "\nunits: {length: um} "), ("parsec", "\ngrid:"), (3, "\ngrid:")):
            self.write_image("scan.h5", image=np.ones((5, 6, 7), dtype=np.uint8))
            with h5py.File(self.path("scan.h5"), "a") as file:
                file["image"].attrs["voxel_size"], file["image"].attrs["voxel_unit"] = [2.0, 1.0, 1.0], unit
            self.succeed("new", "--image", "scan.h5", "pores.yaml")
            text = self.read("pores.yaml")
            self.assertIn(line, text)
            self.assertEqual("\nunits:" in text, unit == "um")
            self.succeed("validate", "pores.yaml")
            os.remove(self.path("pores.yaml"))

    def test_a_flat_image_with_an_odd_name(self):
        self.write_image("my scan: 1.h5", **{"a/labels: #1": np.arange(12, dtype=np.int16).reshape(3, 4) % 2 - 1})
        self.succeed("new", "--type", "effective", "--image", "my scan: 1.h5", "pores.yaml")
        text = self.read("pores.yaml")
        self.assertIn('    file: "my scan: 1.h5" ', text)
        self.assertIn('    dataset: "/a/labels: #1" ', text)
        self.assertIn("    labels: {-1: 1.0, 0: 0.0} ", text)
        self.assertIn("  shape: [3, 4] ", text)
        self.succeed("validate", "pores.yaml")

    def test_files_that_are_no_image(self):
        self.write_image("two.h5", a=np.zeros((3, 4), dtype=int), b=np.zeros((5, 4), dtype=int), c=np.zeros((5, 4)))
        self.refuse(2, "two.h5 holds several label images, that is, whole numbers on two or three axes: /a [3, 4] and /b [5, 4]; "
                    "choose one with --dataset", "new", "--image", "two.h5", "case.yaml")
        self.refuse(5, "--dataset: /c is not one of the label images", "new", "--image", "two.h5", "--dataset", "c", "case.yaml")
        self.assertIn("shape [5, 4]", self.succeed("new", "--image", "two.h5", "--dataset", "b", "b.yaml").stdout)
        self.write_image("none.h5", a=np.zeros((3, 4)), line=np.zeros(4, dtype=int))
        self.refuse(5, "none.h5 holds no label images", "new", "--image", "none.h5", "case.yaml")
        self.write_image("grey.h5", a=np.arange(300).reshape(20, 15))
        self.refuse(5, "has more than 255 different values, so it is probably a grey-value image", "new", "--image", "grey.h5", "case.yaml")
        with open(self.path("text.h5"), "w", encoding="utf-8") as file:
            file.write("no HDF5")
        self.refuse(6, "text.h5", "new", "--image", "text.h5", "case.yaml")
        self.refuse(6, "missing.h5", "new", "--image", "missing.h5", "case.yaml")
        self.refuse(2, "a case with an image has type effective, found --type heat", "new", "--image", "two.h5", "--type", "heat", "c.yaml")
        self.assertFalse(os.path.exists(self.path("case.yaml")))


if __name__ == "__main__":
    unittest.main()
