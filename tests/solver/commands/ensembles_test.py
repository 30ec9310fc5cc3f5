"""ensembles_test.py PERDURE: small cases of a batch that run together have the answers, rows and messages of cases that run one after the
other. On host threads."""

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until  # noqa: E402

PERDURE = os.path.abspath(sys.argv.pop())
HEAT = """
problem: {type: heat, a: "1 + x", f: 1, initial: "sin(5*x)"}
grid: {shape: [12, 20], spacing: 0.05}
boundary: {x-: {value: 1}}
time: {dt: 3.0e-4, end: 0.06, snapshots: [0.03]}
execution: {backend: host}
sweep: {problem.f: [0, 1, 2, 3, 4, 5, 6]}
"""
# The fourth member grows without bounds.
GROWTH = """
problem: {type: system, parameters: {r: 1}, fields: {u: {initial: 1 + x}}, equations: {u: "r*u^2 - u"}}
grid: {shape: [10, 10], spacing: 0.1}
boundary: {all: periodic}
time: {method: rk4, dt: 0.01, end: 3}
execution: {backend: host}
sweep: {problem.parameters.r: [0, 0.1, -1, 5, -2]}
"""
SLOW = HEAT.replace("end: 0.06, snapshots: [0.03]", "end: 300").replace("[0, 1, 2, 3, 4, 5, 6]", "{from: 0, to: 1, count: 12}")


