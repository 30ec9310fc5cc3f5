"""perdure.sweep and perdure.effective: what they find and what they refuse, for conduct_test.py."""

import unittest

import numpy
import perdure
from cases import LONG, rod


class Sweeps(unittest.TestCase):
    def test_dimensions(self):
        found = perdure.sweep(rod(1.0), {"boundary.x-.value": [1.0, 2.0, 4.0], "solver.rtol": [1e-4, 1e-8]}, fields=True)
        self.assertEqual(found.u.dims, ("value", "rtol", "y", "x"))
        self.assertEqual(list(found.value.values), [1.0, 2.0, 4.0])
        ratio = found.u.sel(value=4.0, rtol=1e-8) / found.u.sel(value=1.0, rtol=1e-8)
        self.assertLess(float(abs(ratio - 4.0).max()), 1e-6)

    def test_cases_in_time(self):
        heat = {**LONG, "grid": {"shape": [4, 8]}, "time": {"end": 1.0, "dt": 0.25}, "boundary": {"x-": {"exchange": {"coefficient": 1.0, "ambient": 0.0}}}}
        key = "boundary.x-.exchange.coefficient"
        found = perdure.sweep(heat, {key: [1.0, 2.0], "time.dt": [0.25, 0.125]}, fields=True)
        self.assertEqual(found.u.dims, ("exchange_coefficient", "dt", "time", "y", "x"))
        self.assertEqual((list(found.time.values), found.time_reached.values.tolist()), ([1.0], [[1.0, 1.0]] * 2))
        self.assertNotIn("step", found.coords)  # that of one member is not that of another
        self.assertEqual(list(perdure.sweep(heat, {"time.end": [1.0, 2.0]}).time.values), [1.0, 2.0])

    def test_members_of_other_axes(self):
        heat = {**LONG, "grid": {"shape": [4, 8]}, "time": {"end": 1.0, "dt": 0.25}}
        for key, values, words in (("grid.spacing", [1.0, 2.0], "y has other values in some members, first with grid.spacing=2.0"),
                                   ("time.end", [1.0, 2.0], "time has other values in some members, first with time.end=2.0"),
                                   ("time.snapshots", [[0.5, 1.0], [0.75, 1.0]], "time has other values"),
                                   ("grid.shape", [[4, 8], [4, 4]], "u has another shape in some members, first with grid.shape=")):
            with self.subTest(key):
                with self.assertRaisesRegex(ValueError, words):
                    perdure.sweep(heat, {key: values}, fields=True)
                self.assertEqual(dict(perdure.sweep(heat, {key: values}).sizes), {key.rsplit(".", 1)[-1]: 2})

    def test_names_of_keys_and_fields_and_outcomes(self):
        decay = {"problem": {"type": "system", "fields": {"c": 1.0, "residual": 2.0}, "equations": {"c": "-k*c", "residual": "0*c"},
                             "parameters": {"k": 1.0, "iterations": 1.0}}, "grid": {"shape": [2, 2]}, "time": {"end": 1.0, "dt": 0.5}, "execution": {"backend": "host"}}
        found = perdure.sweep(decay, {"problem.equations.c": ["-c", "-2*c"], "problem.parameters.iterations": [1.0, 2.0]}, fields=True)
        self.assertEqual(found.c.dims, ("equations_c", "parameters_iterations", "time", "y", "x"))
        self.assertEqual((found.iterations.shape, found.field_residual.values.min(), found.field_residual.values.max()), ((2, 2), 2.0, 2.0))
        with self.assertRaisesRegex(ValueError, "residual exists in some members only, first with output.fields="):
            perdure.sweep(decay, {"output.fields": [["c"], ["c", "residual"]]}, fields=True)

    def test_members_without_answer(self):
        values = {"problem.a": [1.0, -1.0], "solver.max_iterations": [1, 1000]}
        found = perdure.sweep(rod(1.0), values, zipped=True, fields=True, solver__check_every=1)
        self.assertEqual(list(found.exit_code.values), [3, 5])
        self.assertIn("problem.a must be finite and not negative", str(found.outcome.values[1]))
        self.assertTrue(numpy.isnan(found.u[1]).all())
        with self.assertRaises(perdure.InputDataError):
            perdure.sweep(rod(1.0), {"problem.a": [-1.0]}, raise_errors=True)
        with self.assertRaises(perdure.CaseError):
            perdure.sweep(rod(1.0), {"problem.aa": [1.0]})
        with self.assertRaisesRegex(ValueError, "found lengths 2, 1"):
            perdure.sweep(rod(1.0), {"problem.a": [1.0, 2.0], "solver.rtol": [1e-3]}, zipped=True)
        for given, words in (((), r"as in sweep\(case, {'problem.sigma': \[0, 1\]}\); keywords set one value for all members"),
                             (({"problem.a": 2.0},), "problem.a: expected a list of values to sweep over, found 2.0"),
                             (({"solver.method": "cg"},), "solver.method: expected a list of values to sweep over, found 'cg'")):
            with self.assertRaisesRegex(TypeError, words):
                perdure.sweep(rod(1.0), *given, problem__sigma=[0, 1])


