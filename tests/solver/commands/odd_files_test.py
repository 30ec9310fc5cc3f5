"""odd_files_test.py PERDURE: files whose names are not UTF-8, pipes and folders where files are expected, links, locked HDF5
files, and values in the environment with which PoCL crashes."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PERDURE = sys.argv.pop()
CASE = """problem: {type: diffusion, a: {file: data.h5, dataset: /a}, f: 1}
grid: {shape: [8, 8]}
boundary: {x-: {value: 0}}
execution: {backend: host, model: launches}
"""
NAME = b"caf\xe9"  # Latin-1


class OddFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.fsencode(folder.name)

    def path(self, *names):
        return os.path.join(self.folder, *[os.fsencode(name) for name in names])

    def write(self, name, text=CASE):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_data(self, name="data.h5"):
        with h5py.File(self.path(name), "w") as file:
            file["a"] = numpy.ones((8, 8))

    def run_perdure(self, *words, environment=None, timeout=120):
        done = subprocess.run([PERDURE, *words], cwd=self.folder, capture_output=True, timeout=timeout, check=False,
                              env={**os.environ, **(environment or {})})
        self.assertNotIn(b"internal error", done.stderr)
        return done

    def expect(self, code, text, *words, **more):
        done = self.run_perdure(*words, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(os.fsencode(text), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_libraries_do_not_come_from_the_current_folder(self):
        listed = subprocess.run(["ldd", PERDURE], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in listed.splitlines() if "=>" in line]
        self.assertTrue(any(name.startswith("libyaml-cpp") for name in names), listed)
        for name in names:
            self.write(name, "no library")
        done = self.run_perdure("--version")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_names_that_are_not_utf8(self):
        os.mkdir(self.path(NAME))
        case = NAME + b"/" + NAME + b".yaml"
        self.write(case)
        self.write_data(NAME + b"/data.h5")
        sweep = NAME + b"/sweep" + NAME + b".yaml"
        self.write(sweep, CASE + "sweep: {problem.f: [1, 2]}\n")
        output = b"results-" + NAME
        for words in (["run", case], ["run", case, "--force", "--json"], ["run", sweep], ["run", sweep],
                      ["run", sweep, case, "--force", "--json=report" + os.fsdecode(NAME)],
                      ["validate", case, "--json"], ["verify", case, "--json"]):
            words = words + (["--output", output] if words[0] == "run" else [])
            done = self.run_perdure(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(b"changed during the run", done.stderr)
            if "--json" in words and words[0] != "verify":
                self.assertIn(NAME.decode("utf-8", "replace"), done.stdout.decode("utf-8"))
        done = self.run_perdure("run", sweep, "--output", output)
        self.assertIn(b"2 of them finished earlier", done.stdout, "the same data files")
        with open(self.path(b"report" + NAME), encoding="utf-8") as lines:
            self.assertEqual([json.loads(line)["exit_code"] for line in lines], [0, 0, 0])
        answers = [name for name in os.listdir(self.path(output)) if name.startswith(NAME) and name.endswith(b".vtkhdf")]
        self.assertEqual(len(answers), 1)
        file = output + b"/" + answers[0]
        done = self.run_perdure("info", file)
        self.assertTrue(done.stdout.startswith(file + b": result of perdure\n"), done.stdout)
        self.assertEqual(json.loads(self.run_perdure("info", "--json", file).stdout)["kind"], "perdure output")
        with open(self.path(output, "sweep" + os.fsdecode(NAME) + "_summary.csv"), "rb") as table:
            self.assertIn(NAME, table.read())
        quick = ["--iterations", "2", "--repetitions", "1", "--models", "launches"]
        for _ in range(2):  # the second goes on
            done = self.run_perdure("compare", case, *quick, b"--json=" + NAME + b".json")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_no_pipe_is_waited_for(self):
        os.mkfifo(self.path("pipe"))
        self.expect(6, "pipe: error: expected a case file, found a pipe; write", "run", "pipe", timeout=20)
        self.expect(6, "found a device; write", "run", "/dev/zero", timeout=20)
        self.expect(6, "found a folder", "run", ".", timeout=20)
        self.expect(6, "'pipe' is a pipe; expected a file", "info", "pipe", timeout=20)
        self.expect(6, "pipe is a pipe; give another name", "new", "pipe", "--force", timeout=20)
        self.write("case.yaml", CASE.replace("model: launches", "model: auto"))
        os.mkfifo(self.path("data.h5"))
        done = self.run_perdure("run", "case.yaml", timeout=20)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn(b"is a pipe; expected a file", done.stderr)
        os.remove(self.path("data.h5"))
        self.write_data()
        os.makedirs(self.path("perdure"))
        os.mkfifo(self.path("perdure", "models.json"))
        done = self.run_perdure("run", "case.yaml", environment={"XDG_CACHE_HOME": os.fsdecode(self.folder)}, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"models.json': expected a file, found a pipe", done.stderr)

    def test_links_and_folders(self):
        self.write("mine.yaml", "title: mine\n")
        os.symlink("mine.yaml", self.path("link.yaml"))
        os.symlink("nowhere.yaml", self.path("dangling.yaml"))
        for more in ([], ["--force"]):
            self.expect(6, "link.yaml is a link to mine.yaml; name that file", "new", "link.yaml", *more)
            self.expect(6, "dangling.yaml is a link to nowhere.yaml", "new", "dangling.yaml", *more)
        self.assertFalse(os.path.exists(self.path("nowhere.yaml")))
        with open(self.path("mine.yaml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "title: mine\n")
        os.mkdir(self.path("folder"))
        self.expect(6, "folder is a folder; give another name", "new", "folder", "--force")
        self.expect(6, "mine.yaml already exists", "new", "mine.yaml")
        self.assertEqual(self.run_perdure("new", "mine.yaml", "--force").returncode, 0)
        self.assertEqual(self.run_perdure("validate", "mine.yaml").returncode, 0)

    def test_a_folder_in_place_of_a_table(self):
        self.write_data()
        self.write("case.yaml", CASE + "sweep: {problem.f: [1, 2]}\n")
        for extension in ("csv", "h5"):
            os.makedirs(self.path("results", "case_summary." + extension))
            done = self.run_perdure("run", "case.yaml", "--force", "--quiet")
            self.assertEqual(done.returncode, 6)
            self.assertIn(f"'results/case_summary.{extension}' is a folder; move it away, or choose another "
                          "output.directory\n", done.stderr.decode())
            self.assertTrue(os.path.exists(self.path("results", "case-problem.f-1.vtkhdf")), "a table stopped a case")
            os.rmdir(self.path("results", "case_summary." + extension))

    def test_a_file_in_use_is_not_called_damaged(self):
        self.write_data()
        self.write("case.yaml")
        with open(self.path("data.h5"), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            for words in (["info", "data.h5"], ["run", "case.yaml"]):
                done = self.run_perdure(*words)
                self.assertEqual(done.returncode, 6, done.stderr)
                self.assertRegex(done.stderr.decode(), rf"data.h5' is in use: (process {os.getpid()} \(.+\)|another process) "
                                 "has it open for writing; try again after")
                self.assertNotIn(b"damaged", done.stderr)
        self.assertEqual(self.run_perdure("run", "case.yaml").returncode, 0)
        with h5py.File(self.path("writer.h5"), "w", libver="latest") as file:
            file["a"] = numpy.ones((8, 8))
            file.flush()
            shutil.copy(self.path("writer.h5"), self.path("killed.h5"))
        self.expect(6, "killed.h5' is in use by another program that writes it, or such a program was killed; wait until it has ended. If no "
                    "program uses the file, run: h5clear -s killed.h5", "info", "killed.h5")

    def test_values_that_were_never_written_are_named_beside_the_error_they_cause(self):
        with h5py.File(self.path("data.h5"), "w") as file:
            file.create_dataset("a", (8, 8), dtype="f8")
        self.write("case.yaml")
        done = self.run_perdure("run", "case.yaml", "-q", "--set", "problem.a={file: data.h5, dataset: /a}", "--set", "problem.f=0")
        self.assertEqual(done.returncode, 5, done.stderr)
        lines = done.stderr.splitlines()
        self.assertIn(b"error: problem.a: there is no cell to solve", lines[0])
        self.assertIn(b"warning: problem.a: dataset '/a' in 'data.h5': none of its values was ever written", lines[1])

    def test_a_result_in_use_is_waited_for_not_removed(self):
        self.write("case.yaml", CASE + "sweep: {problem.f: [1]}\n")
        self.write_data()
        self.assertEqual(self.run_perdure("run", "case.yaml", "-q").returncode, 0)
        with h5py.File(self.path("results", "case-problem.f-1.vtkhdf"), "r+"):
            for words in ([], ["--force"]):
                done = self.run_perdure("run", "case.yaml", "-q", *words)
                self.assertEqual(done.returncode, 6, done.stderr)
                self.assertIn(b"try again after it has closed the file", done.stderr)
                self.assertNotIn(b"remove", done.stderr)
                self.assertNotIn(b"move it away", done.stderr)
        self.assertEqual(self.run_perdure("run", "case.yaml", "-q", "--force").returncode, 0)

    def test_a_report_without_fields(self):
        self.write_data()
        self.write("case.yaml", CASE + "output: {fields: []}\n")
        self.write("heat.yaml", "problem: {type: heat, a: 1, initial: x}\ngrid: {shape: [8, 8]}\n"
                   "time: {end: 1.0, snapshots: [0.5]}\noutput: {fields: []}\nexecution: {backend: host}\n")
        for name in ("case.yaml", "heat.yaml"):
            done = self.run_perdure("run", name, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            for path in json.loads(done.stdout)["written"]:
                with h5py.File(self.path(path)) as file:
                    self.assertEqual(len(file["VTKHDF/CellData"]), 0)
                    self.assertNotIn("u", file)
                    self.assertGreater(file["report"].attrs["iterations"], 0)
                self.assertEqual(json.loads(self.run_perdure("info", "--json", path).stdout)["fields"], [])

    def test_values_with_which_pocl_crashes(self):
        if b"OpenCL yes" not in self.run_perdure("--version").stdout:
            self.skipTest("built without OpenCL")
        self.write_data()
        self.write("case.yaml", CASE.replace("backend: host", "backend: opencl"))
        for name, value in (("POCL_MAX_PTHREAD_COUNT", "-1"), ("POCL_MAX_PTHREAD_COUNT", "100000"), ("POCL_AFFINITY", "x"),
                            ("POCL_MAX_PTHREAD_COUNT", "two"), ("POCL_MAX_WORK_GROUP_SIZE", "x"),
                            ("POCL_MAX_WORK_GROUP_SIZE", "-4")):
            message = f"the environment variable {name} is '{value}': expected a whole number from "
            done = self.run_perdure("devices", "--backend", "opencl", environment={name: value})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(message, " ".join(done.stdout.decode().split()))
            done = self.run_perdure("run", "case.yaml", environment={name: value})
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertIn(message, done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
