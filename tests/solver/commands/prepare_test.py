"""prepare_test.py PERDURE: what is read, sampled and discretised by all cores has the bits of one core, and takes the memory that validate
says. On host threads."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PERDURE = sys.argv.pop()
GRID = "grid: {shape: [72, 70, 68], spacing: 0.1}\nexecution: {backend: host, groups: 1}\noutput: {compression: none}\n"
SOLVE = GRID + "solver: {method: cg, preconditioner: jacobi, max_iterations: 3}\n"
# What a process begins with counts as its memory: this one has no large arrays.
LAUNCHER = """import os, sys
os.sched_setaffinity(0, map(int, sys.argv[1].split(",")))
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
with open("most_kibibytes", "w") as file:
    file.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""
SIDE = 128  # where memory is measured
SMALL = ("problem: {type: diffusion, a: 1, f: 1}\nboundary: {z-: {value: 1}, z+: {value: 0}}\ngrid: {shape: [8, 8, 8], spacing: 1}\n"
         "execution: {backend: host, model: persistent}\nsolver: {max_iterations: 1}\noutput: {compression: none}\n")
HELD = "boundary: {z-: {value: 1}, z+: {value: 0}}\n"


class Prepare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        random = numpy.random.default_rng(35)
        shape = (72, 70, 68)
        image = (random.random(shape) < 0.35).astype("uint8")
        with h5py.File(cls.folder / "data.h5", "w") as file:
            file["f"] = random.random(shape) - 0.5
            file.create_dataset("packed", data=random.random(shape).astype("float32"), chunks=(20, 33, 17), compression="gzip",
                                shuffle=True, fletcher32=True)
            file.create_dataset("image", data=image, chunks=(16, 70, 68))
            file["whole_image"] = image
            file["speed"] = 0.5 - random.random(shape)

    def run_case(self, text, processors, command="run"):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-S", "-E", "-c", LAUNCHER, ",".join(map(str, processors)), PERDURE, command, "case.yaml", "--json",
                               "--quiet"] + ["--force"] * (command == "run"), cwd=self.folder, stdout=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 3))
        return json.loads(done.stdout), int((self.folder / "most_kibibytes").read_text(encoding="utf-8")) * 1024

    def answer(self, text, processors):
        report, _ = self.run_case(text, processors)
        with h5py.File(self.folder / "results/case.vtkhdf") as file:
            return {key: report[key] for key in ("excluded_cells", "right_hand_side_norm", "residual")}, file["u"][...].tobytes()

    def test_all_cores_have_the_bits_of_one(self):
        everyone = os.sched_getaffinity(0)
        alone = {min(everyone)}
        image = "{file: data.h5, dataset: /%s, labels: {0: 1.5, 1: 0}}"
        cases = {
            "file": "problem: {type: diffusion, a: 1, f: {file: data.h5, dataset: /f}}\n" + HELD + SOLVE,
            "chunks": "problem: {type: diffusion, a: {file: data.h5, dataset: /packed}, f: 1}\n" + HELD + SOLVE,
            "expression": "problem: {type: diffusion, a: '1.5+sin(7*x)*cos(5*y)*sin(3*z)', sigma: x*y, f: exp(-z)}\n" + HELD + SOLVE,
            "image": f"problem: {{type: diffusion, a: {image % 'image'}}}\n" + HELD + SOLVE,
            "floating": f"problem: {{type: diffusion, a: {image % 'whole_image'}, initial: x*y}}\n" + SOLVE +
                        "boundary: {x-: periodic, x+: periodic}\n",
            "velocity": "problem: {type: diffusion, a: 1, velocity: ['x', '-y', {file: data.h5, dataset: /speed}]}\n" + HELD + GRID +
                        "solver: {method: bicgstab, max_iterations: 3}\n",
            "float32": "problem: {type: diffusion, a: 1, f: {file: data.h5, dataset: /packed}}\n" + HELD +
                       SOLVE.replace("groups: 1", "groups: 1, precision: float32"),
        }
        for name, text in cases.items():
            with self.subTest(name):
                self.assertEqual(self.answer(text, everyone), self.answer(text, alone))

    def test_cells_that_are_left_out_are_those_of_a_flood(self):
        text = "problem: {type: diffusion, a: {file: data.h5, dataset: /image, labels: {0: 1.5, 1: 0}}}\n" + HELD + SOLVE
        report, _ = self.run_case(text, os.sched_getaffinity(0))
        with h5py.File(self.folder / "data.h5") as file:
            open_cells = file["image"][...] == 0
        reached = numpy.zeros_like(open_cells)
        reached[0], reached[-1] = open_cells[0], open_cells[-1]
        front = -1
        while reached.sum() != front:
            front = reached.sum()
            for axis in range(3):
                for shift in (slice(1, None), slice(None, -1)):
                    towards = [slice(None)] * 3
                    origin = [slice(None)] * 3
                    towards[axis], origin[axis] = shift, slice(None, -1) if shift.start else slice(1, None)
                    reached[tuple(towards)] |= reached[tuple(origin)] & open_cells[tuple(towards)]
        self.assertEqual(report["excluded_cells"], reached.size - reached.sum())
        self.assertGreater(report["excluded_cells"], (~open_cells).sum())

    def test_members_of_a_batch_that_hand_on_their_memory_have_the_bits_of_single_runs(self):
        text = "problem: {type: diffusion, a: 1, f: {file: data.h5, dataset: /f}, initial: x}\n" + HELD + SOLVE
        (self.folder / "case.yaml").write_text(text + "sweep: {solver.max_iterations: [2, 7, 4]}\n", encoding="utf-8")
        subprocess.run([PERDURE, "run", "case.yaml", "--quiet", "--force", "--output", "batch"], cwd=self.folder, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        members = sorted((self.folder / "batch").glob("*.vtkhdf"))
        self.assertEqual(len(members), 3)
        found = []
        for path in members:
            with h5py.File(path) as file:
                found.append(file["u"][...].tobytes())
        for iterations in (2, 7, 4):
            _, alone = self.answer(text.replace("max_iterations: 3", f"max_iterations: {iterations}"), os.sched_getaffinity(0))
            self.assertIn(alone, found)
        self.assertEqual(len(set(found)), 3)

    def expect_memory(self, text, fields, most_times):
        """What validate says, against the run. `fields`: bytes that are read or written. `most_times`: them where the device has memory of its
        own."""
        expected, _ = self.run_case(text, os.sched_getaffinity(0), "validate")
        self.assertEqual(expected["field_bytes"], fields)
        _, empty = self.run_case(SMALL, os.sched_getaffinity(0))
        report, most = self.run_case(text, os.sched_getaffinity(0))
        found = most - empty - report["device_bytes"]
        rest = 4 << 20  # of threads and libraries
        self.assertLess(abs(found - expected["host_bytes"]), rest + 0.1 * expected["host_bytes"],
                        f"{found / 2**20:.1f} MiB, expected {expected['host_bytes'] / 2**20:.1f}")
        if on_opencl := self.validate(text.replace("backend: host", "backend: opencl")):
            self.assertLessEqual(on_opencl["host_bytes"], most_times * fields)
            self.assertGreaterEqual(on_opencl["host_bytes"], expected["host_bytes"])

    def validate(self, text):
        """Empty where there is no such device."""
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        done = subprocess.run([PERDURE, "validate", "case.yaml", "--json", "--quiet"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def test_memory_is_what_validate_says(self):
        cells = SIDE**3
        field = 8 * cells
        random = numpy.random.default_rng(1)
        with h5py.File(self.folder / "large.h5", "w") as file:
            file["f"] = random.random((SIDE,) * 3) + 0.1
            file["image"] = (random.random((SIDE,) * 3) < 0.1).astype("uint8")
        data = "{file: large.h5, dataset: /f}"
        image = "{file: large.h5, dataset: /image, labels: {0: 1.5, 1: 0.5}}"
        shape = f"grid: {{shape: [{SIDE}, {SIDE}, {SIDE}], spacing: 1}}\nexecution: {{backend: host, model: persistent}}\n"
        plain = "output: {compression: none}\n"
        solve = shape + "solver: {method: cg, preconditioner: jacobi, max_iterations: 2, check_every: 1}\n"
        steps = HELD + shape + plain + "time: {end: 3, dt: 0.1, snapshots: TIMES}\n"
        effective = f"problem: {{type: effective, a: {image}, directions: [z]}}\n" + solve
        # What is read or written, and how many times that the host needs at most. An effective coefficient of so few cells is also bounded.
        cases = {
            f"problem: {{type: diffusion, a: 1, f: {data}}}\n" + HELD + solve + plain: (2 * field, 0.7),
            f"problem: {{type: diffusion, a: {data}, f: 1}}\n" + HELD + solve + plain: (2 * field, 0.7),
            "problem: {type: diffusion, a: 1 + 0.5 * sin(x) * cos(y), f: 1}\n" + HELD + solve + plain: (field, 1.5),
            f"problem: {{type: diffusion, a: {image}, f: 1}}\n" + HELD + solve + plain: (field + cells, 1.0),
            f"problem: {{type: diffusion, a: 1, f: 1, initial: {data}}}\n" + HELD + solve + plain: (2 * field, 0.7),
            f"problem: {{type: diffusion, a: {data}, f: 1}}\n" + HELD + solve + "output: {compression: none, fields: [u, flux]}\n":
                (5 * field, 1.01),
            f"problem: {{type: diffusion, a: 1, f: {data}}}\n" + HELD + solve.replace("persistent", "persistent, precision: float32") + plain:
                (field + field // 2, 0.8),
            f"problem: {{type: heat, a: 0.5, f: {data}, initial: {data}}}\n" + steps.replace("TIMES", "[3]"): (3 * field, 0.8),
            f"problem: {{type: heat, a: {data}, initial: {data}}}\n" + steps.replace("TIMES", "[3], method: backward_euler") +
            "solver: {max_iterations: 3}\n": (3 * field, 0.8),
            effective + plain: (field + cells, 3.6),
        }
        for text, (fields, most_times) in cases.items():
            with self.subTest(text):
                self.expect_memory(text, fields, most_times)


if __name__ == "__main__":
    unittest.main()
