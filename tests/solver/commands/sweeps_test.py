"""sweeps_test.py PERDURE INPUTS: sweeps in queues and workflows - processes that share one, parts of one, their tables, and the scripts of
inputs/ for Slurm and Snakemake. On host threads."""

import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

INPUTS = os.path.abspath(sys.argv.pop())
PERDURE = os.path.abspath(sys.argv.pop())
CASE = """
problem: {type: diffusion, a: 1.0, f: 1.0}
grid: {shape: [8, 8], spacing: 0.125}
boundary: {x-: {value: 1.0}, x+: {value: 0.0}}
execution: {backend: host, model: launches}
"""
SWEEP = CASE + "sweep: {problem.a: [1, 2, 3], solver.rtol: [1e-4, 1e-6]}\n"
SLOW = """
problem: {type: heat, a: 1, initial: "sin(pi*x/0.8)"}
grid: {shape: [8, 8], spacing: 0.1}
time: {end: 1000, dt: 0.001, snapshots: [1000]}
execution: {backend: host, model: launches}
output: {checkpoint: {every_steps: 1000000}}
"""


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("wall.yaml", SWEEP)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def perdure(self, *words, task=None, code=0, **options):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        if task:
            environment.update(zip(("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"),
                                   map(str, task)))
        done = subprocess.run([PERDURE, *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
                              **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def table(self, name="results/wall_summary.csv"):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def start(self, *words):
        process = subprocess.Popen([PERDURE, "run", "wall.yaml", *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        return process

    def test_four_processes_share_a_sweep_and_one_is_killed(self):
        self.write("wall.yaml", CASE + "sweep: {problem.a: {from: 1, to: 40, count: 40}}\n")
        processes = [self.start() for _ in range(4)]
        while not os.path.exists(self.path("results", "wall_summary.csv")) and processes[0].poll() is None:
            time.sleep(0.002)
        processes[0].send_signal(signal.SIGKILL)
        printed = [process.communicate(timeout=120) for process in processes]
        self.assertEqual({process.returncode for process in processes[1:]} - {0, 8}, set(), printed)
        wrote = re.findall("^wrote (results/wall-problem.a-.*)$", "".join(output for output, _ in printed), re.MULTILINE)
        self.assertEqual(len(wrote), len(set(wrote)), "a member was computed twice")
        again = self.perdure("run", "wall.yaml")
        self.assertLessEqual(again.stdout.count("\nwrote results/wall-"), 1, "at most what the killed process had begun, by the last process")
        rows = self.table()
        self.assertEqual([row["problem.a"] for row in rows], [str(i) for i in range(1, 41)])
        self.assertEqual({row["outcome"] for row in rows}, {"converged (rtol)"})
        self.assertFalse([name for name in os.listdir(self.path("results")) if name.endswith(".partial")])

    def test_parts_of_a_sweep_run_at_the_same_time_and_write_one_table(self):
        processes = [self.start("--shard", f"{i}/4") for i in (1, 2, 3, 4)]
        for process in processes:
            self.assertEqual(process.communicate(timeout=120)[1].count("error"), 0)
            self.assertEqual(process.returncode, 0)
        rows = self.table()
        self.assertEqual([(row["member"], row["problem.a"], row["solver.rtol"], row["skipped"]) for row in rows],
                         [(str(2 * i + j + 1), str(i + 1), ("0.0001", "1e-06")[j], "0") for i in range(3) for j in range(2)])
        self.assertIn("6 of 6 cases, 6 of them finished earlier", self.perdure("run", "wall.yaml").stdout)

    def members(self, *words, **options):
        return [json.loads(line)["member"] for line in self.perdure("run", "wall.yaml", "--json", *words, **options).stdout.splitlines()]

    def test_a_member_or_a_part_is_chosen(self):
        entry = json.loads(self.perdure("run", "wall.yaml", "--member", "4", "--json").stdout)
        self.assertEqual([entry[key] for key in ("case", "member", "members", "swept")],
                         ["wall.yaml", 4, 6, {"problem.a": 2, "solver.rtol": 1e-06}])
        self.assertEqual(entry["written"], ["results/wall-problem.a-2-solver.rtol-1e-06.vtkhdf"])
        self.assertEqual([self.members("--shard", part) for part in ("1/4", "2/4", "4/4", "1/1")], [[1, 5], [2, 6], [4], [1, 2, 3, 4, 5, 6]])
        self.assertEqual(self.members("--member", "auto", task=(5, 6, 1, 6)), [5])
        self.assertEqual([self.members("--shard", "auto", task=(id, 3, 10, 14)) for id in (10, 12, 14)], [[1, 4], [2, 5], [3, 6]])
        self.assertEqual(self.members("--shard", "7/7"), [])
        for words, task, message in ((["--member", "7"], None, "--member 7: expected a number from 1 to 6, the number of cases of this command"),
                                     (["--member", "0"], None, "--member: expected auto or the number of a case, counted from 1; found '0'"),
                                     (["--shard", "5/4"], None, "--shard: expected I/N with I from 1 to N, such as 2/8, or auto; found '5/4'"),
                                     (["--shard", "1/4", "--member", "1"], None, "--member and --shard exclude each other"),
                                     (["--member", "auto"], None, "environment variable SLURM_ARRAY_TASK_ID, which Slurm sets"),
                                     (["--shard", "auto"], (3, 3, 1, 7), "are not evenly spaced (task 3 of 3, from 1 to 7)")):
            self.assertIn(message, self.perdure("run", "wall.yaml", *words, task=task, code=2).stderr)

    def test_the_table_has_what_became_of_a_field(self):
        """The mean of u where nothing else is known; exact for a quadratic, which the differences reproduce in the mean."""
        self.write("mean.yaml", """
problem: {type: diffusion, a: 1.0, f: 1.0}
grid: {shape: [4, 16], length: [1, 2]}
boundary: {x-: {value: 1.0}}
execution: {backend: host, model: launches}
solver: {rtol: 1.0e-12}
sweep: {problem.f: [1, 3]}
""")
        printed = self.perdure("run", "mean.yaml").stdout
        self.assertRegex(printed, r"# +problem\.f +outcome +iterations +seconds +mean_u")
        # u = 1 + f (2 x - x^2 / 2): over (0, 2) its mean is 1 + 4 f / 3, and that of the differences on 16 cells h^2 f / 24 larger
        for row, f in zip(self.table("results/mean_summary.csv"), (1, 3)):
            self.assertAlmostEqual(float(row["outcome.mean_u"]), 1 + 4 * f / 3, delta=0.01 * f)
        means = [row["outcome.mean_u"] for row in self.table("results/mean_summary.csv")]
        self.perdure("run", "mean.yaml")  # of members that were finished before, too
        self.assertEqual([row["outcome.mean_u"] for row in self.table("results/mean_summary.csv")], means)
        self.write("watched.yaml", """
problem: {type: heat, a: 1.0, f: 2.0}
grid: {shape: [4, 4], length: 1}
time: {end: 0.5}
watch: {integrals: {heat: {sum: u}, highest: {max: u}}}
execution: {backend: host, model: launches}
sweep: {problem.f: [2, 5]}
""")
        self.perdure("run", "watched.yaml")
        for row, f in zip(self.table("results/watched_summary.csv"), (2, 5)):
            self.assertAlmostEqual(float(row["outcome.heat"]), 0.5 * f, delta=1e-9)
            self.assertAlmostEqual(float(row["outcome.highest"]), 0.5 * f, delta=1e-9)
            self.assertNotIn("outcome.mean_u", row)

    def test_a_valid_sweep_has_one_line(self):
        self.assertRegex(self.perdure("validate", "wall.yaml").stdout,
                         r"^wall\.yaml: valid: 6 members, each of 64 cells; would run on host .* \(--verbose lists the members\)\n$")
        self.assertEqual(self.perdure("validate", "wall.yaml", "--verbose").stdout.count(": valid: 64 cells"), 6)
        self.assertEqual(len(self.perdure("validate", "wall.yaml", "--json").stdout.splitlines()), 6)
        self.assertIn("2 of 6 members", self.perdure("validate", "wall.yaml", "--shard", "1/3").stdout)
        self.write("other.yaml", CASE + "sweep: {grid.shape: [[4, 4], [8, 16]]}\n")
        self.write("single.yaml", CASE)
        lines = self.perdure("validate", "wall.yaml", "other.yaml", "single.yaml").stdout.splitlines()
        self.assertEqual([line.split(";")[0].split(" (")[0] for line in lines],
                         ["wall.yaml: valid: 6 members, each of 64 cells", "other.yaml: valid: 2 members, each of 16 to 128 cells",
                          "single.yaml: valid: 64 cells"])

    def test_tables_are_listed_merged_and_named(self):
        self.perdure("run", "wall.yaml", "--member", "2", "--summary", "results/a")
        self.perdure("run", "wall.yaml", "--member", "5", "--summary", "b")
        self.assertTrue(os.path.exists(self.path("b.h5")))
        listed = self.perdure("table", "wall.yaml").stdout.splitlines()
        self.assertEqual([line.split()[3:5] for line in listed[1:]],
                         [["not", "begun"], ["converged", "(rtol)"], *[["not", "begun"]] * 2, ["converged", "(rtol)"], ["not", "begun"]])
        self.assertIn("wrote both.csv: 2 cases", self.perdure("table", "b.csv", "results/a.csv", "-o", "both.csv").stderr)
        self.assertEqual([row["member"] for row in self.table("both.csv")], ["2", "5"])
        with open(self.path("both.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(self.perdure("table", "both.csv", "b.csv", "--csv").stdout.replace("\n", "\r\n"), file.read())
        self.write("other.yaml", CASE)
        self.perdure("run", "other.yaml", "--summary", "b", "--append")
        self.assertEqual([row["case"] for row in self.table("b.csv")], ["wall.yaml", "other.yaml"])
        self.perdure("run", "other.yaml", "--summary", "b")
        self.assertEqual([row["case"] for row in self.table("b.csv")], ["other.yaml"])
        self.write("mine.csv", "a,b\n1,2\n")
        self.assertIn("'mine.csv' is not a table written by perdure run", self.perdure("table", "mine.csv", code=5).stderr)
        self.perdure("table", "b.csv", "--output", "mine.csv", code=2)
        self.assertIn("there is no such file", self.perdure("table", "nothing.yaml", code=6).stderr)

    def test_a_finished_case_is_as_quiet_as_a_finished_sweep(self):
        self.write("one.yaml", CASE)
        self.perdure("run", "one.yaml")
        again = self.perdure("run", "one.yaml")
        self.assertIn("converged (rtol) in an earlier run: results/one.vtkhdf (use --force to run it again)", again.stdout)
        self.assertEqual(self.perdure("run", "one.yaml", "-q").stdout, "")
        self.assertIn("results/one.vtkhdf' already exists, and it is the result of a different case: problem.f is now '2' and was '1.0'; "
                      "use --force", self.perdure("run", "one.yaml", "--set", "problem.f=2", code=6).stderr)
        self.write("short.yaml", CASE + "solver: {max_iterations: 2}\n")
        for _ in range(2):
            self.perdure("run", "short.yaml", code=3)

    def test_the_outcome_of_a_failed_member_is_its_error(self):
        self.write("steps.yaml", SLOW.replace("end: 1000, dt: 0.001, snapshots: [1000]", "end: 0.01") + "sweep: {time.dt: [0.001, 0.1]}\n")
        self.perdure("run", "steps.yaml", code=2)
        outcomes = [row["outcome"] for row in self.table("results/steps_summary.csv")]
        self.assertEqual(outcomes[0], "complete")
        self.assertRegex(outcomes[1], "^time.dt: 0.1 is not stable.*or take longer steps with an implicit time.method")

    def test_standard_input_and_a_log(self):
        done = self.perdure("run", "-", "--log", "log.txt", "--set", "output.name=piped", input=CASE)
        self.assertIn("wrote results/piped.vtkhdf", done.stdout)
        self.perdure("run", "wall.yaml", "--member", "1", "--log", "log.txt", "-q")
        with open(self.path("log.txt"), encoding="utf-8") as file:
            log = file.read()
        self.assertEqual(sorted(log.splitlines()), sorted((done.stdout + done.stderr).splitlines()), "quiet, so nothing was added")
        self.assertIn("stdin:2:8: error: unknown key 'grid.shapes'",
                      self.perdure("validate", "-", input="problem: {type: diffusion, a: 1}\ngrid: {shapes: [8, 8]}\n", code=2).stderr)
        self.assertIn("--log: cannot write 'no/log.txt'", self.perdure("run", "wall.yaml", "--log", "no/log.txt", code=6).stderr)

    def test_a_time_limit_ends_a_run_and_the_batch(self):
        self.write("slow.yaml", SLOW + "sweep: {problem.a: [0.1, 0.2]}\n")
        done = self.perdure("run", "slow.yaml", "--time-limit", "1.5", "-q", code=75)
        self.assertIn("run the same command with --resume to continue from 'results/slow-problem.a-0.1.partial/slow-problem.a-0.1_", done.stderr)
        self.assertIn("1 of 2 cases not begun; run the same command to continue", done.stderr)
        steady = self.perdure("run", "wall.yaml", "--time-limit", "0.000001", code=75)
        self.assertIn("5 of 6 cases not begun", steady.stderr)
        self.assertIn("--time-limit: expected a number of seconds > 0, or a text such as 1h30m, 45m or 90s; found '1 hour'",
                      self.perdure("run", "wall.yaml", "--time-limit", "1 hour", code=2).stderr)

    def test_many_members_are_listed_and_validated_in_little_memory(self):
        self.write("many.yaml", CASE + "sweep: {problem.a: {from: 1, to: 2, count: 50}, problem.f: {from: 0, to: 1, count: 40}}\n")
        megabytes = 300
        limit = megabytes << 20
        listed = self.perdure("table", "many.yaml", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertEqual(len(listed.stdout.splitlines()), 2001)
        valid = self.perdure("validate", "many.yaml", "-q")
        self.assertIn("2000 members were checked, and one member in 2 was also prepared as for a run", valid.stderr)

    def test_cubes_of_an_image_by_size(self):
        cubes = numpy.arange(8, dtype=numpy.uint8).reshape(2, 2, 2).repeat(4, 0).repeat(4, 1).repeat(4, 2)
        with h5py.File(self.path("cubes.h5"), "w") as file:
            file.create_dataset("image", data=cubes, chunks=(3, 8, 5))
        self.write("cubes.yaml", """
problem: {type: effective, directions: [x], a: {file: cubes.h5, dataset: /image, labels: {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 0}}}
grid: {shape: [8, 8, 8]}
execution: {backend: host, model: launches}
output: {fields: []}
sweep: {subvolumes: {edges: [4, 8]}}
""")
        done = self.perdure("run", "cubes.yaml", code=5)  # a cube that nothing conducts in is bad input
        rows = self.table("results/cubes_summary.csv")
        self.assertEqual([row["problem.subvolume.from"] for row in rows[:3]], ["[0, 0, 0]", "[0, 0, 4]", "[0, 4, 0]"])
        numpy.testing.assert_allclose([float(row["effective.x.coefficient"]) for row in rows[:7]], range(1, 8), rtol=1e-9)
        table = done.stdout[done.stdout.index("subvolumes by size"):].splitlines()
        self.assertEqual(table[1].split(), ["voxels", "number", "conducting", "+-", "effective", "x", "+-"])
        self.assertEqual(table[2].split(), ["4x4x4", "7", "of", "8", "1", "0", "4", "2.16"])
        self.assertEqual(table[3].split()[:3], ["8x8x8", "1", "0.875"])
        again = self.perdure("run", "cubes.yaml", code=5)
        self.assertEqual(again.stdout[again.stdout.index("subvolumes by size"):].splitlines()[1:4], table[1:4])

    def run_script(self, command, **variables):
        environment = {**os.environ, "PATH": os.path.dirname(PERDURE) + os.pathsep + os.environ["PATH"], **variables}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_array_script_computes_its_sweep(self):
        shutil.copy(os.path.join(INPUTS, "composite_layers.yaml"), self.folder)
        for task in ("1", "2", "3", "4"):
            self.run_script(["bash", os.path.join(INPUTS, "sweep_array.sbatch")], SLURM_ARRAY_TASK_ID=task, SLURM_ARRAY_TASK_COUNT="4",
                            SLURM_ARRAY_TASK_MIN="1", SLURM_ARRAY_TASK_MAX="4")
        rows = self.table("results/composite_layers_summary.csv")
        self.assertEqual([float(row["boundary.x-.value"]) for row in rows], [5, 10, 15, 20, 25, 30, 35, 40])
        self.assertEqual({row["outcome"] for row in rows}, {"converged (rtol)"})
        with open(self.path("results", "task_3.log"), encoding="utf-8") as file:
            self.assertEqual(re.findall("effective coefficient (0.1818181818)", file.read()), ["0.1818181818"] * 2)

    def test_the_workflow_writes_what_it_declares(self):
        """By Snakemake where it is installed; else by the text of its rules."""
        for name in ("composite_layers.yaml", "Snakefile"):
            shutil.copy(os.path.join(INPUTS, name), self.folder)
        with open(self.path("Snakefile"), encoding="utf-8") as file:
            text = file.read()
        names = {}
        exec("".join(re.findall(r"^[A-Z]+ = .*\n", text, re.MULTILINE)), names)  # the constants at its top
        declared = [f"results/{names['CASE']}-{names['KEY']}-{value}.vtkhdf" for value in names["VALUES"]]
        if shutil.which("snakemake"):
            self.run_script(["snakemake", "--cores", "1"])
        else:
            member, table = re.findall(r'shell:\n +"(.*)"', text)
            field = lambda **fields: type("Fields", (), fields)  # noqa: E731
            for value in names["VALUES"]:
                self.run_script(["bash", "-c", member.format(input=names["CASE"] + ".yaml", params=field(key=names["KEY"]),
                                                             wildcards=field(value=value))])
            self.run_script(["bash", "-c", table.format(input=field(case=names["CASE"] + ".yaml"), output="results/temperatures.csv",
                                                        params=field(key=names["KEY"], values=", ".join(names["VALUES"])))])
        for name in declared:
            self.assertTrue(os.path.exists(self.path(name)), name)
        self.assertEqual([row["output"] for row in self.table("results/temperatures.csv")], declared)


if __name__ == "__main__":
    unittest.main()