class Ensembles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def perdure(self, *words, code=0):
        done = subprocess.run([PERDURE, "run", *words], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def rows(self, folder, name):
        with open(os.path.join(self.folder, folder, name + "_summary.csv"), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def results(self, folder):
        return sorted(name for name in os.listdir(os.path.join(self.folder, folder)) if name.endswith(".vtkhdf"))

    def expect_equal_fields(self, together, alone):
        self.assertEqual(self.results(together), self.results(alone))
        for name in self.results(alone):
            with h5py.File(os.path.join(self.folder, together, name)) as one, h5py.File(os.path.join(self.folder, alone, name)) as other:
                numpy.testing.assert_array_equal(one["u"][...], other["u"][...], err_msg=name)
                for column in other["report/history"]:
                    if "time" not in column and "seconds" not in column:
                        numpy.testing.assert_array_equal(one["report/history"][column][...], other["report/history"][column][...], err_msg=name)

    def test_members_have_the_results_rows_and_messages_of_cases_that_run_alone(self):
        self.write("heat.yaml", HEAT)
        together = self.perdure("heat.yaml", "--output", "together")
        alone = self.perdure("heat.yaml", "--output", "alone", "--set", "execution.ensemble=off")
        self.assertRegex(together.stderr, r"(?m)^small cases run together on host threads .*as the case asks\), up to \d+ at a time")
        self.assertNotIn("run together", alone.stderr)
        self.expect_equal_fields("together", "alone")
        self.assertEqual(len(self.results("alone")), 7)
        said = [re.findall(r"^(?:heat\.yaml, \d of 7.*|wrote .*\.f-\d.*|complete .*)$", done.stdout, re.MULTILINE) for done in (together, alone)]
        self.assertEqual([line.replace("together/", "alone/") for line in said[0]], said[1])
        self.assertEqual(len(said[1]), 7 + 14 + 7, "a line at the beginning, two files, a line at the end")
        times = {"output", "seconds", "device_seconds", "total_seconds"}
        kept = [[{key: value for key, value in row.items() if key not in times and not key.startswith("time")} for row in
                 self.rows(folder, "heat")] for folder in ("together", "alone")]
        self.assertEqual([row["problem.f"] for row in kept[0]], list("0123456"))
        self.assertEqual([row["outcome"] for row in kept[0]], [row["outcome"] for row in kept[1]])

    def expect_equal_outcomes(self, name, text, code, outcomes):
        self.write(name + ".yaml", text)
        together = self.perdure(name + ".yaml", "--output", "together", code=code)
        alone = self.perdure(name + ".yaml", "--output", "alone", "--set", "execution.ensemble=off", code=code)
        self.expect_equal_fields("together", "alone")
        found = [[row["outcome"] for row in self.rows(folder, name)] for folder in ("together", "alone")]
        self.assertEqual(found[0], found[1])
        for outcome, expected in zip(found[0], outcomes, strict=True):
            self.assertIn(expected, outcome)
        self.assertEqual(together.stderr.count("error:"), alone.stderr.count("error:"))

    def test_members_that_fail_leave_the_others_as_they_are(self):
        self.expect_equal_outcomes("growth", GROWTH, 4, ["complete", "complete", "complete", "NaN", "complete"])
        steps = HEAT.replace("problem.f: [0, 1, 2, 3, 4, 5, 6]", "time.dt: [3.0e-4, 0.01, 1.0e-4]")
        self.expect_equal_outcomes("steps", steps, 2, ["complete", "is not stable", "complete"])

    def test_what_is_finished_is_skipped_in_its_place(self):
        self.write("heat.yaml", HEAT)
        self.perdure("heat.yaml", "--member", "2")
        self.perdure("heat.yaml", "--member", "5")
        rest = self.perdure("heat.yaml")
        said = re.findall(r"^(?:heat\.yaml, (\d) of 7.*|(complete) in an earlier run.*|(complete) after.*)$", rest.stdout, re.MULTILINE)
        self.assertEqual([number or again and "again" or "new" for number, again, _ in said],
                         ["1", "new", "2", "again", "3", "new", "4", "new", "5", "again", "6", "new", "7", "new"])
        self.assertEqual([row["skipped"] for row in self.rows("results", "heat")], list("0100100"))

    def test_members_that_other_threads_start_come_in_their_order(self):
        forces = list(range(48))
        steps = ["0.01" if f == 30 else "3.0e-4" for f in forces]  # member 31 is not stable
        self.write("heat.yaml", HEAT[: HEAT.index("sweep:")] + f"sweep: {{zip: {{problem.f: {forces}, time.dt: [{', '.join(steps)}]}}}}\n")
        printed = {}
        for folder, ensemble in (("together", "auto"), ("alone", "off")):
            for member in ("20", "41"):
                self.perdure("heat.yaml", "--output", folder, "--set", "execution.ensemble=" + ensemble, "--member", member)
            done = self.perdure("heat.yaml", "--output", folder, "--set", "execution.ensemble=" + ensemble, code=2)
            said = re.findall(r"^(?:heat\.yaml, \d+ of 48.*|wrote .*f-\d.*|complete (?:after|in an earlier run).*)$", done.stdout, re.MULTILINE)
            printed[folder] = [line.replace(folder + "/", "") for line in said], done.stderr.count("is not stable")
            self.assertFalse([name for name in os.listdir(os.path.join(self.folder, folder)) if name.endswith(".partial")])
        self.assertEqual(printed["together"], printed["alone"])
        self.assertEqual([row["member"] for row in self.rows("together", "heat") if row["skipped"] == "1"], ["20", "41"])
        self.assertEqual([row["member"] for row in self.rows("together", "heat") if row["outcome"] != "complete"], ["31"])
        self.expect_equal_fields("together", "alone")

    def test_a_signal_stops_all_and_the_same_command_goes_on(self):
        for ensemble in ("auto", "off"):
            self.write("slow.yaml", SLOW.replace("host", "host, ensemble: " + ensemble).replace("end: 300", "end: 30"))
            words = [PERDURE, "run", "slow.yaml", "--output", ensemble]
            results = os.path.join(self.folder, ensemble)
            with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
                wait_until(lambda: os.path.isdir(results) and len(os.listdir(results)) > 1, process)
                process.send_signal(signal.SIGINT)
                printed = process.communicate(timeout=60)[0]
            self.assertEqual(process.returncode, 75, printed)
            self.assertIn("run the same command to continue", printed)
            self.assertLess(len(self.rows(ensemble, "slow")), 12)
            self.assertIn("12 of 12 cases", self.perdure(*words[2:]).stdout)
            self.assertEqual([row["outcome"] for row in self.rows(ensemble, "slow")], ["complete"] * 12)
            self.assertFalse([name for name in os.listdir(results) if name.endswith(".partial")])
        self.expect_equal_fields("auto", "off")

    def test_members_write_no_checkpoints(self):
        self.write("heat.yaml", HEAT)
        for key in ("output.checkpoint.every_steps=5", "execution.time_limit=100"):
            self.assertNotIn("run together", self.perdure("heat.yaml", "--set", key, "--output", key).stderr)
            refused = self.perdure("heat.yaml", "--set", key, "--set", "execution.ensemble=2", "--output", "none", code=2).stderr
            self.assertIn("2 cases cannot run together where they write checkpoints", refused)

    def test_few_files_and_threads_are_enough(self):
        self.write("heat.yaml", HEAT)
        for number, limit in enumerate(("ulimit -n 20", "ulimit -n 80")):
            done = subprocess.run(f"{limit}; exec {PERDURE} run heat.yaml --output {number}", cwd=self.folder, shell=True, capture_output=True,
                                  text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("run together" in done.stderr, number == 1)
        self.expect_equal_fields("0", "1")

    def test_a_killed_batch_is_finished_by_the_next_call(self):
        self.write("slow.yaml", SLOW.replace("end: 300", "end: 3"))
        with subprocess.Popen([PERDURE, "run", "slow.yaml"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            results = os.path.join(self.folder, "results")
            wait_until(lambda: os.path.isdir(results) and self.results("results"), process)
            process.kill()
        self.perdure("slow.yaml")
        self.assertEqual([row["outcome"] for row in self.rows("results", "slow")], ["complete"] * 12)
        self.assertEqual(len(self.results("results")), 12)
        self.assertFalse([name for name in os.listdir(results) if name.endswith(".partial")])

    def test_the_number_at_a_time_is_checked(self):
        self.write("heat.yaml", HEAT)
        for value in ("1", "0", "many", "[2]"):
            message = self.perdure("heat.yaml", "--set", "execution.ensemble=" + value, code=2).stderr
            self.assertRegex(message, r"execution\.ensemble: expected (auto, off or )?a? ?(whole number|integer)")


if __name__ == "__main__":
    unittest.main()
