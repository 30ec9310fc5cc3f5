"""resume_test.py PERDURE README: which changes of a case `perdure run --resume` accepts is what inputs/README.md says, and what was
written before a change has the same values in the result."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

README = sys.argv.pop()
PERDURE = sys.argv.pop()
CASE = """title: first
problem: {{type: heat, a: 1, initial: "random(1)"}}
grid: {{shape: [{n}, {n}], spacing: 1}}
boundary: {{all: periodic}}
time: {{end: {end}, dt: 0.1, method: euler, snapshots: {{every: {every}}}}}
watch: {{every_steps: 100, integrals: {{heat: {{sum: u}}}}}}
solver: {{check_every: 10}}
execution: {{backend: host, groups: 1, devices: 1}}
output: {{directory: out, name: it, checkpoint: {{every_steps: 50}}, compression: {compression}}}
"""
CHANGES = {  # of each key that README names: other values
    "title": "second", "output.checkpoint": "{every_steps: 70}", "output.compression": "small", "output.directory": "other",
    "output.name": "that", "output.series": "files", "execution.devices": "2", "execution.time_limit": "1h",
    "execution.watchdog": "100", "watch": "{every_steps: 20, integrals: {heat: {sum: u}}}", "output.fields": "[]",
    "output.units": "K", "execution.backend": "opencl", "execution.groups": "2"}


class Resume(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory()
        cls.stopped = {}
        for name, n, end, compression in (("small", 48, 60, "fast"), ("plain", 48, 60, "none"), ("growing", 384, 8, "none")):
            folder = os.path.join(cls.root.name, name)
            os.mkdir(folder)
            with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
                file.write(CASE.format(n=n, end=end, every=end / 4, compression=compression))
            cls.stopped[name] = folder
            done = cls.run_in(folder, "--set", "output.name=whole")
            assert done.returncode == 0, done.stderr
            cls.stop_behind_snapshot(folder)

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    @staticmethod
    def run_in(folder, *words):
        return subprocess.run([PERDURE, "run", "case.yaml", *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)

    @staticmethod
    def stop_behind_snapshot(folder):
        """Leaves a checkpoint and the snapshots before it."""
        partial = os.path.join(folder, "out", "it.partial")
        run = subprocess.Popen([PERDURE, "run", "case.yaml"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and not any(name.endswith(".vtkhdf") for name in (os.listdir(partial) if os.path.isdir(partial) else [])):
            time.sleep(0.001)
        run.send_signal(signal.SIGTERM)
        assert run.wait(timeout=120) == 75, "the run has to be stopped before its end"

    def copy_of(self, name):
        folder = tempfile.mkdtemp(dir=self.root.name)
        shutil.copytree(self.stopped[name], folder, dirs_exist_ok=True)
        return folder

    def readme_keys(self):
        with open(README, encoding="utf-8") as file:
            text = " ".join(file.read().split())
        accepted, refused = re.search(r"A run can go on with other values of (.*?), or with another version(.*?) would change the order of sums", text).groups()
        keys = r"`([a-z_.]+)`"
        return re.findall(keys, accepted), re.findall(keys, refused)

    def test_the_keys_that_may_change_are_those_of_the_readme(self):
        accepted, refused = self.readme_keys()
        self.assertEqual(sorted(accepted + refused), sorted(CHANGES))
        for key in accepted:
            folder = self.copy_of("small")
            value = CHANGES[key]
            if key == "output.directory":
                os.rename(os.path.join(folder, "out"), os.path.join(folder, value))
            if key == "output.name":
                shutil.move(os.path.join(folder, "out", "it.partial"), os.path.join(folder, "out", "that.partial"))
                for name in os.listdir(os.path.join(folder, "out", "that.partial")):
                    os.rename(os.path.join(folder, "out", "that.partial", name),
                              os.path.join(folder, "out", "that.partial", name.replace("it", "that", 1)))
            done = self.run_in(folder, "--resume", "--set", f"{key}={value}")
            self.assertIn(f"warning: case.yaml: {key}", done.stdout + done.stderr, key)
            self.assertNotIn("the case has changed", done.stderr, key)
        for key in refused:
            done = self.run_in(self.copy_of("small"), "--resume", "--set", f"{key}={CHANGES[key]}")
            self.assertEqual(done.returncode, 2, key + done.stderr)
            self.assertIn(f": {key}", done.stderr)
            self.assertIn("Undo this change, or start again with --force; a run can go on with other values of " + ", ".join(accepted[:2]), done.stderr)

    def test_snapshots_of_two_compressions_make_one_result(self):
        for before, now in (("small", "none"), ("small", "small"), ("plain", "fast")):
            folder = self.copy_of(before)
            done = self.run_in(folder, "--resume", "--set", f"output.compression={now}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("continues after step", done.stdout + done.stderr)
            with h5py.File(os.path.join(folder, "out", "it.vtkhdf")) as it, h5py.File(os.path.join(folder, "out", "whole.vtkhdf")) as whole:
                self.assertEqual(it["u"].shape, (4, 48, 48))
                numpy.testing.assert_array_equal(it["u"][()], whole["u"][()])
                numpy.testing.assert_array_equal(it["series/heat"][()], whole["series/heat"][()])

    def test_the_one_file_of_plain_snapshots_stays_as_it_is(self):
        folder = self.copy_of("growing")
        self.assertIn("it.vtkhdf", os.listdir(os.path.join(folder, "out", "it.partial")))
        for key, value, needed in (("compression", "small", "compression: none"), ("series", "files", "series: temporal")):
            done = self.run_in(folder, "--resume", "--set", f"output.{key}={value}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"output.{key}: the snapshots before the checkpoint are in one file", done.stderr)
            self.assertIn(f"set output.{needed}", done.stderr)
        self.assertEqual(self.run_in(folder, "--resume").returncode, 0)


if __name__ == "__main__":
    unittest.main()
