"""What a run watches, as users meet it: the CSV file, /series in the result, info, verify, orders. Usage: watch_test.py PERDURE"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

perdure = sys.argv.pop(1)

DECAY = """\
problem:
  type: system
  fields: {u: {initial: sin(x)*sin(y), exact: sin(x)*sin(y)*exp(-2*t), units: K}}
  equations: {u: lap(u)}
boundary: {all: periodic}
watch:
  every_steps: 4
  integrals: {heat: {sum: u, units: K m2}, peak: {max: u}}
  probes:
    middle: {x: 1.5, y: 1.5}
    cut: {from: {x: 0.5, y: 1}, to: {x: 5.5, y: 1}, points: 5, of: [u]}
execution: {backend: host, groups: 1}
"""
TAU = 2 * numpy.pi


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.case = self.path / "case.yaml"

    def tearDown(self):
        self.folder.cleanup()

    def perdure(self, *words, code=0):
        done = subprocess.run([perdure, *map(str, words)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def grid(self, cells, dt=0.01):
        return (f"grid: {{shape: [{cells}, {cells}], spacing: {TAU / cells!r}}}\n"
                f"time: {{end: 0.1, dt: {dt}, method: rk4}}\n")

    def test_a_condition_is_looked_at_behind_every_step_where_nothing_else_says_when(self):
        self.case.write_text(DECAY.split("watch:")[0] + "execution: {backend: host, groups: 1}\n" +
                             self.grid(16).replace("end: 0.1", "end: 0.1, stop_when: t > 0.045"))
        self.assertIn("stopped as asked after 5 steps", self.perdure("run", self.case, "--output", self.path))
        with open(self.path / "case.csv", newline="") as file:
            self.assertEqual([row["step"] for row in csv.DictReader(file)], list("012345"))

    def test_times_that_are_multiples_are_written_as_such(self):
        for watched in ("every_steps: 1", "every: 0.1"):
            self.case.write_text("problem: {type: heat, a: 1, f: 1}\ngrid: {shape: [4, 4]}\ntime: {end: 1, dt: 0.1, method: backward_euler}\n"
                                 f"watch: {{{watched}, integrals: {{m: {{mean: u}}}}}}\nexecution: {{backend: host}}\n")
            self.perdure("run", self.case, "--output", self.path, "--force")
            with open(self.path / "case.csv", newline="") as file:
                self.assertEqual([row["time"] for row in csv.DictReader(file)],
                                 ["0", *(f"0.{i}" for i in range(1, 10)), "1"])

    def test_series_is_in_the_result_and_in_a_csv_file(self):
        self.case.write_text(DECAY + self.grid(16))
        self.perdure("run", self.case, "--output", self.path)
        with open(self.path / "case.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["step"] for row in rows], ["0", "4", "8", "10"])
        with h5py.File(self.path / "case.vtkhdf") as file:
            series = file["series"]
            for name in ("heat", "peak", "middle_u", "error_L2_u"):
                self.assertEqual([float(row[name]) for row in rows], list(series[name]), name)
            self.assertEqual([row["time"] for row in rows], ["0", "0.04", "0.08", "0.1"])
            for row, time in zip(rows, series["time"]):
                self.assertAlmostEqual(float(row["time"]), time, delta=1e-15)
            self.assertEqual(series["heat"].attrs["units"], "K m2")
            self.assertEqual([series[name].attrs["units"] for name in ("peak", "middle_u")], ["K", "K"])
            self.assertEqual(series["heat"].dims[0][0].name, "/series/time")
            self.assertEqual(series["cut_u"].shape, (4, 5))
            self.assertEqual([float(rows[1][f"cut_u_{i}"]) for i in range(5)], list(series["cut_u"][1]))
            self.assertTrue(numpy.allclose(series["cut_x"], [0.5, 1.75, 3, 4.25, 5.5]))
            self.assertLess(abs(series["heat"][-1]), 1e-12)
            self.assertEqual(file["report"].attrs["error_Linf_u"], series["error_Linf_u"][-1])
        info = self.perdure("info", self.path / "case.vtkhdf")
        self.assertRegex(info, r"peak +from 0\.9\d+ to 0\.\d+: max of u")

    def test_a_rod_in_units_has_one_axis(self):
        self.case.write_text("""\
units: {length: mm, time: s}
problem: {type: heat, a: 25, initial: sin(pi*x/20)}
grid: {shape: [40], length: 2 cm}
boundary: {all: {value: 0}}
time: {end: 1/60 min, dt: 5 ms, method: rk4, snapshots: [500 ms]}
watch: {every: 500 ms, probes: {middle: {x: 1 cm}, all: {from: {x: 0}, to: {x: 2 cm}, points: 3, of: {slope: dx(u)}}}}
execution: {backend: host, groups: 1}
""")
        self.assertIn("4 watched values agree", self.perdure("verify", self.case))
        self.perdure("run", self.case, "--output", self.path)
        with h5py.File(self.path / "case.vtkhdf") as file:
            self.assertEqual(file["u"].shape, (2, 40))
            self.assertEqual([scale[0].name for scale in file["u"].dims], ["/time", "/x"])
            self.assertNotIn("y", file)
            self.assertEqual((file["x"].attrs["units"], file["time"].attrs["units"], file["x"][0]), ("mm", "s", 0.25))
            self.assertEqual([file["series"][name].attrs["units"] for name in ("time", "all", "all_x")], ["s", "mm", "mm"])
            self.assertAlmostEqual(file["series/middle_u"][-1], numpy.exp(-25 * (numpy.pi / 20) ** 2), 3)
            self.assertAlmostEqual(file["series/all_slope"][0][0], numpy.pi / 20, 3)
            self.assertEqual(list(file["VTKHDF"].attrs["WholeExtent"]), [0, 40, 0, 0, 0, 0])
        self.assertIn("x", self.perdure("info", self.path / "case.vtkhdf"))

    def test_agrees_with_the_reference(self):
        self.case.write_text(DECAY + self.grid(16))
        self.assertIn("11 watched values agree", self.perdure("verify", self.case))

    def test_all_fields_are_compared_whichever_are_written(self):
        self.case.write_text("""\
