"""order_test.py PERDURE INPUTS: exact solutions of the short forms, norms of the error, and observed orders. On host threads."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

INPUTS = os.path.abspath(sys.argv.pop())
PERDURE = os.path.abspath(sys.argv.pop())
ON_HOST = ["--set", "execution.backend=host"]
BOX = """
grid: {shape: [8, 8], length: 1}
boundary: {all: {value: 0}}
sweep: {grid.shape: [[12, 12], [24, 24], [48, 48]]}
"""
SINES = "sin(pi*x)*sin(pi*y)"
HEAT = f"problem: {{type: heat, a: 1, initial: {SINES}, exact: {SINES}*exp(-2*pi^2*t)}}\ntime: {{end: 0.05, snapshots: [0.02]}}" + BOX
WAVE = f"problem: {{type: wave, a: 4, initial: {SINES}, exact: {SINES}*cos(pi*sqrt(8)*t)}}\ntime: {{end: 0.4}}" + BOX


class Orders(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def perdure(self, *words, code=0, case=None):
        if case is not None:
            with open(os.path.join(self.folder, "case.yaml"), "w", encoding="utf-8") as file:
                file.write(case)
        done = subprocess.run([PERDURE, *words], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def orders(self, case, *words, path="case.yaml"):
        """Of L1, L2 and Linf, from each grid to the next; and what is printed below the table."""
        printed = self.perdure("run", path, "--table", "order", "--force", *ON_HOST, *words, case=case).stdout
        table = printed[printed.index("error of u\n"):]
        rows = re.findall(r"^ +[0-9.e-]+ (?: +[0-9.]+e[+-][0-9]+ +(-?[0-9.]+)){3}$", table, re.MULTILINE)
        self.assertTrue(rows, printed)
        lines = [line.split() for line in table.splitlines() if re.match(r" +[0-9.]+ +[0-9.]+e[+-][0-9]+ ", line)]
        return numpy.array([[float(line[i]) for i in (2, 4, 6)] for line in lines[1:]]), table

    def test_a_study_of_diffusion_takes_ten_lines(self):
        shutil.copy(os.path.join(INPUTS, "convergence_study.yaml"), self.folder)
        with open(os.path.join(INPUTS, "convergence_study.yaml"), encoding="utf-8") as file:
            text = [line for line in file.read().splitlines() if not line.startswith("#")]
        self.assertLessEqual(len(text), 10)
        found, table = self.orders(None, path="convergence_study.yaml")
        self.assertEqual(found.shape, (3, 3))
        self.assertLess(numpy.abs(found - 2).max(), 0.1, table)
        self.assertNotIn("does not fall", table)

    def test_a_wrong_solution_is_seen_in_the_table(self):
        shutil.copy(os.path.join(INPUTS, "convergence_study.yaml"), self.folder)
        found, table = self.orders(None, "--set", "problem.exact=-sin(pi*x)*cos(pi*y/2)", path="convergence_study.yaml")
        self.assertLess(numpy.abs(found).max(), 0.1, table)
        self.assertIn("the error does not fall as the grid is refined", table)

    def test_heat_and_waves_have_the_order_of_their_differences(self):
        for name, case in (("heat", HEAT), ("heat that is watched", HEAT + "watch: {every: 0.01, integrals: {m: {mean: u}}}\n"),
                           ("waves", WAVE), ("heat in float32", HEAT + "execution: {precision: float32}\n")):
            with self.subTest(name):
                found, table = self.orders(case)
                self.assertEqual(found.shape, (2, 3))
                self.assertLess(numpy.abs(found - 2).max(), 0.1, table)

    def test_steps_in_time_have_the_order_of_their_method(self):
        decay = "problem: {type: heat, a: 1, sigma: 2, initial: 3, exact: 3*exp(-2*t)}\ngrid: {shape: [4, 4]}\n"
        for method, order in (("euler", 1), ("backward_euler", 1), ("crank_nicolson", 2), ("bdf2", 2)):
            with self.subTest(method):
                solver = "" if method == "euler" else "solver: {rtol: 1.0e-12}\n"
                found, table = self.orders(decay + f"time: {{end: 1, method: {method}}}\n{solver}sweep: {{time.dt: [0.04, 0.01, 0.02]}}\n")
                self.assertEqual(found.shape, (2, 3))
                self.assertLess(numpy.abs(found - order).max(), 0.1, table)
                self.assertRegex(table, r"\n +dt +L1 ")
                self.assertEqual(re.findall(r"^ +(0\.0[0-9]*) ", table, re.MULTILINE), ["0.04", "0.02", "0.01"])
        coarse = HEAT.split("sweep")[0] + "sweep: {time.dt: [0.0002, 0.0001]}\n"
        self.assertIn("the error does not fall as the steps get shorter", self.orders(coarse)[1])

    def test_norms_are_those_of_the_field_that_is_written(self):
        case = """
