"""conduct_test.py INPUTS: how runs behave in a process - threads, forks, interrupts, callbacks, other HDF5 libraries - and what the docstrings and
the notebook say."""

import contextlib
import doctest
import importlib.util
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
from cases import LONG, rod
from studies import Effective, Sweeps  # noqa: F401 (tests of their own)

INPUTS = Path(sys.argv.pop()).resolve() if __name__ == "__main__" else None  # a spawned process imports this file


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
            with self.assertRaises(KeyboardInterrupt):
                timer.start()
                perdure.run(LONG)
            timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(perdure.run(rod(1.0)).attrs["exit_code"], 0)

    def test_keyboard_interrupts_in_each_phase(self):
        """While arrays are read, cells flooded, levels made, directions solved and files written; each time the next run works."""
        image = numpy.random.default_rng(1).integers(0, 3, (32, 32, 32), dtype=numpy.uint8)
        with tempfile.TemporaryDirectory() as folder:
            case = {"problem": {"type": "effective", "a": {"array": image, "labels": {0: 1.0, 1: 5.0, 2: 2.0}}}, "solver": {"rtol": 1e-9},
                    "output": {"directory": folder, "name": "image", "fields": ["u", "flux"]}, "execution": {"backend": "host"}}
            begun = time.monotonic()
            expected = perdure.run(case, write=True, force=True)
            took = time.monotonic() - begun
            for part in range(6):
                timer = threading.Timer(took * part / 6, os.kill, (os.getpid(), signal.SIGINT))
                with self.assertRaises(KeyboardInterrupt):
                    timer.start()
                    perdure.run(case, write=True, force=True)
                    timer.join()  # this run was faster
                timer.join()
            again = perdure.run(case, write=True, force=True)
            self.assertEqual(os.listdir(folder), ["image.vtkhdf"])
        for field in ("u_x", "flux_z"):
            numpy.testing.assert_array_equal(again[field].values, expected[field].values)

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
        with self.assertRaisesRegex(TypeError, "expected True, False or a function"):
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

    def test_the_interpreter_ends_during_a_run(self):
        steps = f"""
import perdure, threading, time
threading.Thread(target=perdure.run, args=({LONG},), daemon=True).start()
time.sleep(0.5)
print("end", flush=True)
"""
        done = subprocess.run([sys.executable, "-c", steps], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "end\n"), done.stderr)

    def test_forked_and_spawned(self):
        expected = float(perdure.run(rod(3.0)).u.max())
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            child = context.Process(target=solve_in_child, args=(queue,))
            child.start()
            self.assertEqual(queue.get(timeout=60), expected, method)
            child.join()

    def test_beside_other_hdf5_libraries(self):
        """In both orders of import, each library writes a file and reads one of the other."""
        steps = """
import sys, numpy
other, folder = sys.argv[2], sys.argv[3]
for name in sys.argv[1].split():
    __import__(name)
import perdure
def write(file, values):
    if other == "h5py":
        with sys.modules[other].File(file, "w") as open_file:
            open_file.create_dataset("a", data=values, chunks=(2, 8), compression="gzip")
    else:
        with sys.modules[other].Dataset(file, "w") as open_file:
            open_file.createDimension("y", 4), open_file.createDimension("x", 8)
            open_file.createVariable("a", "f8", ("y", "x"), zlib=True)[:] = values
def read(file):
    opened = sys.modules[other].File(file) if other == "h5py" else sys.modules[other].Dataset(file)
    with opened:
        return numpy.asarray(opened["u"][:] if other == "h5py" else opened.variables["u"][:])
for again in range(2):
    write(f"{folder}/{again}.h5", numpy.full((4, 8), 2.0 + again))
    case = {"problem": {"type": "diffusion", "a": {"file": f"{folder}/{again}.h5", "dataset": "/a"}, "f": 1.0}, "grid": {"shape": [4, 8]},
            "boundary": {"x-": {"value": 0.0}, "x+": {"value": 0.0}}, "execution": {"backend": "host"}}
    written = perdure.run(case, {"output.directory": folder, "output.name": f"r{again}"}, write=True, force=True)
    assert (read(written.attrs["file"]) == written.u.values).all()
print(float(written.u.max()))
"""
        for other in ("h5py", "netCDF4"):
            if importlib.util.find_spec(other) is None:
                continue  # tools/check_long wheel has both
            for order in (f"{other} perdure", f"perdure {other}"):
                with self.subTest(order), tempfile.TemporaryDirectory() as folder:
                    command = [sys.executable, "-c", steps, order, other, folder]
                    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stdout[:6], str(8 / 3)[:6])

    def test_forked_from_one_that_used_a_gpu(self):
        try:
            expected = float(perdure.run(rod(3.0), execution__backend="cuda").u.max())
        except (perdure.DeviceError, perdure.CaseError) as error:
            self.skipTest(str(error).splitlines()[0])
        child = os.fork()
        if child == 0:
            try:
                perdure.run(rod(3.0), execution__backend="cuda")
            except perdure.DeviceError as error:
                os._exit(0 if "forked from process" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(float(perdure.run(rod(3.0), execution__backend="cuda").u.max()), expected)


class Texts(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for name in ("", "._run", "._effective", "._sweep", "._case", "._arrays", "._dataset", "._errors"):
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