grid: {shape: [8, 8], length: [1, 1]}
problem: {type: wave, a: 1, f: 1}
boundary: {all: {value: 0}}
time: {end: 0.1}
output: {fields: [v]}
execution: {backend: host}
""")
        text = self.perdure("verify", self.case)
        self.assertIn(": u agrees", text)
        self.assertIn(": v agrees", text)

    def test_a_table_of_anybody_else_is_not_replaced(self):
        self.case.write_text(DECAY + self.grid(8))
        foreign = self.path / "case.csv"
        foreign.write_text("pressure,volume\n1,2\n")
        self.assertIn("was not written by perdure", self.perdure("run", self.case, "--output", self.path, code=6))
        self.assertEqual(foreign.read_text(), "pressure,volume\n1,2\n")

    def test_a_finished_result_gets_its_table_again(self):
        names = ("case.vtkhdf", "case.snapshots")
        for layout, name in zip(("temporal", "files"), names):
            self.case.write_text(DECAY + self.grid(8).replace("end: 0.1", "end: 0.1, snapshots: {every_steps: 4}") +
                                 f"output: {{series: {layout}}}\n")
            self.perdure("run", self.case, "--output", self.path)
            table = self.path / "case.csv"
            whole, before = table.read_bytes(), os.stat(table).st_mtime_ns
            self.assertEqual(whole.count(b"\n"), 5)
            self.assertNotIn("was missing", self.perdure("run", self.case, "--output", self.path))
            self.assertEqual(os.stat(table).st_mtime_ns, before, "a table that is right is left alone")
            rows = whole.splitlines(True)
            last_digit = whole.replace(b"\n0.1,10,", b"\n0.1,10,1", 1)
            self.assertNotEqual(last_digit, whole)
            for damage in (None, b"".join(rows[:-1]), last_digit, b"time,step,other\n0,0,1\n"):
                for words in ([], ["--resume"]):
                    if damage is None:
                        table.unlink()
                    else:
                        table.write_bytes(damage)
                    said = self.perdure("run", self.case, "--output", self.path, *words)
                    self.assertIn("case.csv' was missing or not that of", said)
                    self.assertIn("complete in an earlier run", said)
                    self.assertEqual(table.read_bytes(), whole)
            foreign = b"pressure,volume\n1,2\n"
            table.write_bytes(foreign)
            self.assertIn("was not written by perdure", self.perdure("run", self.case, "--output", self.path, code=6))
            self.assertEqual(table.read_bytes(), foreign)
            self.assertEqual(sorted(os.listdir(self.path)), sorted(["case.csv", "case.yaml", name]))
            table.unlink()
            self.perdure("run", self.case, "--output", self.path)
            shutil.rmtree(self.path / name) if layout == "files" else os.remove(self.path / name)

    def test_no_pipe_of_that_name_is_waited_for(self):
        self.case.write_text(DECAY + self.grid(8))
        os.mkfifo(self.path / "case.csv")
        refusal = "case.csv' is a pipe, but the run needs this name for a time series; remove it or choose another output.name"
        self.assertIn(refusal, self.perdure("run", self.case, "--output", self.path, code=6))
        self.assertIn(refusal, self.perdure("run", self.case, "--output", self.path, "--force", code=6))
        os.rename(self.path / "case.csv", self.path / "pipe")
        self.perdure("run", self.case, "--output", self.path)
        os.rename(self.path / "pipe", self.path / "case.csv")
        self.assertIn("it is a pipe", self.perdure("run", self.case, "--output", self.path, code=6))

    def test_orders_are_those_of_the_differences(self):
        self.case.write_text(DECAY + self.grid(16, 0.005) + "sweep:\n" + "".join(
            f"  - {{grid.shape: [{cells}, {cells}], grid.spacing: {TAU / cells!r}, output.name: n{cells}}}\n" for cells in (24, 16, 48)))
        text = self.perdure("run", self.case, "--output", self.path, "--table", "order")
        lines = text[text.index("error of u\n"):].splitlines()
        rows = [line.split() for line in lines[2:5]]
        self.assertEqual([len(row) for row in rows], [4, 7, 7])
        for row in rows[1:]:
            for order in row[2::2]:
                self.assertAlmostEqual(float(order), 2.0, delta=0.1)


unittest.main()