problem: {type: diffusion, a: 'if(x < 1, 1, 0)', f: 'if(x < 1, 2, 0)', exact: x - x^2 + log(1 - x + 0*y)*0.1}
grid: {shape: [6, 16], length: [0.5, 2]}
boundary: {x-: {value: 0}}
"""
        report = json.loads(self.perdure("run", "case.yaml", "--json", *ON_HOST, case=case).stdout)
        with h5py.File(os.path.join(self.folder, "results", "case.vtkhdf")) as file:
            u = file["u"][:]
        x = (numpy.arange(16) + 0.5) / 8
        u = u.reshape(6, 16)[:, :8]
        error = u - (x - x**2 + 0.1 * numpy.log(1 - numpy.minimum(x, 0.99)))[:8]
        volume = 0.125 * 0.5 / 6
        norms = report["errors"]["u"]
        self.assertAlmostEqual(norms["L1"], numpy.abs(error).sum() * volume, delta=1e-9)
        self.assertAlmostEqual(norms["L2"], numpy.sqrt((error**2).sum() * volume), delta=1e-9)
        self.assertAlmostEqual(norms["Linf"], numpy.abs(error).max(), delta=1e-9)
        self.assertGreater(norms["L2"], 0.01)

    def test_what_is_wrong_with_it_is_told(self):
        diffusion = "problem: {type: diffusion, a: 1, exact: %s}\ngrid: {shape: [8, 8], length: 1}\nboundary: {all: {value: 0}}\n"
        for exact, message in (("sin(t)", "1:45: error: problem.exact: the time t cannot be used"),
                               ("x + q", "1:45: error: problem.exact: unknown name 'q'"),
                               ("lap(x)", "1:41: error: problem.exact: the derivative lap(u) cannot be used"),
                               ("log(x - 0.5)", "1:41: error: problem.exact must be finite in every cell that is not solid, but is not at cell [y, x] = [0, 0]"),
                               ("[1, 2]", "1:41: error: problem.exact: expected a formula, found a list")):
            with self.subTest(exact):
                code = 5 if "finite" in message else 2
                self.assertIn("case.yaml:" + message, self.perdure("validate", "case.yaml", case=diffusion % exact, code=code).stderr)
        heat = "problem: {type: heat, a: 1, exact: 1/(t - 1)}\ngrid: {shape: [8, 8]}\ntime: {end: 1}\n"
        self.assertIn("(x, y) = (0.5, 0.5), t = 1", self.perdure("validate", "case.yaml", case=heat, code=5).stderr)

    def test_without_one_the_table_says_what_to_give(self):
        printed = self.perdure("run", "case.yaml", "--table", "order", *ON_HOST, case="problem: {type: diffusion, a: 1}" + BOX).stdout
        self.assertIn("no case has an exact solution (problem.exact; of a system problem.fields.FIELD.exact)", printed)


if __name__ == "__main__":
    unittest.main()
