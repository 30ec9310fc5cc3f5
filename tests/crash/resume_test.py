"""resume_test.py [--long] PERDURE SHIM: runs with checkpoints are killed before system calls on results and at random moments, stopped
by signals and by their time limit, and go on with --resume until they end: every dataset and attribute is then that of a run that
nobody disturbed, bit for bit, times of day and durations aside."""

import json
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import unittest

import command_line
import h5py
from command_line import main
from faults import Program, finish
from processes import catches, wait_until
from resume_cases import HEAT, METHODS, WATCH, WATCH_OF_HEAT, implicit, long, small, stepped

LONG = "--long" in sys.argv  # known when tests are chosen
KILLED, STOPPED = -9, 75
TIMES = re.compile(r"seconds|device_time|written|^history$")
MEASURED = re.compile(r"\(\d+\.\d+ us\)")  # a barrier, in the line that a run starts with
WORK = {"launches", "barriers", "graph_launches"}  # one launch more where a run was asked to stop


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if not TIMES.search(key)}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def everything(folder):
    """{file and path: bytes} of all datasets and attributes in a folder of results."""
    found = {}

    def add(file, path, item):
        if isinstance(item, h5py.Dataset) and not TIMES.search(path.rsplit("/", 1)[-1]):
            found[f"{file}{path}"] = (item.shape, str(item.dtype), item[()].tobytes() if item.dtype != object else repr(item[()]))
        for name, value in item.attrs.items():
            if name == "json":
                value = json.dumps(without_times(json.loads(value)))
            if not TIMES.search(name) and name not in ("DIMENSION_LIST", "REFERENCE_LIST"):
                found[f"{file}{path}@{name}"] = MEASURED.sub("", repr(value))

    for file in sorted(folder.rglob("*.vtkhdf")):
        with h5py.File(file, "r") as opened:
            name = str(file.relative_to(folder))
            add(name, "/", opened)
            opened.visititems(lambda path, item, name=name: add(name, "/" + path, item))
    for file in sorted(folder.rglob("*.csv")):
        found[str(file.relative_to(folder))] = file.read_bytes()
    return found


def without_work(found):
    """The same without what tells of launches."""
    return {key: value for key, value in found.items() if key.rsplit("@", 1)[-1] not in WORK | {"json"}}


def stop_at_random_moments(seed):
    moments = random.Random(seed)

    def stop(process):
        try:
            process.wait(moments.uniform(0.2, 0.6))
        except Exception:  # it still runs
            wait_until(lambda: catches(process, signal.SIGTERM), process)
            process.send_signal(signal.SIGTERM)

    return stop


