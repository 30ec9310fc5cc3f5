"""file_kinds_test.py PERDURE: every kind of file that the program writes opens in h5py, xarray, pandas and VTK's reader (which ParaView has), with equal values.

What of them is not installed is left out, but for h5py. On host threads.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PERDURE = os.path.abspath(sys.argv.pop())
HOST = "execution: {backend: host}\n"
PLATE = "problem: {type: diffusion, a: 1, f: 1}\nboundary: {x-: {value: 0}, x+: {value: 1}}\n" + HOST
HEAT = HOST + """
units: {length: mm, time: s}
problem: {type: heat, a: 1, initial: "sin(pi*x)"}
grid: {shape: [8, 10], spacing: 0.1}
boundary: {all: {value: 0}}
time: {end: 0.04, dt: 0.001, snapshots: [0.01, 0.02, 0.04]}
watch: {every: 0.01, integrals: {m: {sum: u}}, probes: {l: {from: {x: 0, y: 0.4}, to: {x: 1, y: 0.4}, points: 5}}}
"""
CASES = {
    "box": PLATE + "grid: {shape: [6, 8, 10], spacing: 0.1}\noutput: {fields: [u, flux], units: K}\n",
    "line": PLATE + "grid: {shape: [10], spacing: 0.1}\n",
    "heat": HEAT,
    "files": HEAT + "output: {series: files}\n",
    "members": PLATE + "grid: {shape: [6, 8], spacing: 0.1}\nsweep: {problem.a: [1, 2], problem.f: [0, 1]}\n",
    "layers": HOST + """
