"""mistakes_test.py PERDURE: mistakes on the command line and with files, and the one message that each of them gets. On host threads."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

PERDURE = os.path.abspath(sys.argv.pop())
CASE = "problem: {type: diffusion, a: 1, f: 1}\ngrid: {shape: [8, 8], length: 1}\nboundary: {all: {value: 0}}\nexecution: {backend: host}\n"


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        with open(os.path.join(self.folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE)
        self.assertEqual(self.perdure("run", "case.yaml").returncode, 0)

    def perdure(self, *words):
        return subprocess.run([PERDURE, *words], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)

    def expect(self, message, *words, code=2):
        with self.subTest(words):
            done = self.perdure(*words)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("error: "), 1, done.stderr)

    def test_words_of_options_and_commands(self):
        self.expect("--table: expected order, found 'ordr'; did you mean 'order'?", "run", "case.yaml", "--table", "ordr")
        self.expect("completion: expected bash, zsh or fish, found 'fsh'; did you mean 'fish'?", "completion", "fsh")
        self.expect("expected bash, zsh or fish after 'perdure completion'", "completion")
        self.expect("unknown kernel 'chebyshew'; did you mean 'chebyshev'?", "kernels", "chebyshew")
        self.expect("unknown example 'manufactured'; did you mean manufactured_poisson_2d or manufactured_poisson_3d?",
                    "new", "--example", "manufactured", "x.yaml")
        self.expect("--backend: expected auto, host, opencl or cuda, found 'cpu'; did you mean 'host'?", "devices", "--backend", "cpu")
        self.expect("--architecture: expected a name such as sm_90 or compute_90, found 'sm_9'", "kernels", "cg", "--architecture", "sm_9")
        self.expect("there is no topic 'tortousity'; did you mean 'tortuosity'?", "help", "tortousity")

    @unittest.skipIf(os.path.exists("/dev/nvidiactl"), "this machine has a GPU")
    def test_a_missing_device_is_all_that_is_said_where_memory_does_not_reach_either(self):
        with open(os.path.join(self.folder, "large.yaml"), "w", encoding="utf-8") as file:
            file.write("problem:\n  type: system\n  fields: {u: 1 + 0.3*random(3), v: 0.1*random(5), w: 0.1*random(6)}\n"
                       "  equations: {u: \"conserve(v, w; abs(v/u))\", v: 0, w: 0}\n"
                       "grid: {shape: [4000, 4000]}\nboundary: {all: periodic}\ntime: {end: 0.1, dt: 0.002, method: ssprk3}\n"
                       "execution: {backend: cuda}\n")
        limit = 400 << 20
        done = subprocess.run([PERDURE, "run", "large.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, 7, done.stdout + done.stderr)
        self.assertIn("there is no cuda device", done.stderr)

    def test_files_of_another_kind(self):
        result = os.path.join("results", "case.vtkhdf")
        self.expect(f"{result}: error: expected a case file, found an HDF5 file; `perdure info {result}` prints", "run", result)
        self.expect("'case.yaml' is a case file; perdure info prints what a result holds", "info", "case.yaml")
        for name, advice in (("case.csv", "a table in text; perdure info prints what a result holds, and `perdure table case.csv`"),
                             ("case_7.checkpoint", "a checkpoint; perdure info prints what a result holds, and `perdure run CASE --resume`")):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
                self.expect(f"'{name}' is {advice}", "info", name)
        self.expect("--output: expected a name that ends in .csv, because the table is comma-separated text; found 't.h5'. Use 't.csv'",
                    "table", "case.yaml", "-o", "t.h5")
        self.expect(f"'{result}': expected the table of a batch as .csv, or a case file; `perdure info {result}`", "table", result)

    def test_one_message_for_a_mistake_in_a_case(self):
        for setting, message in (
                ("grid.length=355 ft", "grid.length: 'ft' is not a unit that perdure knows in '355 ft'; the units of length are"),
                ("units.time=hours", "units.time: expected ns, us, ms, s, min, h or d, found 'hours'; did you mean 'h'?"),
                ("boundary.x-={dirichlet: 0}", "unknown key 'boundary.x-.dirichlet'; did you mean 'value'?"),
                ("boundary.left={value: 0}", "unknown key 'boundary.left'; did you mean 'x-'?"),
                ("boundary=periodic", "boundary: expected a map of keys and values, such as {all: ..}, found 'periodic'"),
                ("solver=cg", "solver: expected a map of keys and values, such as {method: .., preconditioner: .., weight: ..}, found 'cg'"),
                ("solver.method=gmres", "found 'gmres'; did you mean 'bicgstab'?"),
                ("solver.tol=1e-3", "unknown key 'solver.tol'; did you mean 'rtol'?"),
                ("solver.maxiter=3", "unknown key 'solver.maxiter'; did you mean 'max_iterations'?"),
                ("execution.precision=double", "found 'double'; did you mean 'float64'?"),
                ("execution.backend=cpu", "found 'cpu'; did you mean 'host'?"),
                ("problem.conductivity=2", "unknown key 'problem.conductivity'; did you mean 'a'?"),
                ("rtol=1e-3", "unknown key 'rtol'; the keys allowed here are"),  # solver.rtol, or time.rtol
                ("max_iterations=5", "unknown key 'max_iterations'; did you mean 'solver.max_iterations'?"),
                ("a=2", "unknown key 'a'; did you mean 'problem.a'?"),
                ("problem.source=2", "unknown key 'problem.source'; did you mean 'f'?"),
                ("output.folder=x", "unknown key 'output.folder'; did you mean 'directory'?")):
            self.expect(message, "validate", "case.yaml", "--set", setting)

    def test_a_reader_that_has_gone_is_no_error(self):
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {PERDURE} keys | head -1; {PERDURE} run case.yaml --force | true; echo ${{PIPESTATUS[0]}}"],
                              cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.stderr.count("roken"), 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "0")


if __name__ == "__main__":
    unittest.main()