class Resumes(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.root)

    def program(self, text):
        """In the same folder each time, for results tell where their case lies."""
        folder = self.root / "work"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "results").mkdir(parents=True)
        (folder / "case.yaml").write_text(text, encoding="utf-8")
        return Program(command_line.PERDURE, command_line.SHIM, folder)

    def undisturbed(self, text):
        program = self.program(text)
        done, calls = program.calls("case.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        return everything(program.folder / "results"), calls

    def expect_same(self, program, expected, strip=lambda found: found):
        found, expected = strip(everything(program.folder / "results")), strip(expected)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual([key for key in found if found[key] != expected[key]], [])
        self.assertEqual(list((program.folder / "results").glob("*.partial")), [])

    def kill_at_calls(self, text):
        expected, calls = self.undisturbed(text)
        went_on = 0
        for call in calls if command_line.LONG else [calls[len(calls) // 2], calls[len(calls) * 4 // 5]]:
            with self.subTest(killed=call):
                program = self.program(text)
                done = program.run("case.yaml", at=call.number, action="kill")
                if done.returncode != 0:  # it may have made fewer calls: how often the host looks at the ring is not the same each time
                    self.assertEqual(done.returncode, KILLED, done.stderr)
                    done = program.run("case.yaml", "--resume")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    went_on += "continues after step" in done.stderr
                self.expect_same(program, expected)
        self.assertGreater(went_on, 1 if command_line.LONG else 0)

    def test_a_system_whose_snapshots_go_through_a_ring(self):
        self.kill_at_calls(small())

    def test_snapshots_without_compression_in_one_file(self):
        self.kill_at_calls(small(n=256, output=", compression: none"))

    def test_snapshots_in_one_file_do_not_become_files(self):
        text = small(n=256, output=", compression: none")
        _, calls = self.undisturbed(text)
        program = self.program(text)
        last = [call for call in calls if call.name == "rename" and "checkpoint" in call.path][-1]
        self.assertEqual(program.run("case.yaml", at=last.number, action="kill").returncode, KILLED)
        done = program.run("case.yaml", "--resume", "--set", "output.series=files")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("output.series: the snapshots before the checkpoint are in one file", done.stderr)

    def test_snapshots_in_files(self):
        self.kill_at_calls(small(output=", series: files"))

    def test_a_launch_for_each_phase(self):
        self.kill_at_calls(small(model="launches"))

    def test_heat_with_a_factor_of_time(self):
        self.kill_at_calls(HEAT.replace("{{", "{").replace("}}", "}"))

    def test_every_method_of_steps(self):
        for method in METHODS if command_line.LONG else ("imex", "rk45", "ssprk3 by waves"):
            for watched in (False, True) if command_line.LONG else (True,):
                with self.subTest(method=method, watched=watched):
                    self.kill_at_calls(stepped(method, watched))

    def test_a_series_of_which_the_host_has_taken_a_part(self):
        long_row = WATCH.replace("every_steps: 3", "every_steps: 1").replace("points: 4", "points: 40000")
        for method in ("rk23", "euler by waves") if command_line.LONG else ("rk23",):
            with self.subTest(method=method):
                text = stepped(method, False, end=1.0, every=0.4, checkpoint="every_steps: 10, keep: 1") + long_row
                self.kill_at_calls(text)

    def test_every_method_with_a_launch_for_each_phase(self):
        for method in METHODS if command_line.LONG else ():
            with self.subTest(method=method):
                self.kill_at_calls(stepped(method, True, model="launches"))

    def test_implicit_heat(self):
        methods = (("method: bdf2, dt: 0.1", "method: cg"), ("method: crank_nicolson, dt: 0.11", "preconditioner: multigrid"),
                   ("method: bdf2, dt: 0.11", "method: multigrid"), ("method: backward_euler, dt: 0.1", "method: cg"))
        for method, solver in methods if command_line.LONG else methods[::2]:
            for model in ("persistent", "launches") if command_line.LONG else ("persistent",):
                with self.subTest(method=method, solver=solver, model=model):
                    self.kill_at_calls(implicit(method, solver, model))

    def test_implicit_heat_whose_snapshots_go_through_a_ring(self):
        for method, solver in (("method: bdf2, dt: 0.1", "method: cg"), ("method: backward_euler, dt: 0.05", "method: multigrid")):
            with self.subTest(method=method, solver=solver):
                text = implicit(method, solver, snapshots="{every: 0.5}").replace("every_steps: 5", "every_steps: 8")
                self.kill_at_calls(text + WATCH_OF_HEAT)

    def test_implicit_heat_that_is_watched(self):
        for method, solver in (("method: bdf2, dt: 0.1", "method: cg"), ("method: crank_nicolson, dt: 0.11", "method: multigrid")):
            with self.subTest(method=method, solver=solver):
                self.kill_at_calls(implicit(method, solver) + WATCH_OF_HEAT)

    def disturb_until_it_ends(self, text, arguments, disturb):
        """The process after the last disturbance ends by itself."""
        program, disturbed = self.program(text), 0
        while True:
            process = program.start("case.yaml", *arguments, *(["--resume"] if disturbed else []))
            if disturbed < (40 if command_line.LONG else 5):
                disturb(process)
            done = finish(process)
            if done.returncode == 0:
                return program, disturbed
            self.assertIn(done.returncode, (KILLED, STOPPED), done.stderr)
            disturbed += 1

    def test_the_table_of_a_run_that_is_killed_behind_its_result(self):
        for output in ("", ", series: files"):
            text = small(output=output) + WATCH
            expected, calls = self.undisturbed(text)
            placed = max(call.number for call in calls if call.name == "rename" and call.path.endswith(("it.vtkhdf", "it.snapshots")))
            behind = [call for call in calls if call.number > placed]
            self.assertTrue(any(call.path.endswith("it.csv") for call in behind), behind)
            for call in behind:
                with self.subTest(output=output, killed=call):
                    program = self.program(text)
                    self.assertEqual(program.run("case.yaml", at=call.number, action="kill").returncode, KILLED)
                    done = program.run("case.yaml", "--resume")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.expect_same(program, expected)

    def kill_at_random_moments(self, text, longest):
        moments = random.Random(36)
        expected, _ = self.undisturbed(text)

        def kill(process):
            try:
                process.wait(moments.uniform(0.05, longest))
            except Exception:  # it still runs
                process.kill()

        program, _ = self.disturb_until_it_ends(text, [], kill)
        self.expect_same(program, expected)

    def test_kills_at_random_moments(self):
        self.kill_at_random_moments(long(), 0.5)

    def test_kills_at_random_moments_while_a_file_grows(self):
        self.kill_at_random_moments(long(n=256, end=10.0, every=0.5, checkpoint="every_steps: 25", output=", compression: none"), 0.8)

    @unittest.skipUnless(LONG, "of these the one whose steps are chosen")
    def test_stops_by_signal(self):
        text = long(checkpoint="on_signal: true")
        expected, _ = self.undisturbed(text)
        program, _ = self.disturb_until_it_ends(text, [], stop_at_random_moments(7))
        self.expect_same(program, expected, without_work)

    @unittest.skipUnless(LONG, "of these the one whose steps are chosen")
    def test_implicit_heat_stops_by_signal(self):
        text = implicit("method: bdf2, dt: 0.0004", "method: cg", snapshots="{every: 0.2}").replace("every_steps: 5", "on_signal: true").replace(
            "shape: [12, 16]", "shape: [24, 32]")
        expected, _ = self.undisturbed(text)
        program, disturbed = self.disturb_until_it_ends(text, [], stop_at_random_moments(9))
        self.assertGreater(disturbed, 0)
        self.expect_same(program, expected, without_work)

    def test_watched_runs_that_choose_their_steps_stop_by_signal(self):
        text = stepped("rk23", True, n=48, end=600.0, every=150.0, checkpoint="on_signal: true")
        expected, _ = self.undisturbed(text)
        program, disturbed = self.disturb_until_it_ends(text, [], stop_at_random_moments(8))
        self.assertGreater(disturbed, 0)
        self.expect_same(program, expected, without_work)

    def test_a_time_limit_ends_the_run_with_a_checkpoint(self):
        text = long(execution=", time_limit: 1e4", end=1.0e5, every=5.0e4, checkpoint="keep: 1")
        program = self.program(text)
        done = program.run("case.yaml", "--set", "execution.time_limit=2s")
        self.assertEqual(done.returncode, STOPPED, done.stderr)
        self.assertIn("with --resume to continue", done.stderr)
        self.assertEqual(len(list((program.folder / "results" / "it.partial").glob("*.checkpoint"))), 1)
        done = program.run("case.yaml")
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("continue it with --resume", done.stderr)

    def test_what_has_changed_is_refused_or_warned_of(self):
        _, calls = self.undisturbed(small())
        program = self.program(small())
        last = [call for call in calls if call.name == "rename" and "checkpoint" in call.path][-1]
        self.assertEqual(program.run("case.yaml", at=last.number, action="kill").returncode, KILLED)
        for change, told in (("problem.equations.u=lap(u)", "problem.equations.u is now 'lap(u)' and was"),
                             ("grid.shape=[8, 10]", "grid.shape[1] is now '10' and was '8'"),
                             ("execution.precision=float32", "execution.precision is now 'float32' and was not given"),
                             ("time.dt=0.05", "time.dt is now '0.05' and was '0.1'")):
            done = program.run("case.yaml", "--resume", "--set", change)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told, done.stderr)
        damaged = sorted((program.folder / "results" / "it.partial").glob("*.checkpoint"))[-1]
        damaged.write_bytes(damaged.read_bytes().replace(b"kernel", b"KERNEL"))
        done = program.run("case.yaml", "--resume", "--set", "output.checkpoint.every_steps=7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("is damaged", done.stderr)
        self.assertIn("warning: case.yaml: output.checkpoint.every_steps is now '7' and was '5'", done.stderr)

    def test_without_a_checkpoint_it_begins(self):
        program = self.program(small())
        done = program.run("case.yaml", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no checkpoint was found", done.stderr)
        done = program.run("case.yaml", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in an earlier run", done.stdout)


if __name__ == "__main__":
    main()