problem: {type: effective, lateral: periodic, a: {file: image.h5, dataset: /image, labels: {0: 1, 1: 3}}}
output: {fields: [u, flux]}
""",
}
SNAPSHOTS = {f"files.snapshots/files_{step:06d}": step / 1000 for step in (10, 20, 40)}
TIMES = [0.01, 0.02, 0.04]


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), f"{module} is not installed")


def has_vtk():
    try:
        from vtkmodules.vtkCommonCore import vtkVersion
        from vtkmodules.vtkIOHDF import vtkHDFReader  # noqa: F401
    except ImportError:
        return False
    return tuple(map(int, vtkVersion.GetVTKVersion().split(".")[:2])) >= (9, 3)


class FileKinds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.keep.cleanup)
        image = numpy.zeros((4, 6, 8), dtype=numpy.uint8)
        image[:, 3:] = 1
        with h5py.File(cls.path("image.h5"), "w") as file:
            file["image"] = image
        for name, text in CASES.items():
            with open(cls.path(f"{name}.yaml"), "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([PERDURE, "run", f"{name}.yaml", "--quiet"], cwd=cls.keep.name, capture_output=True, text=True, timeout=200, check=False)
            assert done.returncode == 0, done.stderr

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.keep.name, *names)

    def result(self, name):
        return self.path("results", name)

    def results(self):
        """Names of all files in HDF5, below the folder of results."""
        found = [os.path.relpath(os.path.join(folder, name), self.path("results")) for folder, _, names in os.walk(self.path("results")) for name in names]
        return sorted(name for name in found if name.endswith((".vtkhdf", ".h5")))

    def test_the_kinds_are_these(self):
        members = [f"members-problem.a-{a}-problem.f-{f}.vtkhdf" for a in (1, 2) for f in (0, 1)]
        expected = ["box.vtkhdf", "line.vtkhdf", "heat.vtkhdf", "layers.vtkhdf", "members_summary.h5", *members, *(f"{name}.vtkhdf" for name in SNAPSHOTS)]
        self.assertEqual(self.results(), sorted(expected))
        with open(self.result("files.snapshots/files.vtkhdf.series"), encoding="utf-8") as file:
            listed = json.load(file)["files"]
        self.assertEqual({f"files.snapshots/{entry['name']}": entry["time"] for entry in listed}, {f"{name}.vtkhdf": time for name, time in SNAPSHOTS.items()})

    @needs("xarray")
    @needs("h5netcdf")
    def test_every_group_opens_in_xarray(self):
        import xarray
        opened = 0
        for name in self.results():
            with h5py.File(self.result(name)) as file:
                groups = ["/"]
                file.visititems(lambda path, found: groups.append(path) if isinstance(found, h5py.Group) else None)
                for group in groups:
                    if group.startswith("VTKHDF"):  # hard links to the fields at the root
                        continue
                    with self.subTest(file=name, group=group), xarray.open_dataset(self.result(name), engine="h5netcdf", group=group) as data:
                        for variable in data.variables:
                            stored = file[group][variable]
                            if numpy.issubdtype(stored.dtype, numpy.number):
                                numpy.testing.assert_array_equal(data[variable].values, stored[()])
                                opened += 1
        self.assertGreater(opened, 130)
        with xarray.open_dataset(self.result("heat.vtkhdf"), engine="h5netcdf") as heat:
            self.assertEqual((heat.u.dims, heat.time.values.tolist(), heat.x.attrs["units"]), (("time", "y", "x"), TIMES, "mm"))
        with xarray.open_dataset(self.result("box.vtkhdf"), engine="h5netcdf") as box:
            self.assertEqual((box.u.dims, box.flux.dims, box.u.attrs["units"]), (("z", "y", "x"), ("z", "y", "x", "comp"), "K"))

    @needs("xarray")
    @needs("h5netcdf")
    @needs("pandas")
    def test_tables_in_pandas(self):
        import pandas
        import xarray
        text = pandas.read_csv(self.result("members_summary.csv"), float_precision="round_trip")
        with xarray.open_dataset(self.result("members_summary.h5"), engine="h5netcdf") as stored:
            table = stored.to_dataframe()
        self.assertEqual(list(table.index), [1, 2, 3, 4])
        self.assertEqual(set(table.columns), set(text.columns))
        self.assertEqual((list(table["problem.a"]), list(table["problem.f"]), set(table.outcome)), ([1, 1, 2, 2], [0, 1, 0, 1], {"converged (rtol)"}))
        for column in ("iterations", "residual", "cells", "total_seconds", "outcome"):
            self.assertEqual(list(table[column]), list(text[column]), column)
        for name, last in (("heat", "heat"), ("files", "files.snapshots/files_000040")):
            watched = pandas.read_csv(self.result(f"{name}.csv"), float_precision="round_trip")
            with h5py.File(self.result(f"{last}.vtkhdf")) as file:
                self.assertEqual(len(watched), 5)
                numpy.testing.assert_array_equal(watched.filter(regex=r"^time\b").iloc[:, 0], file["series/time"][()])
                numpy.testing.assert_allclose(watched.filter(regex=r"^m\b").iloc[:, 0], file["series/m"][()], rtol=1e-15)

    @unittest.skipUnless(has_vtk(), "VTK 9.3 or later is not installed")
    def test_results_in_vtk(self):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
        from vtkmodules.vtkIOHDF import vtkHDFReader
        compared = 0
        for name in self.results():
            if not name.endswith(".vtkhdf"):
                continue
            reader = vtkHDFReader()
            reader.SetFileName(self.result(name))
            self.assertTrue(reader.CanReadFile(self.result(name)), name)
            reader.UpdateInformation()
            times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
            self.assertEqual(list(times or ()), TIMES if name == "heat.vtkhdf" else [], name)
            with h5py.File(self.result(name)) as file:
                for step, time in enumerate(times or (None,)):
                    if time is not None:
                        reader.GetOutputInformation(0).Set(vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP(), time)
                    reader.Update()
                    cells = reader.GetOutputDataObject(0).GetCellData()
                    fields = {cells.GetArrayName(index): vtk_to_numpy(cells.GetArray(index)) for index in range(cells.GetNumberOfArrays())}
                    self.assertEqual(set(fields), set(file["VTKHDF/CellData"]), name)
                    for field, values in fields.items():
                        stored = file[field][()] if time is None else file[field][step]
                        numpy.testing.assert_array_equal(values.ravel(), stored.ravel(), f"{name}: {field}")
                        compared += 1
        self.assertEqual(compared, 2 + 1 + 3 + 3 + 4 + 6)  # box, line, heat, files, members, layers


if __name__ == "__main__":
    unittest.main()
