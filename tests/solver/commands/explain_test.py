"""perdure run --explain: the plan, the lower bound of an iteration, and what it took. Usage: explain_test.py PERDURE"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

perdure = sys.argv.pop(1)

STEADY = """\
problem: {type: diffusion, a: 1, f: 1}
grid: {shape: [48, 32], spacing: 0.1}
boundary: {x-: {value: 1}}
solver: {method: cg, rtol: 1.0e-6}
execution: {backend: host}
"""
HEAT = """\
problem: {type: heat, a: "1 + x", initial: 1}
grid: {shape: [8, 10, 12], spacing: 0.1}
boundary: {x-: {value: 0}}
time: {end: 0.01, dt: auto}
execution: {backend: host, model: launches}
"""
EFFECTIVE = """\
problem: {type: effective, a: {file: FOLDER/image.h5, dataset: image, labels: {0: 1.0, 1: 0.5}}}
grid: {shape: [8, 8, 8], spacing: 1}
execution: {backend: host, groups: 1}
"""


class Explain(unittest.TestCase):
    def run_case(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder, "case.yaml")
            case.write_text(text)
            words = [perdure, "run", str(case), "--output", folder, "--explain", *arguments]
            return subprocess.run(words, capture_output=True, text=True, check=True)

    def line(self, text, name):
        found = re.search(rf"^  {name} +(.*)$", text, re.MULTILINE)
        self.assertTrue(found, f"no line '{name}' in {text}")
        return found[1]

    def numbers(self, text, name):
        return [float(word) for word in re.findall(r"[0-9.]+(?:e[-+][0-9]+)?", self.line(text, name))]

    def test_floor_is_bytes_at_the_speed_of_a_copy_and_barriers(self):
        text = self.run_case(STEADY).stdout
        bytes_of_cell, kibibytes, memory_us, gigabytes_per_second = self.numbers(text, "memory")
        self.assertEqual((bytes_of_cell, kibibytes), (64, 96))
        self.assertAlmostEqual(memory_us, 96 * 1024 / (1e3 * gigabytes_per_second), delta=2e-3 * memory_us)
        phases, barrier_us = self.numbers(text, "phases")
        self.assertEqual(phases, 2)
        floor_us = self.numbers(text, "floor")[0]
        self.assertAlmostEqual(floor_us, memory_us + 2 * barrier_us, delta=2e-3 * floor_us)

    def test_what_it_took_stands_beside_the_floor(self):
        result = self.run_case(STEADY).stdout
        took_us, times = self.numbers(result, "took")
        self.assertAlmostEqual(times, took_us / self.numbers(result, "floor")[0], delta=1e-2 * times)
        self.assertLess(result.index("plan\n"), result.index("converged"))
        self.assertLess(result.index("converged"), result.index("  took "))

    def test_download_and_write_are_bytes_at_a_rate(self):
        text = self.run_case(STEADY, "--set", "output.compression=none").stdout
        found = re.search(r"download ([0-9.]+) KiB: ([0-9.e-]+) s at ([0-9.]+) GB/s, write ([0-9.]+) KiB", self.line(text, "ahead"))
        self.assertEqual((float(found[1]), float(found[4])), (12, 12))
        self.assertAlmostEqual(float(found[2]), 12 * 1024 / (1e9 * float(found[3])), delta=1e-2 * float(found[2]))
        text = self.run_case(STEADY, "--set", "output.fields=[]").stdout
        self.assertIn("compress and write 0 B: 0 s", self.line(text, "ahead"))
        steps = self.line(self.run_case(HEAT).stdout, "ahead")
        self.assertRegex(steps, "^launch [0-9.e-]+ s, download ")

    def test_parts_so_far_add_up(self):
        text = self.line(self.run_case(STEADY).stdout, "so far")
        in_all = float(text.split()[0])
        summed = text.split(":")[1].split(";")[0]  # not what ran in the background meanwhile
        parts = [float(number) for number in re.findall(r"[a-z]+ ([0-9.e-]+)(?:,|$)", summed)]
        self.assertAlmostEqual(sum(parts), in_all, delta=0.06 * in_all)

    def test_the_plan_of_all_directions_stands_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with h5py.File(pathlib.Path(folder, "image.h5"), "w") as file:
                file["image"] = numpy.indices((8, 8, 8)).sum(axis=0) % 2
            text = self.run_case(EFFECTIVE.replace("FOLDER", folder)).stdout
        self.assertEqual(text.count("plan\n"), 1, text)
        self.assertEqual(text.count("  so far "), 1, text)

    def test_a_case_has_nothing_of_the_writing_of_the_one_before(self):
        text = self.run_case(STEADY + "sweep: {problem.f: [1, 2]}\n").stdout
        second = text[text.rindex("plan\n"):]
        self.assertNotIn("background", self.line(second, "so far"))
        self.assertIn("background", self.line(second, "time"))

    def test_steps_of_variable_coefficients_in_launches(self):
        text = self.run_case(HEAT).stdout
        self.assertEqual(self.numbers(text, "memory")[0], 56)
        self.assertEqual(self.line(text, "phases"), "1 a step, one launch each")
        self.assertRegex(self.line(text, "took"), "^[0-9.]+ us a step")

    def test_a_cycle_of_multigrid_has_phases_of_its_own(self):
        text = self.run_case(STEADY, "--set", "solver.preconditioner=multigrid", "--set",
                             "solver.multigrid.direct_level=none").stdout
        self.assertRegex(self.line(text, "phases"), "^2 and those of the cycle an iteration")
        self.assertEqual(self.numbers(text, "memory")[0], 200)
        for solver in ("method: multigrid, multigrid: {cycle: w, direct_level: none}",
                       "method: multigrid, multigrid: {direct_level: 1}"):
            other = self.run_case(STEADY.replace("method: cg", solver)).stdout
            self.assertRegex(self.line(other, "memory"), "^unknown: bytes are counted only for V-cycles")
            self.assertRegex(self.line(other, "floor"), "^unknown")

    def test_a_level_that_is_solved_directly_is_named(self):
        multigrid = ("--set", "solver.preconditioner=multigrid")
        text = self.run_case(STEADY, *multigrid).stdout
        self.assertEqual(self.line(text, "direct"), "level 0, 1536 cells; fast transforms along x, y")
        self.assertEqual(self.numbers(text, "memory")[0], 21 * 8)
        self.assertRegex(self.line(text, "phases"), "^9 an iteration")
        elsewhere = self.run_case(STEADY, *multigrid, "--set", "problem.initial=1").stdout
        self.assertEqual(self.numbers(elsewhere, "memory")[0], 23 * 8)
        stationary = self.run_case(STEADY.replace("method: cg", "method: multigrid")).stdout
        self.assertEqual(self.numbers(stationary, "memory")[0], 11 * 8)
        text = self.run_case(STEADY.replace("[48, 32]", "[48, 30]"), *multigrid).stdout
        self.assertEqual(self.line(text, "direct"),
                         "level 0, 1440 cells; fast transforms along y; products with mode tables along x")
        text = self.run_case(STEADY, *multigrid, "--set", "solver.multigrid.direct_level=none").stdout
        self.assertNotIn("  direct ", text)

    def test_json_stays_json(self):
        result = self.run_case(STEADY, "--json")
        self.assertEqual(json.loads(result.stdout)["exit_code"], 0)
        self.assertIn("floor", result.stderr)


if __name__ == "__main__":
    unittest.main()
