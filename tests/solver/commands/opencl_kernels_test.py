"""opencl_kernels_test.py PERDURE: compiled OpenCL kernels in the user's cache. Whatever becomes of the files and the folder costs
time, and the answer is the same."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import h5py

PERDURE = sys.argv.pop()
CASE = """
title: a wall
problem: {type: diffusion, a: 1.0, f: "x + y"}
grid: {shape: [16, 16], spacing: 0.0625}
boundary: {x-: {value: 1.0}, x+: {value: 0.0}}
solver: {method: jacobi, rtol: 1.0e-4}
execution: {backend: opencl, model: persistent, barrier: group_leader}
"""
KERNELS = ("barrier_self_test", "jacobi, float64, uniform 2D")


class OpenclKernels(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "wall.yaml").write_text(CASE, encoding="utf-8")
        self.cache = self.folder / "cache"
        self.kernels = self.cache / "perdure" / "kernels"

    def start(self, output, **environment):
        environment = {name: value for name, value in {**os.environ, "XDG_CACHE_HOME": str(self.cache), **environment}.items()
                       if value is not None}
        return subprocess.Popen([PERDURE, "run", "wall.yaml", "--output", output], cwd=self.folder, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process, output):
        """The answer, and which kernels were compiled."""
        said, messages = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, messages)
        self.assertIn("converged", said)
        with h5py.File(self.folder / output / "wall.vtkhdf") as file:
            answer = file["VTKHDF/CellData/u"][()].tobytes()
        self.messages = messages
        return answer, [name for name in KERNELS if f"compiling kernel {name} for " in messages]

    def run_case(self, **environment):
        output = f"results{len(list(self.folder.glob('results*')))}"
        return self.end(self.start(output, **environment), output)

    def entries(self):
        return sorted(self.kernels.glob("*.kernel"))

    def test_damaged_entries_are_compiled_again(self):
        answer, compiled = self.run_case()
        self.assertEqual(compiled, list(KERNELS))
        self.assertEqual(stat.S_IMODE(self.kernels.stat().st_mode), 0o700)
        self.assertEqual(sorted(self.kernels.iterdir()), self.entries(), "nothing but entries is left")
        self.assertEqual(len(self.entries()), len(KERNELS))
        self.assertEqual(self.run_case(), (answer, []))
        for path in self.entries():
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
        (self.kernels / "pocl-ofone").mkdir()  # of a process that was killed
        self.assertEqual(self.run_case(), (answer, list(KERNELS)))
        self.assertEqual(self.run_case(), (answer, []), "they were replaced")
        self.assertEqual(sorted(self.kernels.iterdir()), self.entries())
        self.entries()[0].write_bytes(self.entries()[0].read_bytes()[:1000])
        self.assertEqual(len(self.run_case()[1]), 1)

    def test_nothing_is_kept_where_there_is_no_folder(self):
        answer, compiled = self.run_case(HOME=None, XDG_CACHE_HOME=None)
        self.assertEqual(compiled, list(KERNELS))
        self.assertIn("(it cannot be kept: neither XDG_CACHE_HOME nor HOME names a folder)", self.messages)
        self.cache.write_text("no folder", encoding="utf-8")
        self.assertEqual(self.run_case(POCL_CACHE_DIR="/proc/nowhere"), (answer, list(KERNELS)))
        self.assertIn("(it cannot be kept: ", self.messages)

    def test_what_was_compiled_beforehand_is_there(self):
        command = [PERDURE, "kernels", "barrier_self_test", "jacobi", "--backend", "opencl"]
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, "XDG_CACHE_HOME": str(self.cache)}, capture_output=True,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compiled 7 kernels for ", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.run_case()[1], [])
        refused = subprocess.run([*command, "--device", "99"], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(refused.returncode, 7)
        self.assertIn("there is no OpenCL device 99", refused.stderr)

    def test_one_of_several_processes_compiles(self):
        processes = {f"results{i}": self.start(f"results{i}") for i in range(3)}
        ends = [self.end(process, output) for output, process in processes.items()]
        self.assertEqual(len({answer for answer, _ in ends}), 1)
        self.assertEqual(sorted(name for _, compiled in ends for name in compiled), list(KERNELS))


if __name__ == "__main__":
    listed = subprocess.run([PERDURE, "devices", "--backend", "opencl"], capture_output=True, text=True, timeout=300, check=False)
    if listed.returncode != 0:
        print("SKIPPED: no OpenCL device")
        sys.exit(77)
    unittest.main()
