"""batch_test.py PERDURE: several cases and sweeps in one call - the table, what is skipped and what is run again. On host
threads."""

import csv
import fcntl
import glob
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until, wait_until_busy  # noqa: E402

PERDURE = sys.argv.pop()
CASE = """
title: a wall
problem: {type: diffusion, a: 1.0, f: 1.0}
grid: {shape: [16, 16], spacing: 0.0625}
boundary: {x-: {value: 1.0}, x+: {value: 0.0}}
execution: {backend: host}
"""
SLOW = """
problem: {type: heat, a: 1, initial: "sin(pi*x/6.4)*sin(pi*y/6.4)"}
grid: {shape: [64, 64], spacing: 0.1}
boundary: {x-: {value: 0}, x+: {value: 0}}
time: {end: 40, snapshots: [1, 40]}
execution: {backend: host, groups: 1}
sweep: {problem.a: [1, 1.1]}
"""


class Batches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_perdure(self, *arguments):
        return subprocess.run([PERDURE, "run", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def table(self, name):
        with open(os.path.join(self.folder, "results", name + ".csv"), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_table_that_cannot_be_written_stops_no_case(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2, 3]}\n")
        os.makedirs(os.path.join(self.folder, "results", "wall_summary.csv"))
        done = self.run_perdure("wall.yaml")
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertEqual(done.stdout.count("converged (rtol) after"), 3, done.stdout)
        self.assertEqual(done.stderr.count("\nerror: "), 1, done.stderr)
        self.assertIn("wall_summary.csv", done.stderr)

    def test_a_result_of_a_later_format_is_refused_and_kept(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2]}\n")
        self.assertEqual(self.run_perdure("wall.yaml").returncode, 0)
        result = os.path.join(self.folder, self.table("wall_summary")[0]["output"])
        with h5py.File(result, "r+") as file:
            self.assertEqual(file.attrs["format_version"], 1)
            file.attrs["format_version"] = 99
            file.attrs["source"] = "perdure 9.9.0"
        with h5py.File(os.path.join(self.folder, "results", "wall_summary.h5")) as file:
            self.assertEqual(file.attrs["format_version"], 1)
        info = subprocess.run([PERDURE, "info", result], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(info.returncode, 6, info.stderr)
        self.assertIn("has result format 99 and was written by perdure 9.9.0", info.stderr)
        again = self.run_perdure("wall.yaml")
        self.assertEqual(again.returncode, 6, again.stderr)
        self.assertIn("has result format 99", again.stderr)
        self.assertTrue(os.path.exists(result))

    def test_a_call_without_any_answer_leaves_the_table_of_the_last_one(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2]}\n")
        self.assertEqual(self.run_perdure("wall.yaml").returncode, 0)
        before = self.table("wall_summary")
        refused = self.run_perdure("wall.yaml", "--set", "solver.norm=max")
        self.assertEqual(refused.returncode, 6, refused.stderr)
        self.assertNotIn("wrote ", refused.stdout)
        self.assertEqual(self.table("wall_summary"), before)

    def test_cases_stand_anywhere_between_overrides(self):
        self.write("wall.yaml", CASE)
        for words in (("--set", "problem.a=2", "wall.yaml", "--set", "problem.f=2", "--json"),
                      ("--set", "problem.a=2", "--set", "problem.f=2", "wall.yaml", "--json"),
                      ("wall.yaml", "--set", "problem.a=2", "--set", "problem.f=2", "--json")):
            done = self.run_perdure(*words, "--force")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r'"cells": ?256\b')
        two = self.run_perdure("--set", "problem.a=2", "problem.f=2", "wall.yaml")
        self.assertIn("problem.f=2", two.stderr)

    def test_a_sweep_writes_a_result_each_and_one_table(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2], grid.shape: [[8, 8], [16, 16], [16, 32]]}\n")
        done = self.run_perdure("wall.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("wall.yaml, 6 of 6: problem.a=2, grid.shape=[16, 32]", done.stdout)
        self.assertIn("#  problem.a  grid.shape  outcome           iterations  ", done.stdout)
        self.assertRegex(done.stdout, r"iterations +seconds +mean_u\n")
        self.assertRegex(done.stdout, r"\n6  2          \[16, 32\]    converged \(rtol\) +\d+ +[\d.e-]+ +[\d.e-]+\nwrote ")
        rows = self.table("wall_summary")
        self.assertEqual(list(rows[0])[:10], ["case", "member", "problem.a", "grid.shape", "outcome", "exit_code", "iterations",
                                             "total_seconds", "outcome.mean_u", "output"])
        self.assertEqual([row["grid.shape"] for row in rows], ["[8, 8]", "[16, 16]", "[16, 32]"] * 2)
        self.assertEqual([row["cells"] for row in rows], ["64", "256", "512"] * 2)
        self.assertEqual([row["outcome"] for row in rows], ["converged (rtol)"] * 6)
        self.assertEqual(rows[3]["output"], os.path.join("results", "wall-problem.a-2-grid.shape-8x8.vtkhdf"))
        with h5py.File(os.path.join(self.folder, "results", "wall_summary.h5")) as file:
            self.assertEqual(list(file.attrs["columns"])[:4], ["case", "member", "problem.a", "grid.shape"])
            np.testing.assert_array_equal(file["problem.a"][:], [1, 1, 1, 2, 2, 2])
            np.testing.assert_array_equal(file["cells"][:], [64, 256, 512] * 2)
            for column in ("cells", "member", "exit_code", "iterations", "skipped"):
                self.assertEqual(file[column].dtype, np.int64, column)
            self.assertEqual(file["residual"].dtype, np.float64)
            self.assertEqual(file["grid.shape"][2], b"[16, 32]")
        for row in rows:
            with h5py.File(os.path.join(self.folder, row["output"])) as file:
                self.assertEqual(file["u"].size, int(row["cells"]))

    def test_what_is_finished_is_skipped(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2]}\n")
        first = self.run_perdure("wall.yaml")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2, 3]}\n")
        before = self.table("wall_summary")
        again = self.run_perdure("wall.yaml")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout.count("in an earlier run"), 2)
        self.assertIn("3 of 3 cases, 2 of them finished earlier", again.stdout)
        after = self.table("wall_summary")
        self.assertEqual([row["skipped"] for row in after], ["1", "1", "0"])
        for old, new in zip(before, after):
            self.assertEqual({**old, "skipped": ""}, {**new, "skipped": ""}, "the row is as it was")
        forced = self.run_perdure("wall.yaml", "--force")
        self.assertEqual([row["skipped"] for row in self.table("wall_summary")], ["0"] * 3, forced.stderr)

    def test_results_of_another_case_stay(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2]}\n")
        self.run_perdure("wall.yaml")
        self.write("wall.yaml", CASE.replace("f: 1.0", "f: 2.0") + "sweep: {problem.a: [1, 3]}\n")
        done = self.run_perdure("wall.yaml")
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("'results/wall-problem.a-1.vtkhdf' already exists, and it is the result of a different case: ", done.stderr)
        rows = self.table("wall_summary")
        self.assertEqual([row["exit_code"] for row in rows], ["6", "0"])
        self.assertIn("is the result of a different case", rows[0]["outcome"])

    def test_members_are_known_by_their_values(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2.50], grid.shape: [[8, 8], [8, 9]]}\n")
        first = self.run_perdure("wall.yaml")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.write("wall.yaml", CASE + "sweep: {problem.a: [0.5, 2.5, 1.0e0], grid.shape: [[8, 9], [8, 8]]}\n")
        again = self.run_perdure("wall.yaml")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout.count("in an earlier run"), 4, again.stdout)
        rows = self.table("wall_summary")
        self.assertEqual([(row["member"], row["problem.a"], row["skipped"]) for row in rows],
                         [("1", "0.5", "0"), ("2", "0.5", "0"), ("3", "2.5", "1"), ("4", "2.5", "1"), ("5", "1", "1"), ("6", "1", "1")])
        self.assertEqual(rows[2]["output"], "results/wall-problem.a-2.5-grid.shape-8x9.vtkhdf")

    def test_a_member_that_another_process_computes_has_an_exit_code_of_its_own(self):
        self.write("wall.yaml", CASE.replace("execution: {backend: host}", "execution: {backend: host, model: launches}") +
                   "sweep: {problem.a: [1, 2]}\n")
        claims = os.path.join(self.folder, "results", "wall-problem.a-2.partial")
        os.makedirs(claims)
        with open(os.path.join(claims, "claim"), "w", encoding="utf-8") as file:
            fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))  # F_OFD_SETLK
            done = self.run_perdure("wall.yaml", "--json")
            self.assertEqual(done.returncode, 8, done.stderr)
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([line["exit_code"] for line in lines], [0, 8])
            self.assertEqual(self.table("wall_summary")[1]["exit_code"], "8")
            limited = self.run_perdure("wall.yaml", "--force", "--set", "solver.max_iterations=3")
            self.assertEqual(limited.returncode, 3, limited.stderr)
        self.assertEqual(self.run_perdure("wall.yaml").returncode, 6, "the first is the result of a different case now")

    def start_slow(self, *words):
        """A sweep of heat runs of a second or so each; returns when the first has begun to compute."""
        self.write("slow.yaml", SLOW)
        process = subprocess.Popen([PERDURE, "run", "slow.yaml", "-q", *words], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        claims = os.path.join(self.folder, "results", "slow-problem.a-1.partial", "claim*")
        self.assertTrue(wait_until(lambda: glob.glob(claims)), "the run did not begin")
        return process

    def test_what_a_killed_process_was_computing_is_computed(self):
        first = self.start_slow()
        os.kill(first.pid, signal.SIGSTOP)
        second = subprocess.Popen([PERDURE, "run", "slow.yaml", "--json"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        while not os.path.exists(os.path.join(self.folder, "results", "slow-problem.a-1.1.vtkhdf")) and second.poll() is None:
            if os.path.exists(os.path.join(self.folder, "results", "slow-problem.a-1.1.partial")):
                first.kill()
            time.sleep(0.01)
        lines = [json.loads(line) for line in second.communicate(timeout=120)[0].splitlines()]
        self.assertEqual(second.returncode, 0)
        self.assertEqual(sorted(line["swept"]["problem.a"] for line in lines), [1, 1.1])
        self.assertEqual({line["exit_code"] for line in lines}, {0})
        self.assertEqual([row["outcome"] for row in self.table("slow_summary")], ["complete", "complete"])

    def test_with_force_a_result_of_before_is_not_what_another_process_computes(self):
        self.start_slow().wait()
        old = os.path.join(self.folder, "results", "slow-problem.a-1.vtkhdf")
        os.utime(old, (0, 0))
        first = self.start_slow("--force")
        os.kill(first.pid, signal.SIGSTOP)
        try:
            second = self.run_perdure("slow.yaml", "-q", "--force", "--json=r.json")
            self.assertEqual(second.returncode, 8, second.stderr)
            self.assertIn("1 of 2 cases is still being computed by other processes", second.stderr)
            with open(os.path.join(self.folder, "r.json"), encoding="utf-8") as file:
                self.assertEqual(sorted(json.loads(line)["exit_code"] for line in file), [0, 8])
            self.assertEqual(os.stat(old).st_mtime, 0)
        finally:
            os.kill(first.pid, signal.SIGCONT)
        self.assertEqual(first.wait(timeout=120), 0)

    def test_a_stopped_run_with_force_keeps_the_finished_result(self):
        self.start_slow().wait()
        path = os.path.join(self.folder, "results", "slow-problem.a-1.vtkhdf")
        with open(path, "rb") as file:
            before = file.read()
        again = self.start_slow("--force")
        snapshots = os.path.join(self.folder, "results", "slow-problem.a-1.partial", "*.vtkhdf")
        self.assertTrue(wait_until(lambda: glob.glob(snapshots), again), "the run wrote no snapshot")
        again.send_signal(signal.SIGTERM)
        said = again.communicate(timeout=60)[1]
        self.assertEqual(again.returncode, 75, said)
        self.assertIn("stopped; the earlier result is unchanged, and what this run wrote stays in 'results/slow-problem.a-1.partial'", said)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertTrue(glob.glob(snapshots))
        self.assertEqual(self.run_perdure("slow.yaml", "-q").returncode, 0)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "results", "slow-problem.a-1.partial")))

    def test_one_that_fails_does_not_keep_the_others_from_running(self):
        self.write("a.yaml", CASE)
        self.write("b.yaml", CASE.replace("f: 1.0", "f: [1"))
        self.write("c.yaml", CASE + "solver: {max_iterations: 3}\n")
        done = self.run_perdure("a.yaml", "b.yaml", "c.yaml")
        self.assertEqual(done.returncode, 3)
        rows = self.table("batch_summary")
        self.assertEqual([row["case"] for row in rows], ["a.yaml", "b.yaml", "c.yaml"])
        self.assertEqual([row["exit_code"] for row in rows], ["0", "2", "3"])
        self.assertEqual(rows[1]["iterations"], "")
        self.assertEqual(rows[2]["iterations"], "3")
        self.assertEqual(self.run_perdure("a.yaml", "c.yaml").returncode, 3, "as it ended the first time")

    def test_a_result_that_cannot_be_written_while_the_next_case_runs_is_not_in_the_table(self):
        self.write("wall.yaml", CASE + "output: {compression: none}\nsweep: {grid.shape: [[16, 16], [256, 256], [16, 17]]}\n")
        limit = 300_000  # of bytes in a file; the second member needs 524288
        done = subprocess.run([PERDURE, "run", "wall.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertRegex(done.stderr, r"error: cannot write 'results/wall-grid.shape-256x256.partial/wall-grid.shape-256x256_\d+.vtkhdf': .*File too large")
        self.assertEqual([row["exit_code"] for row in self.table("wall_summary")], ["0", "6", "0"])
        lines = [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith(("wall.yaml", "wrote results/wall-"))]
        self.assertEqual(lines, ["wall.yaml, 1 of 3", "wrote results/wall-grid.shape-16x16.vtkhdf", "wall.yaml, 2 of 3", "wall.yaml, 3 of 3",
                                 "wrote results/wall-grid.shape-16x17.vtkhdf"])
        again = self.run_perdure("wall.yaml")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout.count("in an earlier run"), 2, again.stdout)
        self.assertEqual([row["exit_code"] for row in self.table("wall_summary")], ["0", "0", "0"])

    def test_a_result_is_in_the_table_while_the_next_case_runs(self):
        self.write("wall.yaml", CASE.replace("16, 16", "256, 256").replace("0.0625", "1") + "solver: {method: jacobi, rtol: 1e-14}\n"
                   "sweep: [{problem.a: 1, solver.max_iterations: 20}, {problem.a: 2, solver.max_iterations: 100000000}]\n")
        running = subprocess.Popen([PERDURE, "run", "wall.yaml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: os.path.exists(os.path.join(self.folder, "results", "wall_summary.csv")), running)
        self.assertEqual([row["output"] for row in self.table("wall_summary")], ["results/wall-problem.a-1-solver.max_iterations-20.vtkhdf"])
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 75, errors)
        self.assertNotIn("error", errors)
        self.assertEqual([row["exit_code"] for row in self.table("wall_summary")], ["3", "75"], "the table has the case that was stopped")
        self.assertEqual([line.split(":")[0] for line in output.splitlines() if line.startswith(("wall.yaml", "wrote results/wall-"))],
                         ["wall.yaml, 1 of 2", "wrote results/wall-problem.a-1-solver.max_iterations-20.vtkhdf", "wall.yaml, 2 of 2",
                          "wrote results/wall-problem.a-2-solver.max_iterations-100000000.vtkhdf"])

    def test_json_has_a_line_each(self):
        self.write("wall.yaml", CASE + "sweep: [{problem.a: 1}, {problem.a: 2}]\n")
        for skipped in (False, True):
            lines = [json.loads(line) for line in self.run_perdure("wall.yaml", "--json").stdout.splitlines()]
            self.assertEqual([line["exit_code"] for line in lines], [0, 0])
            self.assertEqual([line.get("skipped", False) for line in lines], [skipped] * 2)
            self.assertEqual([(line["case"], line["member"], line["members"], line["swept"]) for line in lines],
                             [("wall.yaml", i, 2, {"problem.a": i}) for i in (1, 2)])
        self.write("broken.yaml", "problem: 3\n")
        failed = [json.loads(line) for line in self.run_perdure("broken.yaml", "wall.yaml", "--json").stdout.splitlines()]
        self.assertEqual([line["case"] for line in failed][:2], ["broken.yaml", "wall.yaml"])

    def test_json_names_what_stops_the_call_and_the_table(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: [1, 2]}\n")
        twice = self.run_perdure("wall.yaml", "./wall.yaml", "--json")
        self.assertEqual(twice.returncode, 2)
        self.assertIn("would both write", json.loads(twice.stdout)["error"])
        self.write("results/wall_summary.csv", "mine")
        done = self.run_perdure("wall.yaml", "--json")
        self.assertEqual(done.returncode, 6, done.stderr)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((last["table"], last["exit_code"]), ("results/wall_summary", 6))

    def test_a_mistake_in_any_member_is_said_before_the_first_runs(self):
        self.write("wall.yaml", CASE + "sweep: {solver.rtol: [1e-6, -1]}\n")
        done = self.run_perdure("wall.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("wall.yaml:7:29: error: solver.rtol", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "results")))

    def test_data_files_that_changed_are_looked_at(self):
        def write_image(value):
            with h5py.File(os.path.join(self.folder, "a.h5"), "w") as file:
                file["a"] = np.full((16, 16), value)

        write_image(1.0)
        self.write("wall.yaml", CASE.replace("a: 1.0", "a: {file: a.h5, dataset: /a}") + "sweep: {problem.f: [1, 2]}\n")
        self.assertEqual(self.run_perdure("wall.yaml").returncode, 0)
        self.assertEqual(self.run_perdure("wall.yaml").stdout.count("in an earlier run"), 2)
        time.sleep(0.05)
        write_image(2.0)
        changed = self.run_perdure("wall.yaml")
        self.assertEqual(changed.returncode, 6, "neither skipped nor replaced without --force")
        self.assertIn("was computed from other data files, or the data files have changed since", changed.stderr)

    def test_the_same_text_beside_other_data_is_another_case(self):
        for folder, value in (("thin", 1.0), ("thick", 2.0)):
            os.mkdir(os.path.join(self.folder, folder))
            with h5py.File(os.path.join(self.folder, folder, "a.h5"), "w") as file:
                file["a"] = np.full((16, 16), value)
            self.write(os.path.join(folder, "wall.yaml"),
                       CASE.replace("a: 1.0", "a: {file: a.h5, dataset: /a}") + "sweep: {problem.f: [1, 2]}\n")
        self.assertEqual(self.run_perdure(os.path.join("thin", "wall.yaml")).returncode, 0)
        other = self.run_perdure(os.path.join("thick", "wall.yaml"))
        self.assertEqual(other.returncode, 6)
        self.assertIn("was computed from other data files", other.stderr)

    def test_effective_properties_stand_in_the_table_of_a_second_run_too(self):
        with h5py.File(os.path.join(self.folder, "a.h5"), "w") as file:
            file["a"] = np.arange(64).reshape(8, 8) % 8 // 4
        self.write("layers.yaml", """
problem: {type: effective, a: {file: a.h5, dataset: /a, labels: {0: 1.0, 1: 3.0}}}
grid: {shape: [8, 8], spacing: 1.0}
execution: {backend: host}
sweep: {solver.rtol: [1.0e-8, 1.0e-10]}
""")
        done = self.run_perdure("layers.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        first = self.table("layers_summary")
        self.assertAlmostEqual(float(first[0]["effective.x.coefficient"]), 1.5, places=6)  # in series
        self.assertAlmostEqual(float(first[1]["effective.y.coefficient"]), 2.0, places=8)  # side by side
        self.assertEqual(self.run_perdure("layers.yaml").stdout.count("in an earlier run"), 2)
        for old, new in zip(first, self.table("layers_summary")):
            self.assertEqual({**old, "skipped": ""}, {**new, "skipped": ""})

    def test_the_table_on_the_terminal_is_no_wider_than_100(self):
        self.write("a_name_that_is_rather_long_for_a_case_of_its_own.yaml", CASE + "sweep: {problem.f: [x + 1.0, sin(pi * x) * "
                   "sin(pi * y) * 123456789.0 + 0.123456789 * x * y * x * y], boundary.x-.value: [0.1, 0.2]}\n")
        self.write("b.yaml", CASE)
        done = self.run_perdure("a_name_that_is_rather_long_for_a_case_of_its_own.yaml", "b.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = done.stdout[done.stdout.index("case "):].splitlines()[:6]
        self.assertTrue(all(len(line) <= 100 for line in table), table)
        self.assertIn("converged", table[5])
        self.assertEqual(self.run_perdure("b.yaml", "a_name_that_is_rather_long_for_a_case_of_its_own.yaml", "--quiet").stdout, "")

    def test_flows_that_differ_are_said_again_on_a_second_run(self):
        image = np.zeros((8, 8, 8), dtype=np.uint8)
        image[:, :, 3:5] = 1
        with h5py.File(os.path.join(self.folder, "a.h5"), "w") as file:
            file["a"] = image
        self.write("layers.yaml", """
problem: {type: effective, a: {file: a.h5, dataset: /a, labels: {0: 1.0, 1: 1.0e-9, 5: 1.0}}, directions: [x]}
grid: {shape: [8, 8, 8]}
solver: {rtol: 1.0e-2, preconditioner: jacobi}
execution: {backend: host}
sweep: {solver.max_iterations: [500, 600]}
""")
        for _ in range(2):
            done = self.run_perdure("layers.yaml")
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertEqual([row["outcome"] for row in self.table("layers_summary")], ["converged (rtol), flows differ"] * 2)
            self.assertEqual(done.stdout.count("note: along x: "), 2, done.stdout)
            self.assertEqual(done.stderr.count("assumed: grid.spacing 1"), 1)
        self.assertIn("converged (rtol), flows differ in an earlier run", done.stdout)
        self.assertIn("flows differ", self.run_perdure("layers.yaml", "--quiet").stderr)
        lines = [json.loads(line) for line in self.run_perdure("layers.yaml", "--json").stdout.splitlines()]
        self.assertEqual([line["assumed"] for line in lines], [["grid.spacing 1"]] * 2)

    def test_device_labels_and_order_of_what_is_said(self):
        image = np.indices((8, 8, 8)).sum(axis=0) % 5 // 3
        with h5py.File(os.path.join(self.folder, "a.h5"), "w") as file:
            file["a"] = image
        self.write("mix.yaml", """
problem: {type: effective, a: {file: a.h5, dataset: /a, labels: {0: 0.0, 1: 1.0, 7: 2.0}}}
grid: {shape: [8, 8, 8], spacing: 1}
execution: {backend: host, barrier: tree}
sweep: {solver.rtol: [1.0e-4, 1.0e-6]}
""")
        done = subprocess.run([PERDURE, "run", "mix.yaml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.stdout.count("as the case asks"), 1, "the device is said once: " + done.stdout)
        self.assertIn("warning: problem.a: 'labels' lists 7, but no cell of dataset '/a' of a.h5 has this label", done.stdout)
        self.assertLess(done.stdout.index("mix.yaml, 1 of 2"), done.stdout.index("as the case asks"))
        self.assertLess(done.stdout.index("  label 0 "), done.stdout.index("  label 1 "))
        self.assertRegex(done.stdout, "iterations +seconds +eff. x +eff. y +eff. z\n")
        with h5py.File(os.path.join(self.folder, "results", "mix_summary.h5")) as file:
            np.testing.assert_array_equal(file["effective.x.percolates"][:], [1, 1])
            self.assertEqual(file["effective.x.percolates"].dtype, np.int64)

    def test_a_full_start_that_has_no_use_is_said(self):
        self.write("wall.yaml", CASE + "solver: {method: multigrid, multigrid: {start: full}}\n")
        self.assertIn("start: full has no effect here, because the grid itself is solved directly", self.run_perdure("wall.yaml").stderr)
        cycles = self.run_perdure("wall.yaml", "--force", "--set", "solver.multigrid.direct_level=none")
        self.assertEqual(cycles.returncode, 0, cycles.stderr)
        self.assertNotIn("has no effect", cycles.stderr)

    def test_an_effective_case_to_start_from(self):
        def perdure(*arguments):
            return subprocess.run([PERDURE, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

        done = perdure("new", "--type", "effective", "case.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("image.h5", done.stdout)
        with h5py.File(os.path.join(self.folder, "image.h5"), "w") as file:
            file["image"] = np.indices((100, 100, 100)).sum(axis=0) % 2
        done = perdure("validate", "case.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "", "nothing is assumed")
        self.assertIn("along x, y, z", done.stdout)
        done = perdure("new", "--type", "efective", "other.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected diffusion, heat, wave, system or effective, found 'efective'; did you mean 'effective'?", done.stderr)

    def test_a_stop_ends_the_batch_and_the_same_call_goes_on(self):
        long_case = CASE.replace("16, 16", "256, 256").replace("0.0625", "1") + "solver: {method: jacobi, rtol: 1e-14, max_iterations: 10000000}\n"
        self.write("wall.yaml", long_case + "sweep: [{problem.a: 1}, {problem.a: 2, solver.max_iterations: 20}, {problem.a: 3, solver.max_iterations: 20}]\n")
        running = subprocess.Popen([PERDURE, "run", "wall.yaml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until_busy(running, 1.0)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 75, errors)
        self.assertIn("2 of 3 cases not begun", errors)
        self.write("wall.yaml", long_case + "sweep: [{problem.a: 1}, {problem.a: 2, solver.max_iterations: 20}]\n")
        running = subprocess.Popen([PERDURE, "run", "wall.yaml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until_busy(running, 1.0)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 75, "begun again in place of what was stopped: " + output + errors)


if __name__ == "__main__":
    unittest.main()
