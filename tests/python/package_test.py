"""package_test.py PERDURE INPUTS: the package perdure gives what the command gives, takes arrays of every kind, and says what is wrong."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import h5py
import numpy
import perdure
import xarray

INPUTS = Path(sys.argv.pop()).resolve()
PERDURE = os.path.abspath(sys.argv.pop())
HOST = {"execution.backend": "host"}
SHAPE = (12, 20)
CONDUCTIVITY = numpy.random.default_rng(1).uniform(1.0, 2.0, SHAPE)


def plate(a, **keys):
    return {
        "problem": {"type": "diffusion", "a": a, "f": 1.0},
        "grid": {"shape": list(SHAPE), "spacing": 0.5},
        "boundary": {"x-": {"value": 0.0}, "x+": {"value": 1.0}},
        "execution": {"backend": "host"},
        **keys,
    }


def solve(a):
    return perdure.run(plate(a)).u.values


class SameAsTheCommand(unittest.TestCase):
    """Fields bit by bit, what was watched, and the report but for times."""

    def compare(self, name, *settings):
        with tempfile.TemporaryDirectory() as folder:
            case = str(INPUTS / f"{name}.yaml")
            words = [word for setting in ("execution.backend=host", *settings) for word in ("--set", setting)]
            command = [PERDURE, "run", case, "--json", "--output", folder, *words]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            overrides = dict(setting.split("=", 1) for setting in settings)
            found = perdure.run(case, {**HOST, **{key: json.loads(value) for key, value in overrides.items()}})
            with xarray.open_dataset(f"{folder}/{name}.vtkhdf", engine="h5netcdf") as stored:
                for field in set(stored.data_vars) - {"iteration"}:  # here it is the coordinate `step`
                    numpy.testing.assert_array_equal(found[field].values.squeeze(), stored[field].values.squeeze(), field)
                    self.assertEqual(found[field].attrs["units"], stored[field].attrs.get("units", "1"))
                for axis in ("x", "y", "z"):
                    if axis in stored.coords:
                        numpy.testing.assert_array_equal(found[axis].values, stored[axis].values)
            report = json.loads(done.stdout)
            for key in ("stop_reason", "iterations", "residual", "method", "cells", "launches", "barriers"):
                self.assertEqual(found.attrs[key], report[key], key)
            self.assertEqual(len(found.check), len(report["history"]))
            with h5py.File(f"{folder}/{name}.vtkhdf") as stored:
                for variable in stored["series"] if "series" in stored else []:
                    here = f"series_{variable}" if f"series_{variable}" in found.variables else variable
                    numpy.testing.assert_array_equal(found[here].values, stored["series"][variable][()], variable)
        return found

    def test_steady(self):
        self.assertEqual(self.compare("manufactured_poisson_2d", "grid.shape=[24, 24]", "grid.spacing=0.041666666666666664").u.dims, ("y", "x"))

    def test_in_time(self):
        found = self.compare("gray_scott", "grid.shape=[16, 16]", "time.end=20.0", "time.snapshots=[5.0, 20.0]")
        self.assertEqual(found.u.dims, ("time", "y", "x"))
        self.assertEqual(list(found.time.values), [5.0, 20.0])

    def test_watched(self):
        found = self.compare("dam_break", "time.end=0.05", "time.snapshots=[0.05]")
        self.assertEqual(found.cut_speed.dims, ("series_time", "cut"))
        self.assertGreater(found.sizes["series_time"], 3)
        self.assertEqual(found.volume.dims, ("series_time",))


class Names(unittest.TestCase):
    def test_nothing_replaces_another_of_its_name(self):
        found = perdure.run({
            "problem": {"type": "system", "fields": {"u": 1.0, "m": 2.0, "history_residual": 3.0, "check": 4.0},
                        "equations": {"u": "0*u", "m": "0*u", "history_residual": "0*u", "check": "0*u"}},
            "grid": {"shape": [4, 4]}, "time": {"end": 1.0, "dt": 0.5}, **{"execution": {"backend": "host"}},
            "watch": {"every": 0.5, "integrals": {"series_m": {"sum": "u"}, "m": {"sum": "m"}},
                      "probes": {"u": {"from": {"x": 0.5, "y": 0.5}, "to": {"x": 3.5, "y": 0.5}, "points": 3, "of": ["m"]}}},
        })
        first = {name: float(values.values.flat[0]) for name, values in found.data_vars.items() if "check" not in values.dims}
        expected = {"u": 1.0, "m": 2.0, "field_history_residual": 3.0, "field_check": 4.0, "series_m": 16.0, "series_series_m": 32.0, "u_m": 2.0}
        self.assertEqual(first, expected)
        self.assertEqual((found.u_m.dims, found.u.dims), (("series_time", "line_u"), ("time", "y", "x")))
        self.assertEqual(found.history_residual.dims, ("check",))


    def test_the_shape_of_an_array_and_axes_in_units(self):
        case = {"units": {"length": "mm"}, "problem": {"type": "diffusion", "a": numpy.full((3, 5), 2.0), "f": 1.0}, "grid": {"length": "1 cm"},
                "boundary": {"all": {"value": 0}}, "execution": {"backend": "host"}}
        found = perdure.run(case)
        self.assertEqual((found.u.dims, found.u.shape, found.x.attrs["units"], float(found.x[0])), (("y", "x"), (3, 5), "mm", 1.0))
        case["problem"]["a"] = 2.0
        case["grid"]["shape"] = [8]
        line = perdure.run(case)
        self.assertEqual((line.u.dims, line.sizes["x"]), (("x",), 8))
        self.assertAlmostEqual(float(line.u.max()), 6.25, 6)  # x (10 - x) / 4, and h^2 / 16 of the half cells at the sides

    def test_probes_have_the_units_of_their_field(self):
        place = {"x": 1.0, "y": 1.0}
        found = perdure.run({"problem": {"type": "heat", "a": 1.0, "initial": 1.0}, "grid": {"shape": [4, 4]}, "time": {"end": 1.0, "dt": 0.25},
                             "watch": {"every": 0.5, "integrals": {"m": {"sum": "u"}}, "probes": {"p": place, "q": {**place, "of": {"u": "2*u"}}}},
                             "execution": {"backend": "host"}, "output": {"units": "K"}})
        self.assertEqual([found[name].attrs["units"] for name in ("u", "p_u", "q_u", "m")], ["K", "K", "1", "1"])


class Arrays(unittest.TestCase):
    def test_layout_and_type_do_not_matter(self):
        expected = solve(CONDUCTIVITY)
        read_only = CONDUCTIVITY.copy()
        read_only.setflags(write=False)
        variants = {
            "Fortran order": numpy.asfortranarray(CONDUCTIVITY),
            "big-endian": CONDUCTIVITY.astype(">f8"),
            "every second column": numpy.repeat(CONDUCTIVITY, 2, axis=1)[:, ::2],
            "backwards": CONDUCTIVITY[::-1].copy()[::-1],
            "read only": read_only,
            "long double": CONDUCTIVITY.astype("longdouble"),
            "xarray": xarray.DataArray(CONDUCTIVITY),
        }
        for name, array in variants.items():
            with self.subTest(name):
                numpy.testing.assert_array_equal(solve(array), expected)
        for kind in ("i1", "u2", ">i4", "u8", "bool", "f2", "f4"):
            with self.subTest(kind):
                numpy.testing.assert_array_equal(solve(numpy.ones(SHAPE, dtype=kind)), solve(1.0))

    def test_where_arrays_may_stand(self):
        image = CONDUCTIVITY > 1.5
        labelled = solve({"array": image, "labels": {0: 1.0, 1: 3.0}})
        numpy.testing.assert_array_equal(labelled, solve(numpy.where(image, 3.0, 1.0)))
        numpy.testing.assert_array_equal(perdure.run(plate(1.0), {"problem.a": CONDUCTIVITY}).u.values, solve(CONDUCTIVITY))
        side = numpy.linspace(1.0, 2.0, SHAPE[0])
        sides = {"x-": {"value": side}, "x+": {"value": {"array": side, "factor": "2"}}}
        found = perdure.run(plate(1.0, boundary=sides, problem={"type": "heat", "a": 1.0, "initial": side[:, None] + numpy.zeros(SHAPE)}),
                            {"time": {"end": 0.1, "dt": 0.01}})
        self.assertGreater(float(found.u[-1, :, -1].min()), 1.5)
        self.assertGreater(float(found.u.min()), 1.0)
        self.assertEqual(solve(numpy.array(2.0)).max(), solve(2.0).max())

    def test_what_dlpack_gives(self):
        class Tensor:
            """As PyTorch has them: no array interface."""

            def __init__(self, array, device=(1, 0)):
                self.array, self.device = array, device

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.device

        class CupyArray(Tensor):
            def get(self):
                return self.array

        class TorchTensor(Tensor):
            def cpu(self):
                return Tensor(self.array)

        class NumbaArray:
            __cuda_array_interface__ = {"shape": SHAPE}  # noqa: RUF012

            def copy_to_host(self):
                return CONDUCTIVITY

        expected = solve(CONDUCTIVITY)
        numpy.testing.assert_array_equal(solve(Tensor(CONDUCTIVITY)), expected)
        taken = perdure._arrays.as_solver_takes(Tensor(CONDUCTIVITY), "problem.a")
        self.assertEqual(taken.ctypes.data, CONDUCTIVITY.ctypes.data)  # no copy
        on_gpu = "is in the memory of a CUDA GPU (device 1), but perdure reads arrays in host memory; give a copy: "
        for array, words in (
            (CupyArray(CONDUCTIVITY, (2, 1)), f"problem.a: this CupyArray {on_gpu}array.get()"),
            (TorchTensor(CONDUCTIVITY, (2, 1)), f"problem.a: this TorchTensor {on_gpu}array.cpu()"),
            (Tensor(CONDUCTIVITY, (2, 1)), f"problem.a: this Tensor {on_gpu}numpy.asarray(array)"),
            (Tensor(CONDUCTIVITY, (10, 0)), "problem.a: this Tensor is in the memory of a ROCm GPU (device 0)"),
            (Tensor(CONDUCTIVITY, (99, 0)), "problem.a: this Tensor is in the memory of a device of DLPack type 99 (device 0)"),
            (NumbaArray(), "problem.a: this NumbaArray is in the memory of a CUDA GPU, but perdure reads arrays in host memory; give a copy: array.copy_to_host()"),
        ):
            self.refused(array, TypeError, [words])
        numpy.testing.assert_array_equal(solve(CupyArray(CONDUCTIVITY, (2, 1)).get()), expected)
        numpy.testing.assert_array_equal(solve(TorchTensor(CONDUCTIVITY, (2, 1)).cpu()), expected)
        with self.assertRaisesRegex(TypeError, "^image: this TorchTensor is in the memory of a CUDA GPU"):
            perdure.effective(TorchTensor(CONDUCTIVITY > 1.5, (2, 0)), {0: 1.0, 1: 0.0})

    def refused(self, a, error, words):
        with self.assertRaises(error) as caught:
            solve(a)
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def test_what_is_refused(self):
        gap = CONDUCTIVITY.copy()
        gap[3, 4] = numpy.nan
        found = self.refused(gap, perdure.InputDataError, ["problem.a must be finite", "nan at cell [y, x] = [3, 4]"])
        self.assertEqual((found.file, found.line, found.column), ("case", 3, 6))
        self.refused(CONDUCTIVITY.T, perdure.InputDataError, ["array 'problem.a' has shape (20, 12); expected (12, 20)", "axes seem to be in reversed order"])
        self.refused(-CONDUCTIVITY, perdure.InputDataError, ["not negative", "-1."])
        self.refused(CONDUCTIVITY.astype(complex), TypeError, ["problem.a: expected an array of real numbers or integers, found complex128"])
        self.refused(CONDUCTIVITY.astype(object), TypeError, ["problem.a: expected an array of real numbers or integers, found object"])
        self.refused(numpy.ma.masked_array(CONDUCTIVITY), TypeError, ["problem.a: this is a masked array"])
        self.refused(numpy.zeros((0, 3)), perdure.InputDataError, ["has shape (0, 3)"])
        image = (CONDUCTIVITY > 1.5).astype(int)
        self.refused({"array": image, "labels": {0: 1.0}}, perdure.InputDataError, ["for 1 in array 'problem.a'"])
        self.refused({"array": CONDUCTIVITY, "labels": {0: 1.0}}, perdure.InputDataError, ["labels must be integers"])
        self.refused({"array": image.astype("u8") + 2**63, "labels": {0: 1.0}}, perdure.InputDataError, ["922337203685477580", "too large for a label"])


class Errors(unittest.TestCase):
    def test_places(self):
        with self.assertRaises(perdure.CaseError) as caught:
            perdure.run(plate(1.0, solver={"rtl": 1e-6, "method": "cgg"}))
        self.assertEqual([(found.line, found.column) for found in caught.exception.findings], [(16, 3), (17, 11)])
        self.assertIn("did you mean 'rtol'?", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(perdure.CaseError) as caught:
            perdure.run(plate(1.0), solver__rtol="small")
        self.assertEqual(caught.exception.file, "--set solver.rtol=small")

    def test_files(self):
        with self.assertRaises(perdure.FileError) as caught:
            perdure.run("heated_plat.yaml", folder=INPUTS)
        self.assertIn("there is no such file", str(caught.exception))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.h5").write_text("no HDF5")
            with self.assertRaises(perdure.FileError) as caught:
                perdure.run(plate({"file": "a.h5", "dataset": "/a"}), folder=folder)
            self.assertIn("is not an HDF5 file", str(caught.exception))
            with h5py.File(f"{folder}/b.h5", "w") as file:
                file["a"] = CONDUCTIVITY
            found = perdure.run(plate({"file": "b.h5", "dataset": "/a"}), folder=folder)
            numpy.testing.assert_array_equal(found.u.values, solve(CONDUCTIVITY))

    def test_no_convergence(self):
        few = {"solver.max_iterations": 4, "solver.check_every": 2}
        with self.assertRaises(perdure.DidNotConverge) as caught:
            perdure.run(plate(CONDUCTIVITY), few)
        self.assertEqual(caught.exception.code, 3)
        self.assertIn("iteration limit after 4 iterations", str(caught.exception))
        kept = perdure.run(plate(CONDUCTIVITY), few, check=False)
        self.assertEqual(kept.attrs["exit_code"], 3)
        numpy.testing.assert_array_equal(kept.u.values, caught.exception.result.u.values)

    def test_what_is_no_case(self):
        for case, words in ((3, "a dict, a path or a YAML text"), ({"problem": {"a": {1, 2}}}, "problem.a: expected a number")):
            with self.assertRaisesRegex(TypeError, words):
                perdure.run(case)
        with self.assertRaisesRegex(perdure.CaseError, "the case has a sweep of 2 members"):
            perdure.run(plate(1.0, sweep={"solver.rtol": [1e-3, 1e-4]}))
        with self.assertRaisesRegex(perdure.CaseError, "only the command `perdure run` measures"):
            perdure.run(plate(1.0), execution__model="auto")
        with self.assertRaisesRegex(TypeError, "solver.rtol is given twice"):
            perdure.run(plate(1.0), {"solver.rtol": 1.0}, solver__rtol=1.0)

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            perdure.run(plate({"array": numpy.zeros(SHAPE, int), "labels": {0: 1.0, 7: 2.0}}))
        self.assertEqual([one.category for one in caught], [perdure.CaseWarning])
        self.assertIn("'labels' lists 7, but no cell of array 'problem.a' has this label", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)


class Files(unittest.TestCase):
    def test_written_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = {"output.directory": folder, "output.name": "plate"}
            found = perdure.run(plate(CONDUCTIVITY), keys)
            self.assertEqual(os.listdir(folder), [])
            written = perdure.run(plate(CONDUCTIVITY), keys, write=True)
            self.assertEqual(written.attrs["file"], f"{folder}/plate.vtkhdf")
            with xarray.open_dataset(written.attrs["file"], engine="h5netcdf") as stored:
                numpy.testing.assert_array_equal(stored.u.values, found.u.values)
            with self.assertRaisesRegex(perdure.FileError, "use force=True to replace"):
                perdure.run(plate(1.0), keys, write=True)
            perdure.run(plate(1.0), keys, write=True, force=True)
            self.assertEqual(os.listdir(folder), ["plate.vtkhdf"])

    def test_netcdf(self):
        with tempfile.TemporaryDirectory() as folder:
            found = perdure.effective(numpy.zeros((4, 4, 4), int), {0: 2.0}, fields=["u", "flux"], execution__backend="host")
            found.to_netcdf(f"{folder}/effective.nc", engine="h5netcdf")
            with xarray.open_dataset(f"{folder}/effective.nc", engine="h5netcdf") as stored:
                self.assertEqual(stored.flux_x.dims, ("z", "y", "x", "component"))
                self.assertEqual(list(stored.coefficient.values.round(9)), [2.0] * 3)


if __name__ == "__main__":
    unittest.main()
