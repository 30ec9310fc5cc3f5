"""ranks_test.py [arguments of unittest] PERDURE MPIRUN: several processes that share a case over MPI. Every value of every dataset is that of one process,
whatever their number; where one is killed or stands still, all end and say which."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

from cases import CASES, CYCLES, IMAGES, LONG

MPIRUN = sys.argv.pop()
PERDURE = str(pathlib.Path(sys.argv.pop()).resolve())
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_btl="self,vader,tcp", OMP_NUM_THREADS="1",
                   PERDURE_SPOIL_UNHELD="1")  # a kernel that reads what its rank does not hold finds NaN

# What a report says of a solution.
FOUND = ("outcome", "stop_reason", "iterations", "residual", "recursive_residual", "initial_residual", "right_hand_side_norm",
         "tolerance", "excluded_cells")


def differences(one, other):
    """Names of the datasets and of the attributes of reports with other values. Times by the clock differ from run to run."""
    found = []

    def are_same(one, other):
        a, b = numpy.asarray(one), numpy.asarray(other)
        return a.shape == b.shape and (a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes())
    with h5py.File(one) as first, h5py.File(other) as second:
        def compare(name, item):
            if isinstance(item, h5py.Dataset) and not name.endswith("device_time") and not are_same(item[()], second[name][()]):
                found.append(name)
            told = {"report": FOUND, "report/effective": [key for key in item.attrs if not key.endswith("seconds")]}
            found.extend(f"{name}: {key}" for key in told.get(name, ())
                         if key in item.attrs and not are_same(item.attrs[key], second[name].attrs[key]))
        first.visititems(compare)
    return found


class Ranks(unittest.TestCase):
    """What both have in common."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (CASES | CYCLES | IMAGES).items():
            (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")

    def make_image(self, shape=(30, 28, 33)):
        """Cells of three labels in clusters. Those of the label that conducts best form no path."""
        noise = numpy.random.default_rng(3).random(shape)
        for axis in range(3):
            noise += numpy.roll(noise, 1, axis) + numpy.roll(noise, -1, axis)
        image = numpy.digitize(noise, numpy.quantile(noise, (0.35, 0.95)))
        image[:, :, 17][image[:, :, 17] == 2] = 1
        with h5py.File(self.folder / "image.h5", "w") as file:
            file["image"] = image.astype("u1")

    def command(self, ranks, *arguments):
        launcher = [MPIRUN, "-n", str(ranks)] if ranks > 1 else []
        return [*launcher, PERDURE, *arguments, "--set", "execution.backend=host"]

    def start(self, ranks, *arguments, command="run"):
        return subprocess.Popen(self.command(ranks, command, *arguments), cwd=self.folder, env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_to_end(self, ranks, *arguments, command="run"):
        process = self.start(ranks, *arguments, command=command)
        said, errors = process.communicate(timeout=240)
        return process.returncode, said, errors

    def expect_success(self, ranks, *arguments):
        code, said, errors = self.run_to_end(ranks, *arguments)
        self.assertEqual(code, 0, said + errors)

    def expect_same(self, folder, names=tuple(CASES)):
        for name in names:
            self.assertEqual(differences(self.folder / "one" / f"{name}.vtkhdf", self.folder / folder / f"{name}.vtkhdf"), [],
                             f"{name}, {folder}")

    def expect_agreement(self, ranks, name, lines):
        """`verify` in so many processes: rank 0 says once what agrees."""
        code, said, errors = self.run_to_end(ranks, f"{name}.yaml", command="verify")
        self.assertEqual(code, 0, said + errors)
        self.assertEqual(len(re.findall(r"\bagrees: ", said)), lines, said + errors)

    def expect_to_continue(self, case, ranks, later_ranks):
        """A run that is killed behind its first checkpoint continues in another number of processes."""
        (self.folder / "kept.yaml").write_text(case, encoding="utf-8")
        self.expect_success(1, "kept.yaml", "--output", "one")
        process = self.start(ranks, "kept.yaml", "--output", "many")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and len(list(self.folder.glob("many/kept.partial/*.checkpoint"))) < 2:
            time.sleep(0.002)  # the first of two is whole
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=60)
        self.await_end_of_ranks()
        code, said, errors = self.run_to_end(later_ranks, "kept.yaml", "--output", "many", "--resume")
        self.assertEqual(code, 0, said + errors)
        self.assertIn("continues after step", errors)
        self.expect_same("many", ("kept",))

    def processes(self):
        """Of the ranks under way, by the folder that they run in."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if entry.name.isdigit() and words[0] == PERDURE.encode() and (entry / "cwd").resolve() == self.folder.resolve():
                    found.append(int(entry.name))
            except OSError:
                pass
        return sorted(found)

    def await_end_of_ranks(self):
        deadline = time.monotonic() + 30
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.processes(), [])


class RanksThatShareACase(Ranks):
    def test_every_value_is_that_of_one_process(self):
        files = [f"{name}.yaml" for name in CASES]
        self.expect_success(1, *files, "--output", "one")
        for ranks in (2, 5):
            self.expect_success(ranks, *files, "--output", f"of_{ranks}")
            self.expect_same(f"of_{ranks}")
        self.expect_success(3, "heat.yaml", "cg.yaml", "--output", "launched", "--set", "execution.model=launches")
        self.expect_same("launched", ("heat", "cg"))

    def test_several_threads_of_each(self):
        self.expect_success(1, "watched.yaml", "cg.yaml", "--output", "one")
        self.expect_success(2, "watched.yaml", "cg.yaml", "--output", "of_threads", "--set", "execution.groups=3")
        self.expect_same("of_threads", ("watched", "cg"))

    def test_a_member_that_fails_ends_no_other(self):
        text = CASES["heat"].replace("snapshots: [2.0e-4]", "dt: 1.0e-6")
        (self.folder / "sweep.yaml").write_text(text + "sweep: {time.dt: [1.0e-6, 1.0, 2.0e-6]}\n", encoding="utf-8")
        code, said, errors = self.run_to_end(2, "sweep.yaml")
        self.assertNotEqual(code, 0, errors)
        self.assertEqual(len(re.findall(r"^wrote results/sweep-", said, re.M)), 2, said + errors)
        self.assertTrue((self.folder / "results" / "sweep_summary.csv").exists())
        self.assertEqual(errors.count("error: time.dt"), 1, errors)

    def test_different_command_lines_are_different_runs(self):
        for name in ("a", "b"):
            (self.folder / f"{name}.yaml").write_text(CASES["stiff"], encoding="utf-8")
        words = [[PERDURE, "run", f"{name}.yaml", "--set", "execution.backend=host"] for name in ("a", "b")]
        done = subprocess.run([MPIRUN, "-n", "1", *words[0], ":", "-n", "1", *words[1]], cwd=self.folder, env=ENVIRONMENT,
                              text=True, capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("different command lines", done.stderr)
        for name in ("a", "b"):
            self.assertTrue((self.folder / "results" / f"{name}.vtkhdf").exists())

    def test_members_that_are_there_are_skipped(self):
        (self.folder / "sweep.yaml").write_text(CASES["cg"] + "sweep: {problem.f: [1, x, y]}\n", encoding="utf-8")
        self.expect_success(1, "sweep.yaml", "--member", "2")
        code, said, errors = self.run_to_end(2, "sweep.yaml")
        self.assertEqual(code, 0, errors)
        self.assertEqual(len(re.findall(r"^wrote results/sweep-", said, re.M)), 2, said + errors)

    def test_a_checkpoint_of_three_continues_on_two(self):
        case = CASES["heat"].replace("end: 4.0e-4, snapshots: [2.0e-4]", "dt: 1.0e-6, end: 0.004, snapshots: {every_steps: 100}")
        self.expect_to_continue(case + "output: {checkpoint: {every_steps: 100, keep: 2}}\n", 3, 2)

    def refused(self, text, *words, ranks=3, command="run"):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        done = subprocess.run(self.command(ranks, command, "case.yaml"), cwd=self.folder, env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "results" / "case.vtkhdf").exists())

    def test_verify(self):
        self.expect_agreement(3, "heat", 1)
        code, said, errors = self.run_to_end(2, "cg.yaml", "--bound", "1e-30", command="verify")
        self.assertEqual(code, 1, said + errors)
        self.assertEqual(errors.count("DIFFERS"), 1, errors)

    def compared(self, ranks, name, *arguments):
        """What `compare` in so many processes measures of a case."""
        code, said, errors = self.run_to_end(ranks, f"{name}.yaml", f"--json={name}.json", "--iterations", "12", "--repetitions", "3",
                                             *arguments, command="compare")
        self.assertEqual(code, 0, said + errors)
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8")), said

    def test_compare(self):
        """Both models in all ranks, with the same bits; what is there already is not measured again, by any rank."""
        for ranks, name, phases in ((2, "heat", 1), (3, "cg", 2)):
            report, said = self.compared(ranks, name)
            self.assertEqual(len(re.findall(r"^  model +us/iteration", said, re.M)), 1, said)
            point, = report["points"]
            self.assertIn(f"in each of {ranks} processes", point["device"])
            self.assertEqual((point["rounds"], point["iterations"]), (3, 12))
            of = {result["name"]: result for result in point["members"]}
            self.assertEqual(of["persistent"]["launches"], 1)
            self.assertGreaterEqual(of["launches"]["launches"], 12 * phases)
            for result in of.values():
                if "left_out" not in result:
                    self.assertEqual(len(result["seconds_per_iteration"]["samples"]), 3)
                    self.assertNotIn("wrong", result)
                    self.assertNotIn("failure", result)
            again, said = self.compared(ranks, name, "--sizes", "24,32" if name == "cg" else "96,40")
            self.assertIn("From an earlier run", said)
            self.assertEqual(len(again["points"]), 2 if name == "heat" else 3)
            self.assertEqual(again["points"][0], point)

    def test_compare_that_fails_ends_all(self):
        text = CASES["heat"].replace("boundary", "execution: {backend: host, groups: 5000}\nboundary")
        self.refused(text, "execution.groups", ranks=2, command="compare")

    def test_what_all_know_is_printed_once(self):
        self.expect_success(1, "heat.yaml", "--output", "one")
        for once, *words in (("iterations", "info", "one/heat.vtkhdf"), ("self-test", "devices", "--backend", "host")):
            for launcher in ((), (MPIRUN, "-n", "3")):
                said = subprocess.run([*launcher, PERDURE, *words], cwd=self.folder, env=ENVIRONMENT, text=True, capture_output=True, timeout=120,
                                      check=True).stdout
                self.assertEqual(said.count(once), 1, said)

    def test_what_cannot_be_shared_is_refused(self):
        self.refused(LONG.replace("[64, 64]", "[2, 64]"), "3 processes cannot share this case", "without the launcher")


    def test_a_rank_that_fails_alone_ends_all(self):
        """One that cannot read an image in which nothing conducts, so that no other rank launches anything."""
        image = numpy.zeros((24, 24, 24), "u1")
        image[3, 4, 5] = 1
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        text = "problem: {type: effective, a: {file: i.h5, dataset: /i, labels: {0: 0, 1: 5}}, directions: [x]}\ngrid: {shape: [24, 24, 24], spacing: 1}\n"
        for folder in (self.folder, elsewhere):
            (folder / "still.yaml").write_text(text, encoding="utf-8")
        with h5py.File(self.folder / "i.h5", "w") as file:
            file["i"] = image
        run = [PERDURE, "run", "still.yaml", "--set", "execution.backend=host"]
        done = subprocess.run([MPIRUN, "-n", "3", *run, ":", "-n", "1", "-wdir", elsewhere, *run], cwd=self.folder, env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("error: rank 3", done.stderr)


# Runs the rest of its command line, and says how much memory that has had at most, in KiB.
WITH_PEAK = """import os, resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print("PEAK", os.environ.get("OMPI_COMM_WORLD_RANK", "0"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


class MemoryOfRanks(Ranks):
    """A rank holds its part of the fields, and all of them together what one process holds."""

    RANKS = 4
    CELLS = 128
    MIB_OF_ARRAY = CELLS ** 3 * 8 / 2 ** 20
    # Arrays of which each rank holds its part, initial values of heat among them, and those that each samples as a whole.
    MEASURED = {
        "wide_heat": (4, 0, "problem: {type: heat, a: 1, f: 0, initial: x*(1 - y)*z}\ntime: {dt: 1.0e-9, end: 3.0e-9}\n"),
        "wide_cg": (11, 2, "problem: {type: diffusion, a: 1 + x*y, f: sin(7*x)*z}\nboundary: {all: {value: 0}}\n"
                           "solver: {method: cg, preconditioner: jacobi, rtol: 0.5, check_every: 2}\n"),
    }

    def peaks(self, name, cells):
        """In MiB, by rank."""
        text = self.MEASURED[name][2] + f"grid: {{shape: [{cells}, {cells}, {cells}], length: [1, 1, 1]}}\noutput: {{compression: none}}\n"
        (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        command = [MPIRUN, "-n", str(self.RANKS), sys.executable, "-c", WITH_PEAK, PERDURE, "run", f"{name}.yaml", "--force",
                   "--set", "execution.backend=host"]
        environment = {key: value for key, value in ENVIRONMENT.items() if key != "PERDURE_SPOIL_UNHELD"}
        done = subprocess.run(command, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = dict(re.findall(r"^PEAK (\d+) (\d+)$", done.stderr, re.M))
        return [int(found[str(rank)]) / 1024 for rank in range(self.RANKS)]

    def test_a_rank_holds_its_part(self):
        for name, (arrays, sampled, _) in self.MEASURED.items():
            above = [peak - least for peak, least in zip(self.peaks(name, self.CELLS), self.peaks(name, 16))]
            expected = (arrays / self.RANKS + sampled) * self.MIB_OF_ARRAY
            slack = 2.0 * arrays + 0.5 * self.MIB_OF_ARRAY  # pages of 2 MiB, planes of others, messages
            for rank in range(1, self.RANKS):
                self.assertLess(above[rank], expected + slack, f"{name}, rank {rank}: {above}")


class OnGpus:
    """Each process has a GPU of its own; where there is one, they take turns on it."""

    def command(self, ranks, *arguments):
        launcher = [MPIRUN, "-n", str(ranks)] if ranks > 1 else []
        return [*launcher, PERDURE, *arguments, "--set", "execution.backend=cuda"]

    def setUp(self):
        super().setUp()
        listed = subprocess.run([PERDURE, "devices", "--backend", "cuda", "--json"], capture_output=True, text=True, timeout=120, check=True)
        found = json.loads(listed.stdout)
        self.gpus = len(found["backends"]["cuda"])
        self.why_no_nvshmem = found["nvshmem"]
        if self.gpus == 0:
            self.skipTest("no GPU")
        if self.gpus == 1:
            ENVIRONMENT["PERDURE_RANKS_SHARE_GPUS"] = "1"


class RanksOnGpus(OnGpus, Ranks):
    """The reference is one process on one GPU."""

    def expect_bits_of_one(self, transport, names, launched):
        """By one launch each, and of some cases by a launch for every phase."""
        files = [f"{name}.yaml" for name in names]
        self.expect_success(1, *files, "--output", "one")
        for ranks in sorted({2, 3 if self.gpus == 1 else min(self.gpus, 4)}):
            self.expect_success(ranks, *files, "--output", f"of_{ranks}", "--set", f"execution.transport={transport}")
            self.expect_same(f"of_{ranks}", names)
        self.expect_success(2, *(f"{name}.yaml" for name in launched), "--output", "launched", "--set", f"execution.transport={transport}",
                            "--set", "execution.model=launches")
        self.expect_same("launched", launched)

    def test_peer_memory(self):
        self.expect_bits_of_one("peer", tuple(CASES), ("heat", "cg", "watched", "courant", "imex"))

    def test_levels(self):
        self.expect_bits_of_one("peer", tuple(CYCLES), ("multigrid_3d", "mixed", "stationary", "products", "transforms", "products_3d", "steps"))

    def test_images(self):
        """Of so many cells that ranks share a level."""
        shape = [45, 38, 41]
        self.make_image(shape)
        for name, text in IMAGES.items():
            (self.folder / f"{name}.yaml").write_text(text.replace("[30, 28, 33]", str(shape)), encoding="utf-8")
        self.expect_bits_of_one("peer", tuple(IMAGES), ("effective", "without_fields"))

    def test_nvshmem(self):
        if self.why_no_nvshmem:
            self.skipTest(self.why_no_nvshmem)
        self.expect_bits_of_one("nvshmem", (*CASES, "multigrid_3d", "mixed", "steps"), ("heat", "cg", "watched", "multigrid"))

    def test_compare(self):
        code, said, errors = self.run_to_end(2, "cg.yaml", "--iterations", "12", "--repetitions", "3", command="compare")
        self.assertEqual(code, 0, said + errors)
        self.assertIn("peer memory", said)

    def test_compare_of_a_system(self):
        code, said, errors = self.run_to_end(2, "watched.yaml", "--iterations", "12", "--repetitions", "3", command="compare")
        self.assertEqual(code, 0, said + errors)

    def test_verify(self):
        self.expect_agreement(2, "watched", 2)  # fields
        self.expect_agreement(2, "newton", 1)

    def test_a_checkpoint_of_two_continues_on_one(self):
        case = CASES["watched"].replace("end: 20, stop_when: t > 10 and high_v < 10", "end: 20000, snapshots: {every_steps: 4000}")
        case = case.replace("every_steps: 2\n", "every_steps: 10\n")
        self.expect_to_continue(case + "output: {checkpoint: {every_steps: 500, keep: 2}}\n", 2, 1)

    def test_too_few_groups_are_refused(self):
        code, _, errors = self.run_to_end(2, "multigrid.yaml", "--set", "execution.groups=1")
        self.assertEqual(code, 2, errors)
        self.assertIn("each GPU needs at least 2 groups", errors)


class RanksWithLevels(Ranks):
    """Multigrid, whose levels ranks share or compute as a whole, and images."""

    def test_levels_of_multigrid(self):
        files = [f"{name}.yaml" for name in CYCLES]
        self.expect_success(1, *files, "--output", "one")
        for ranks in (2, 3, 5):
            self.expect_success(ranks, *files, "--output", f"of_{ranks}")
            self.expect_same(f"of_{ranks}", tuple(CYCLES))

    def test_images(self):
        self.make_image()
        files = [f"{name}.yaml" for name in IMAGES]
        self.expect_success(1, *files, "--output", "one")
        with h5py.File(self.folder / "one" / "effective.vtkhdf") as file:
            self.assertEqual(list(file["report/effective"].attrs["percolates"]), [1, 1, 1])
        with h5py.File(self.folder / "one" / "impermeable.vtkhdf") as file:
            self.assertEqual(list(file["report/effective"].attrs["percolates"]), [0])
        for ranks in (2, 5):
            self.expect_success(ranks, *files, "--output", f"of_{ranks}")
            self.expect_same(f"of_{ranks}", tuple(IMAGES))
        self.expect_agreement(2, "effective", 6)  # u and the coefficient along three axes

    def test_threads_and_launches(self):
        names = ("multigrid_3d", "stationary", "coloured", "products", "transforms", "lines_closed", "products_3d")
        files = [f"{name}.yaml" for name in names]
        self.expect_success(1, *files, "--output", "one")
        self.expect_success(2, *files, "--output", "of_threads", "--set", "execution.groups=3")
        self.expect_same("of_threads", names)
        self.expect_success(3, "coloured.yaml", "small.yaml", "transforms.yaml", "--output", "launched", "--set", "execution.model=launches")
        self.expect_success(1, "small.yaml", "--output", "one")
        self.expect_same("launched", ("coloured", "small", "transforms"))


class DisturbedRanks(Ranks):
    RANKS = 3

    def await_start(self, name):
        """Until the ranks know of each other: who stands still before, MPI waits for in its own way."""
        deadline = time.monotonic() + 100
        while not (self.folder / "results" / f"{name}.partial").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)

    def disturb(self, number):
        """Sends a signal to one of the ranks that are at work; what was said, and how long it took until all had ended."""
        (self.folder / "long.yaml").write_text(LONG, encoding="utf-8")
        process = self.start(self.RANKS, "long.yaml")
        self.await_start("long")
        begin = time.monotonic()
        os.kill(self.processes()[1], number)
        said, errors = process.communicate(timeout=120)
        self.await_end_of_ranks()
        self.assertNotEqual(process.returncode, 0)
        return said + errors, time.monotonic() - begin

    def test_a_stop_is_in_order(self):
        """SIGTERM to the launcher, which passes it on to all."""
        (self.folder / "long.yaml").write_text(LONG, encoding="utf-8")
        process = self.start(self.RANKS, "long.yaml", "--log", "log")
        self.await_start("long")
        for pid in self.processes():
            os.kill(pid, signal.SIGTERM)
        said, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 75, said + errors)
        self.assertIn("stopped", said)
        self.assertEqual(errors.count("stopping at the next check"), 1, errors)

    def test_where_one_is_killed_all_end(self):
        said, seconds = self.disturb(signal.SIGKILL)
        self.assertRegex(said, "rank [0-2].*signal 9", said)
        self.assertLess(seconds, 30)

    def test_where_one_stands_still_all_end(self):
        said, _ = self.disturb(signal.SIGSTOP)
        self.assertRegex(said, r"rank \d has given no sign of life for 10 s", said)


class DisturbedRanksOnGpus(OnGpus, DisturbedRanks):
    RANKS = 2

    def test_two_on_one_gpu_are_refused(self):
        if self.gpus > 1:
            self.skipTest("each has its own")
        del ENVIRONMENT["PERDURE_RANKS_SHARE_GPUS"]
        code, _, errors = self.run_to_end(2, "heat.yaml")
        self.assertEqual(code, 7, errors)
        self.assertIn("ranks 0 and 1 have the same GPU", errors)


def skip_where_nothing_is_launched():
    """A launcher may need what a container does not give it, such as a network."""
    done = subprocess.run([MPIRUN, "-n", "2", "true"], env=ENVIRONMENT, text=True, capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        print(f"skipped: {MPIRUN} starts no processes here: {done.stderr.strip()[:300]}")
        sys.exit(77)


if __name__ == "__main__":
    skip_where_nothing_is_launched()
    result = unittest.main(exit=False).result
    if result.testsRun == len(result.skipped):
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
