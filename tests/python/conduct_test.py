"""conduct_test.py INPUTS: how runs behave in a process - threads, forks, interrupts, callbacks, other HDF5 libraries - and what the docstrings and
the notebook say."""

import contextlib
import doctest
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy
import perdure

INPUTS = Path(sys.argv.pop()).resolve() if __name__ == "__main__" else None  # a spawned process imports this file
HOST = {"execution.backend": "host"}
LONG = {  # takes minutes
    "problem": {"type": "heat", "a": 1.0, "initial": 1.0},
    "grid": {"shape": [128, 128]},
    "time": {"end": 1.0e5, "dt": 0.01},
    "execution": {"backend": "host"},
}


def rod(left):
    return {
        "problem": {"type": "diffusion", "a": numpy.linspace(1.0, 2.0, 40).reshape(4, 10)},
        "grid": {"shape": [4, 10]},
        "boundary": {"x-": {"value": left}, "x+": {"value": 0.0}},
        "execution": {"backend": "host"},
    }


def solve_in_child(queue):
    queue.put(float(perdure.run(rod(3.0)).u.max()))


class Stops(unittest.TestCase):
    def test_an_exception_of_the_callback(self):
        told = []

        def watch(progress):
            told.append(progress)
            if len(told) == 2:
                raise LookupError("enough")

        begun = time.monotonic()
        with self.assertRaisesRegex(LookupError, "enough"):
            perdure.run(LONG, progress=watch)
        self.assertLess(time.monotonic() - begun, 20.0)
        self.assertEqual((told[0].unit, told[0].quantity), ("step", "max |u|"))
        self.assertGreater(told[1].iteration, told[0].iteration)
        self.assertEqual(told[1].value, 1.0)
        self.assertLess(0.0, told[1].fraction)
        self.assertEqual(perdure.run(rod(1.0)).attrs["stop_reason"], "converged (rtol)")  # the next run is not stopped

    def test_keyboard_interrupt(self):
        before = signal.getsignal(signal.SIGINT)
        for wait in (0.05, 0.6):
            timer = threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                perdure.run(LONG)
            timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(perdure.run(rod(1.0)).attrs["exit_code"], 0)

    def test_a_limit_of_time(self):
        with self.assertRaises(perdure.Stopped) as caught:
            perdure.run(LONG, execution__time_limit=0.3)
        self.assertEqual(caught.exception.result.u.shape, (1, 128, 128))
        self.assertEqual(float(caught.exception.result.u.min()), 1.0)

    def test_the_line_of_progress(self):
        text = io.StringIO()
        with contextlib.redirect_stderr(text), self.assertRaises(perdure.Stopped):
            perdure.run(LONG, execution__time_limit=0.3, progress=True)
        self.assertRegex(text.getvalue(), r"\r\[ +\] step \d+ max \|u\| 1.000e\+00  \d.\d s")
        self.assertRegex(text.getvalue(), r"\r +\r$")
        with self.assertRaisesRegex(TypeError, "progress is True, False or a function"):
            perdure.run(rod(1.0), progress=3)