class Effective(unittest.TestCase):
    def test_layers(self):
        image = numpy.zeros((6, 8, 10), dtype=bool)
        image[:, :, 5:] = True
        found = perdure.effective(image, {0: 1.0, 1: 0.0}, spacing=[1.0, 2.0, 3.0], **{"execution__backend": "host"})
        self.assertEqual(list(found.direction.values), ["x", "y", "z"])
        numpy.testing.assert_allclose(found.coefficient.values, [0.0, 0.5, 0.5], rtol=1e-9)
        numpy.testing.assert_allclose(found.tortuosity.values, [numpy.inf, 1.0, 1.0], rtol=1e-9)
        self.assertEqual(list(found.percolates.values), [False, True, True])
        self.assertEqual(found.attrs["mean_coefficient"], 0.5)
        self.assertTrue((found.coefficient_lower <= found.coefficient * (1 + 1e-9))[1:].all())
        one = perdure.effective(image, {0: 1.0, 1: 0.0}, direction="z", periodic=True, fields=True, execution__backend="host")
        self.assertEqual(one.u_z.shape, image.shape)
        self.assertAlmostEqual(float(one.tortuosity), 1.0, places=8)
        self.assertNotIn("tensor", one)
        whole = perdure.effective(image, {0: 1.0, 1: 3.0}, periodic=True, execution__backend="host")
        numpy.testing.assert_allclose(whole.tensor.sel(flux_along=["x", "y", "z"]), numpy.diag([1.5, 2.0, 2.0]), atol=1e-6)
        numpy.testing.assert_allclose(whole.attrs["principal"], [1.5, 2.0, 2.0], rtol=1e-9)
        self.assertGreaterEqual(whole.digits.min(), 9)
        slanted = numpy.add.outer(numpy.arange(12), numpy.arange(12)) // 3 % 2
        cell = perdure.effective(slanted, {0: 1.0, 1: 3.0}, boundary="periodic", fields=True, execution__backend="host", solver__rtol=1e-9)
        self.assertEqual((cell.attrs["boundary"], whole.attrs["boundary"]), ("periodic", "faces"))
        self.assertLess(cell.attrs["asymmetry"], 1e-8)
        across, along = cell.attrs["principal"]  # layers at 45 degrees, in steps of voxels
        self.assertTrue(1.4 < across < 1.6 and 1.8 < along < 2.05, (across, along))
        self.assertAlmostEqual(float(cell.tensor.sel(flux_along="x", direction="y")), (across - along) / 2, places=7)
        self.assertAlmostEqual(float(cell.u_x.mean()), 0.0, places=12)
        grain = perdure.effective(image, {0: 1.0, 1: {"x": 3.0, "y": 9.0, "z": 1.0}}, execution__backend="host")
        numpy.testing.assert_allclose(grain.coefficient, [1.5, 5.0, 1.0], rtol=1e-9)
        self.assertNotIn("hashin_shtrikman_lower", grain.attrs)
        fibre = {"x": 3.0, "y": 3.0, "z": 1.0, "xy": 2.0}
        turned = perdure.effective(image, {0: fibre, 1: fibre}, boundary="periodic", execution__backend="host", solver__rtol=1e-9)
        numpy.testing.assert_allclose(turned.tensor.sel(flux_along=["x", "y", "z"]), [[3, 2, 0], [2, 3, 0], [0, 0, 1]], atol=1e-8)
        with self.assertRaisesRegex(perdure.CaseError, "not positive definite"):
            perdure.effective(image, {0: 1.0, 1: {**fibre, "xy": 3.5}}, execution__backend="host")

    def test_what_is_no_image(self):
        with self.assertRaisesRegex(TypeError, "labels must be integers; convert them"):
            perdure.effective(numpy.zeros((4, 4)), {0: 1.0})
        with self.assertRaisesRegex(ValueError, "image: 1 axes; expected 3"):
            perdure.effective(numpy.zeros(4, int), {0: 1.0})
        for labels, words in (([1.0, 0.0], "a list"), (numpy.ones(2), "an array")):
            with self.assertRaisesRegex(TypeError, f"conductivities: expected a dict of label to number, as in .*; found {words}"):
                perdure.effective(numpy.zeros((4, 4), int), labels)

        with self.assertRaisesRegex(ValueError, "boundary: expected 'faces' or 'periodic', found 'mirror'"):
            perdure.effective(numpy.zeros((4, 4), int), {0: 1.0}, boundary="mirror")

    def test_keywords_that_it_has_not(self):
        for keyword, words in (("lateral", "has no keyword 'lateral'; give periodic=True or"), ("directions", "'directions'; give direction, as in direction='x'"),
                               ("tolerance", "'tolerance'; it has spacing, direction, periodic, boundary, rtol, fields, progress, check, and takes keys of a case")):
            with self.assertRaisesRegex(TypeError, words):
                perdure.effective(numpy.zeros((4, 4), int), {0: 1.0}, **{keyword: "x"})

    def test_an_array_in_a_message(self):
        with self.assertRaises(perdure.CaseError) as caught:
            perdure.effective(numpy.zeros((4, 4), int), {0: "wide"})
        line, mark = str(caught.exception).splitlines()[1:3]
        self.assertIn('a: {array: "problem.a", labels: {0: wide}}', line)
        self.assertEqual(line[mark.index("^"):], "wide}}")
        with self.assertRaises(perdure.InputDataError) as caught:
            perdure.run(rod(1.0), problem__f=numpy.ones((2, 2)))
        self.assertIn("array 'problem.f' has shape (2, 2)", str(caught.exception))
        self.assertNotIn("/dev/null", str(caught.exception) + caught.exception.file)
