"""writers_test.py [--long] PERDURE SHIM: two, four and eight processes on one output name and on one sweep; then two, of which
one stands still (SIGSTOP) before each of its system calls while the other runs. Each result is of one run, no member is
computed twice, and nobody takes the name of a process that stands still. Last line: the counts."""

import collections
import csv
import os
import signal
import unittest

import command_line
from cases import MEMBERS, write_inputs
from command_line import main, some_of
from faults import finish
from scenario import NEW, Scenario

ROUNDS = 4  # 200 in long form
MOST_CALLS = 14  # in short form
NO_LOCKS = {"locks": "EOPNOTSUPP", "rename_flags": "ENOSYS"}
counts = collections.Counter({"rounds": 0, "stops": 0, "mixed": 0, "unreadable": 0, "left over": 0, "computed twice": 0})


class Writers(unittest.TestCase):
    def scenario(self, kind, always=None):
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, kind, None, always)
        self.addCleanup(scenario.remove)
        for tag in range(3, 9):
            scenario.learn(kind, tag)
        return scenario

    def expect_whole(self, scenario, program, titles):
        for kind, text in scenario.faults(program, titles):
            counts[kind] += 1
            self.fail(f"{kind}: {text}")
        self.assertEqual(scenario.has_partial(program), [])

    def rounds(self):
        for index in range(200 if command_line.LONG else ROUNDS):
            counts["rounds"] += 1
            yield index, (2, 4, 8)[index % 3]

    def one_name(self, kind, force, always=None):
        scenario = self.scenario(kind, always)
        for index, number in self.rounds():
            with self.subTest(round=index, processes=number):
                program = scenario.fresh()
                cases = [write_inputs(program.folder, kind, tag) for tag in range(1, number + 1)]
                processes = [program.start(case, *(["--force"] if force else [])) for case in cases]
                done = [finish(process) for process in processes]
                codes = [one.returncode for one in done]
                errors = "".join(one.stderr for one in done)
                self.assertEqual(set(codes) - {0, 6}, set(), errors)
                winners = [tag for tag, code in enumerate(codes, 1) if code == 0]
                self.assertTrue(winners and (force or len(winners) == 1), f"exit codes {codes}: {errors}")
                self.expect_whole(scenario, program, [f"tag {tag}" for tag in winners])
                names = [f"process {process.pid} " for process in processes]
                for one in done:
                    if one.returncode == 6:
                        said = [name for tag, name in enumerate(names, 1) if name in one.stderr]
                        self.assertTrue(said or "already exists" in one.stderr or "did not end" in one.stderr, one.stderr)

    def test_one_name(self):
        self.one_name("heat", force=False)

    def test_one_name_with_force(self):
        self.one_name("heat", force=True)

    def test_one_name_of_files_with_force(self):
        self.one_name("files", force=True)

    def test_one_name_without_locks(self):
        self.one_name("steady", force=False, always=NO_LOCKS)

    def test_one_name_with_force_and_without_locks(self):
        self.one_name("heat", force=True, always=NO_LOCKS)

    def one_sweep(self, always=None):
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, "sweep", None, always)
        self.addCleanup(scenario.remove)
        for index, number in self.rounds():
            with self.subTest(round=index, processes=number):
                program = scenario.fresh()
                processes = [program.start(scenario.arguments[0]) for _ in range(number)]
                done = [finish(process) for process in processes]
                codes = [one.returncode for one in done]
                self.assertEqual(set(codes) - {0, 8}, set(), "".join(one.stderr for one in done))
                self.assertIn(0, codes, "the last to end saw every member finished")
                for one in done:  # 8 says that others still computed some, 0 that none did
                    self.assertEqual("still being computed" in one.stdout, one.returncode == 8, one.stdout)
                wrote = collections.Counter(line.split()[1] for one in done for line in one.stdout.splitlines()
                                            if line.startswith("wrote results/it-"))
                twice = {name: count for name, count in wrote.items() if count > 1}
                counts["computed twice"] += len(twice)
                self.assertEqual(sorted(wrote.elements()), [f"results/{name}.vtkhdf" for name in MEMBERS])
                self.expect_whole(scenario, program, [NEW])
                with open(program.folder / "results" / "it_summary.csv", encoding="utf-8", newline="") as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual([row["outcome"] for row in rows], ["converged (rtol)"] * len(MEMBERS))

    def test_one_sweep(self):
        self.one_sweep()

    def test_one_sweep_without_locks(self):
        self.one_sweep(NO_LOCKS)

    def stop_one_at_each_call(self, kind, force, always=None):
        """The first process stands still before a call, the second runs to its end, the first goes on."""
        scenario = self.scenario(kind, always)
        words = ["--force"] if force else []
        done, calls = scenario.fresh().calls(*scenario.arguments, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        for call in some_of(calls, MOST_CALLS):
            with self.subTest(kind=kind, force=force, always=always, stopped=call):
                counts["stops"] += 1
                program = scenario.fresh()
                other = write_inputs(program.folder, kind, 3)
                first = program.start(scenario.arguments[0], *words, at=call.number, action="stop")
                try:
                    _, status = os.waitpid(first.pid, os.WUNTRACED)
                    self.assertTrue(os.WIFSTOPPED(status), f"the first process did not stop: {status}")
                    second = program.run(other, *words)
                finally:
                    os.kill(first.pid, signal.SIGCONT)
                first_done = finish(first)
                codes = (first_done.returncode, second.returncode)
                said = first_done.stderr + second.stderr
                self.assertEqual(set(codes) - {0, 6}, set(), said)
                winners = [title for title, code in ((NEW, codes[0]), ("tag 3", codes[1])) if code == 0]
                self.assertTrue(winners and (force or len(winners) == 1), f"exit codes {codes}: {said}")
                self.expect_whole(scenario, program, winners)
                if second.returncode == 6:
                    self.assertRegex(second.stderr, f"process {first.pid} |already exists|an unidentified process")

    def test_a_process_that_stands_still(self):
        self.stop_one_at_each_call("heat", force=False)

    def test_a_process_that_stands_still_and_has_force(self):
        self.stop_one_at_each_call("files", force=True)

    def test_a_process_that_stands_still_without_locks(self):
        self.stop_one_at_each_call("steady", force=False, always=NO_LOCKS)

    def test_a_process_that_stands_still_without_locks_and_has_force(self):
        self.stop_one_at_each_call("heat", force=True, always=NO_LOCKS)


def tearDownModule():
    print(", ".join(f"{name}: {count}" for name, count in counts.items()), flush=True)


if __name__ == "__main__":
    main()
