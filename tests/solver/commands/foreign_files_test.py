"""foreign_files_test.py PERDURE: what a run finds under its names and has not written itself: results of cases of similar names, a
user's own files, pipes, a folder that was replaced while the run wrote into it, data that change during a run."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until  # noqa: E402

PERDURE = sys.argv.pop()
CASE = """problem: {type: diffusion, a: 1, f: 1}
grid: {shape: [8, 8]}
boundary: {x-: {value: 0}}
execution: {backend: host, model: launches}
output: {directory: .}
"""
LONG = """problem: {type: heat, a: 1, f: SOURCE}
grid: {shape: [32, 32]}
boundary: {x-: {value: 0}}
time: {dt: 0.2, end: 12000, snapshots: {every_steps: 20000}}
solver: {check_every: 100}
execution: {backend: host, groups: 1}
output: {directory: .}
"""


class ForeignFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("c.yaml", CASE)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_two_sources(self, cells):
        """f.h5 of 1 and g.h5 of 5, in cells x cells."""
        for value, name in ((1.0, "f.h5"), (5.0, "g.h5")):
            with h5py.File(self.path(name), "w") as file:
                file["f"] = numpy.full((cells, cells), value)

    def start(self, *words):
        return subprocess.Popen([PERDURE, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def expect(self, code, *words, says=""):
        done = subprocess.run([PERDURE, *words, "-q"], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(says, done.stderr)

    def wait_for(self, *names):
        self.assertTrue(wait_until(lambda: os.path.exists(self.path(*names))), f"{names} did not come")

    def test_a_case_whose_name_ends_in_a_date_is_another_case(self):
        self.write("c_20261124.yaml", CASE)
        self.expect(0, "run", "c_20261124.yaml")
        with open(self.path("c_20261124.vtkhdf"), "rb") as file:
            before = file.read()
        self.expect(0, "run", "c.yaml")
        self.expect(0, "run", "c.yaml", "--force")
        with open(self.path("c_20261124.vtkhdf"), "rb") as file:
            self.assertEqual(file.read(), before)

    def test_files_that_are_no_results_stay(self):
        names = ["c_20251231.vtkhdf", "c.vtkhdf.series", "c.partial/thesis.txt", "c.partial/sub/x", "c.partial/claims.csv"]
        for name in names:
            self.write(name, "mine")
        self.expect(0, "run", "c.yaml", "--force")
        for name in names:
            self.assertTrue(os.path.exists(self.path(name)), name)
        self.write("c.snapshots/keep", "mine")
        self.expect(6, "run", "c.yaml", "--force", says="c.snapshots/keep' was not written by perdure")

    def test_force_replaces_results_alone(self):
        with h5py.File(self.path("other.h5"), "w") as file:
            file["u"] = numpy.zeros(3)
        with open(self.path("other.h5"), "rb") as file:
            other = file.read()
        for contents, reason in ((b"my thesis", "is not an HDF5 file); move it away"), (other, "c.vtkhdf' is not a result of perdure; move it away")):
            with open(self.path("c.vtkhdf"), "wb") as file:
                file.write(contents)
            self.expect(6, "run", "c.yaml", "--force", says=reason)
            with open(self.path("c.vtkhdf"), "rb") as file:
                self.assertEqual(file.read(), contents)
        os.remove(self.path("c.vtkhdf"))
        self.expect(0, "run", "c.yaml", "--force")
        self.expect(0, "run", "c.yaml", "--force")

    def test_force_replaces_no_links_and_no_folders_of_others(self):
        os.symlink("elsewhere/c.vtkhdf", self.path("c.vtkhdf"))
        self.expect(6, "run", "c.yaml", "--force", says="is a link to 'elsewhere/c.vtkhdf'; remove the link")
        self.assertTrue(os.path.islink(self.path("c.vtkhdf")))
        os.remove(self.path("c.vtkhdf"))
        series = '{"file-series-version": "1.0", "files": [{"name": "measured_1.vti", "time": 0}]}'
        self.write("c.vtkhdf.series", series)
        self.expect(0, "run", "c.yaml", "--force")
        with open(self.path("c.vtkhdf.series"), encoding="utf-8") as file:
            self.assertEqual(file.read(), series)
        os.makedirs(self.path("c.snapshots", "c_000009.vtkhdf"))
        self.expect(6, "run", "c.yaml", "--force", says="c_000009.vtkhdf' was not written by perdure")
        os.rmdir(self.path("c.snapshots", "c_000009.vtkhdf"))
        self.write("c.snapshots/c_000009.vtkhdf", "of the user, listed by no series")
        self.expect(6, "run", "c.yaml", "--force", says="c_000009.vtkhdf' was not written by perdure")

    def test_what_comes_during_a_run_is_not_replaced(self):
        files = LONG.replace("output: {", "output: {series: files, ").replace("SOURCE", "1")
        self.write("long.yaml", files.replace("every_steps: 20000", "every_steps: 5000"))
        self.expect(0, "run", "long.yaml")
        process = self.start("run", "long.yaml", "--force", "-q")
        self.wait_for("long.partial", "long_005000.vtkhdf")
        self.write("long.snapshots/view.pvsm", "of ParaView")
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 6, said)
        self.assertIn("view.pvsm' was not written by perdure", said)
        self.assertIn("The output of this run is complete in './long.partial'", said)
        self.assertTrue(os.path.exists(self.path("long.snapshots", "view.pvsm")))

    def test_reports_replace_reports_alone(self):
        for text in ('{"name": "mine", "version": "1.0.0"}', '{"version": 1}\nmy log\n'):
            self.write("r.json", text)
            self.expect(2, "run", "c.yaml", "--json=r.json", says="exists and is not a report of perdure")
        os.remove(self.path("r.json"))
        self.write("d.yaml", CASE)
        for command in (("verify", "c.yaml", "d.yaml"), ("validate", "c.yaml", "d.yaml"), ("run", "c.yaml", "d.yaml"),
                        ("info", "c.vtkhdf", "d.vtkhdf"), ("devices", "--backend", "host")):
            for _ in range(2):
                done = subprocess.run([PERDURE, *command, "--json=r.json"], cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, (command, done.stderr))
            if command[0] != "devices":
                with open(self.path("r.json"), encoding="utf-8") as file:
                    self.assertEqual(len([json.loads(line) for line in file]), 2, command)

    def test_names_with_the_ending_of_results_are_refused(self):
        for command in ("run", "validate"):
            self.expect(2, command, "c.yaml", "--set", "output.name=c.vtkhdf", says="use 'c'")

    def test_a_pipe_in_the_place_of_a_claim_holds_nobody_up(self):
        os.mkdir(self.path("c.partial"))
        os.mkfifo(self.path("c.partial", "claim.7"))
        self.expect(6, "run", "c.yaml", says="an unidentified process")

    def test_obstacles_are_named(self):
        os.makedirs(self.path("c.partial", "claim"))
        self.expect(6, "run", "c.yaml", says="c.partial/claim: Is a directory; remove the obstacle")
        os.rmdir(self.path("c.partial", "claim"))
        os.mkfifo(self.path("c.partial", "claim"))
        self.expect(6, "run", "c.yaml", says="c.partial/claim is a pipe")
        os.makedirs(self.path("elsewhere"))
        os.symlink("elsewhere", self.path("d.partial"))
        self.expect(6, "run", "c.yaml", "--set", "output.name=d", says="d.partial' is a symbolic link, but the run needs this name for an output folder")

    def test_names_that_are_too_long_are_refused_before_the_run(self):
        self.expect(0, "run", "c.yaml", "--set", "output.name=" + 200 * "x")
        for command in ("run", "validate"):
            self.expect(2, command, "c.yaml", "--set", "output.name=" + 201 * "x", says="choose a shorter output.name")
        self.expect(2, "run", "c.yaml", "--set", "output.name=" + 255 * "x", says="choose a shorter output.name")

    def test_reports_in_json_replace_no_result_of_the_call(self):
        self.write("d.yaml", CASE)
        self.expect(2, "run", "c.yaml", "--json=c.vtkhdf", says="is also written by a case of this command")
        self.expect(2, "run", "c.yaml", "d.yaml", "--json=./d.vtkhdf", says="is also written by a case of this command")
        self.expect(2, "run", "c.yaml", "d.yaml", "--json=batch_summary.csv", says="is also written by the table of this command")

    def test_reports_behind_a_link_replace_no_result_of_the_call(self):
        os.mkdir(self.path("J"))
        os.symlink(os.path.join("J", "c.vtkhdf"), self.path("r.json"))
        os.symlink(os.path.join("J", "batch_summary.csv"), self.path("t.json"))
        self.write("d.yaml", CASE)
        self.expect(2, "run", "c.yaml", "-o", "J", "--json=r.json", says="is also written by a case of this command")
        self.expect(2, "run", "c.yaml", "d.yaml", "-o", "J", "--json=t.json", says="is also written by the table of this command")
        self.assertEqual(os.listdir(self.path("J")), [])

    def test_tables_that_perdure_did_not_write_stay(self):
        self.write("d.yaml", CASE)
        for name in ("batch_summary.csv", "batch_summary.h5"):
            self.write(name, "case,mine\n")
            for more in ([], ["--force"]):
                self.expect(6, "run", "c.yaml", "d.yaml", *more, says=f"{name}' is a file that perdure did not write; move it away")
            with open(self.path(name), encoding="utf-8") as file:
                self.assertEqual(file.read(), "case,mine\n")
            self.assertTrue(os.path.exists(self.path("d.vtkhdf")), "a table stopped a case")
            os.remove(self.path(name))
        self.expect(0, "run", "c.yaml", "d.yaml")
        self.expect(0, "run", "c.yaml", "d.yaml", "--force")
        os.remove(self.path("batch_summary.csv"))
        self.expect(0, "run", "c.yaml", "d.yaml")
        with h5py.File(self.path("batch_summary.h5"), "w") as file:
            file["mine"] = [1, 2, 3]
        self.expect(6, "run", "c.yaml", "d.yaml", says="batch_summary.h5' is a file that perdure did not write")

    def test_a_folder_that_was_replaced_belongs_to_another_run(self):
        self.write("l.yaml", LONG.replace("SOURCE", "1"))
        first = self.start("run", "l.yaml", "-q")
        self.wait_for("l.partial", "l_020000.vtkhdf")
        first.send_signal(signal.SIGSTOP)
        os.rename(self.path("l.partial"), self.path("aside"))
        second = self.start("run", "l.yaml", "-q", "--set", "problem.f=5")
        self.wait_for("l.partial", "l_020000.vtkhdf")
        second.send_signal(signal.SIGSTOP)
        first.send_signal(signal.SIGCONT)
        said = first.communicate(timeout=60)[1]
        self.assertEqual(first.returncode, 6, said)
        self.assertIn("was removed or replaced while this run wrote into it", said)
        second.send_signal(signal.SIGCONT)
        said = second.communicate(timeout=60)[1]
        self.assertEqual(second.returncode, 0, said)
        self.assertTrue(os.path.exists(self.path("aside", "l_020000.vtkhdf")))

    def test_a_manifest_names_the_data_that_were_read(self):
        self.write("l.yaml", LONG.replace("SOURCE", "{file: f.h5, dataset: f}"))
        self.write("other.yaml", CASE)
        self.write_two_sources(32)
        run = self.start("run", "l.yaml", "-q")
        self.wait_for("l.partial", "l_020000.vtkhdf")
        os.rename(self.path("g.h5"), self.path("f.h5"))
        said = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, 0, said)
        self.assertIn("a data file changed during the run; the result was computed from the data that were read", said)
        self.expect(6, "run", "l.yaml", "other.yaml", says="was computed from other data files, or the data files have changed since")

    def test_a_data_file_that_takes_the_place_of_another_is_seen_by_its_bytes(self):
        self.write("l.yaml", CASE.replace("f: 1", "f: {file: f.h5, dataset: f}"))
        self.write("other.yaml", CASE)
        self.write_two_sources(8)
        os.utime(self.path("f.h5"), (1e9, 1e9))
        self.expect(0, "run", "l.yaml", "other.yaml")
        os.utime(self.path("g.h5"), (1e9, 1e9 + 1))
        os.rename(self.path("g.h5"), self.path("f.h5"))
        self.expect(6, "run", "l.yaml", "other.yaml", says="was computed from other data files, or the data files have changed since")
        self.expect(0, "run", "l.yaml", "other.yaml", "--force")
        os.truncate(self.path("f.h5"), 10)
        self.expect(6, "run", "l.yaml", "other.yaml")


if __name__ == "__main__":
    unittest.main()