class Processes(unittest.TestCase):
    def test_threads_wait_for_one_another(self):
        found = {}
        threads = [threading.Thread(target=lambda i=i: found.update({i: perdure.run(rod(float(i + 1))).u.values})) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(6):
            numpy.testing.assert_array_equal(found[i], perdure.run(rod(float(i + 1))).u.values)

    def test_others_run_meanwhile(self):
        counted = []
        stop = threading.Event()

        def count():
            while not stop.wait(0.01):
                counted.append(time.monotonic())

        thread = threading.Thread(target=count)
        thread.start()
        with self.assertRaises(perdure.Stopped):
            perdure.run(LONG, execution__time_limit=0.5)
        stop.set()
        thread.join()
        self.assertGreater(len(counted), 10)

    def test_forked_and_spawned(self):
        expected = float(perdure.run(rod(3.0)).u.max())
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            child = context.Process(target=solve_in_child, args=(queue,))
            child.start()
            self.assertEqual(queue.get(timeout=60), expected, method)
            child.join()

    def test_beside_h5py(self):
        """In both orders, each library writes and reads a file after the other."""
        steps = '''
import sys, numpy
for name in sys.argv[1:3]:
    __import__(name)
import h5py, perdure
folder = sys.argv[3]
for again in range(2):
    with h5py.File(f"{folder}/{again}.h5", "w") as file:
        file.create_dataset("a", data=numpy.full((4, 8), 2.0 + again), chunks=(2, 8), compression="gzip")
    case = {"problem": {"type": "diffusion", "a": {"file": f"{folder}/{again}.h5", "dataset": "/a"}, "f": 1.0}, "grid": {"shape": [4, 8]},
            "boundary": {"x-": {"value": 0.0}, "x+": {"value": 0.0}}, "execution": {"backend": "host"}}
    written = perdure.run(case, {"output.directory": folder, "output.name": f"r{again}"}, write=True, force=True)
    with h5py.File(written.attrs["file"]) as file:
        assert (file["u"][()] == written.u.values).all()
print(h5py.version.hdf5_version, float(written.u.max()))
'''
        for order in (("h5py", "perdure"), ("perdure", "h5py")):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-c", steps, *order, folder], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.split()[1][:6], str(8 / 3)[:6])


class Sweeps(unittest.TestCase):
    def test_dimensions(self):
        found = perdure.sweep(rod(1.0), {"boundary.x-.value": [1.0, 2.0, 4.0], "solver.rtol": [1e-4, 1e-8]}, fields=True)
        self.assertEqual(found.u.dims, ("value", "rtol", "y", "x"))
        self.assertEqual(list(found.value.values), [1.0, 2.0, 4.0])
        ratio = found.u.sel(value=4.0, rtol=1e-8) / found.u.sel(value=1.0, rtol=1e-8)
        self.assertLess(float(abs(ratio - 4.0).max()), 1e-6)

    def test_members_without_answer(self):
        values = {"problem.a": [1.0, -1.0], "solver.max_iterations": [1, 1000]}
        found = perdure.sweep(rod(1.0), values, zipped=True, fields=True, solver__check_every=1)
        self.assertEqual(list(found.exit_code.values), [3, 5])
        self.assertIn("problem.a must be finite and not negative", str(found.outcome.values[1]))
        self.assertTrue(numpy.isnan(found.u[1]).all())
        with self.assertRaises(perdure.InputDataError):
            perdure.sweep(rod(1.0), {"problem.a": [-1.0]}, raise_errors=True)
        with self.assertRaises(perdure.CaseError):
            perdure.sweep(rod(1.0), {"problem.aa": [1.0]})
        with self.assertRaisesRegex(ValueError, "they have 2, 1"):
            perdure.sweep(rod(1.0), {"problem.a": [1.0, 2.0], "solver.rtol": [1e-3]}, zipped=True)


class Effective(unittest.TestCase):
    def test_layers(self):
        image = numpy.zeros((6, 8, 10), dtype=bool)
        image[:, :, 5:] = True
        found = perdure.effective(image, {0: 1.0, 1: 0.0}, spacing=[1.0, 2.0, 3.0], **{"execution__backend": "host"})
        self.assertEqual(list(found.direction.values), ["x", "y", "z"])
        numpy.testing.assert_allclose(found.coefficient.values, [0.0, 0.5, 0.5], rtol=1e-9)
        numpy.testing.assert_allclose(found.tortuosity.values, [numpy.inf, 1.0, 1.0], rtol=1e-9)
        self.assertEqual(list(found.percolates.values), [False, True, True])
        self.assertEqual(found.attrs["mean_coefficient"], 0.5)
        self.assertTrue((found.coefficient_lower <= found.coefficient * (1 + 1e-9))[1:].all())
        one = perdure.effective(image, {0: 1.0, 1: 0.0}, direction="z", periodic=True, fields=True, execution__backend="host")
        self.assertEqual(one.u_z.shape, image.shape)
        self.assertAlmostEqual(float(one.tortuosity), 1.0, places=8)

    def test_what_is_no_image(self):
        with self.assertRaisesRegex(TypeError, "labels have to be integers: convert them"):
            perdure.effective(numpy.zeros((4, 4)), {0: 1.0})
        with self.assertRaisesRegex(ValueError, "image: 1 axes; expected 3"):
            perdure.effective(numpy.zeros(4, int), {0: 1.0})


class Texts(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for name in ("", "._run", "._effective", "._sweep", "._case", "._arrays"):
            done = doctest.testmod(sys.modules["perdure" + name])
            self.assertEqual(done.failed, 0, name)
            tried += done.attempted
        self.assertGreater(tried, 20)

    def test_notebook(self):
        """Its cells run one after the other, and it holds no output."""
        notebook = json.loads((INPUTS / "python.ipynb").read_text())
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 4)
        names = {}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for cell in cells:
                self.assertEqual(cell["outputs"], [])
                exec(compile("".join(cell["source"]), "python.ipynb", "exec"), names)


if __name__ == "__main__":
    unittest.main()
