"""kill_test.py [--long] PERDURE SHIM: a run is killed before each of its system calls on results, and halfway through each
write. Each result that is there afterwards is whole and of one run, nothing but NAME.partial is left, and the next run
recovers. Last line: the counts."""

import collections
import re
import shutil
import unittest

import command_line
from command_line import main, some_of
from scenario import NEW, OLD, Scenario

KILLED = -9
MOST_CALLS = 6  # of a scenario, in short form
counts = collections.Counter({"kills": 0, "mixed": 0, "unreadable": 0, "unlisted": 0, "neither": 0, "left over": 0, "told": 0})
REFUSED_LOCKS = {"locks": "ENOLCK", "rename_flags": "EINVAL"}


class Kills(unittest.TestCase):
    def kill_at_each_call(self, kind, old=None, always=None):
        scenario = Scenario(command_line.PERDURE, command_line.SHIM, kind, old, always)
        self.addCleanup(scenario.remove)
        done, calls = scenario.fresh().calls(*scenario.arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(scenario.faults(scenario.fresh(), [OLD] if old else [None]), [])
        for call in some_of(calls, MOST_CALLS):
            self.kill(scenario, call, "kill", old)
            if call.name in ("write", "pwrite", "writev") and (command_line.LONG or call.number % 6 == 0):
                self.kill(scenario, call, "torn", old)

    def kill(self, scenario, call, action, old):
        program = scenario.fresh()
        done = program.run(*scenario.arguments, at=call.number, action=action)
        if action == "torn" and scenario.kind == "sweep" and done.returncode == 0:
            return  # members are written side by side: this time the call of that number was no write
        self.assertEqual(done.returncode, KILLED, f"{call}: {done.stderr}")
        counts["kills"] += 1
        where = f"{scenario.kind} over {old}, {action} at {call}"
        self.record(where, scenario.faults(program, [OLD, NEW] if old else [None, NEW]))
        self.expect_what_was_told(scenario, program, done, where)
        killed = program.folder.rename(scenario.root / f"killed-{counts['kills']}")  # a run remembers where its data files lie
        recoveries = [self.same_command, self.with_force, self.in_a_batch]
        for recover in recoveries if command_line.LONG else [recoveries[counts["kills"] % 3]]:
            with self.subTest(killed=where, recover=recover.__name__):
                recover(scenario, scenario.copy(killed, "work"), bool(old))
        shutil.rmtree(killed)

    def expect_what_was_told(self, scenario, program, done, where):
        """Snapshots of which the run said that they are written are there, in single files or in one."""
        told = len(re.findall(r"^wrote .*\.partial/", done.stdout, re.MULTILINE))
        for state in scenario.look(program)[0]:
            if NEW not in state.whole:
                counts["told"] += told
                with self.subTest(killed=where):
                    self.assertGreaterEqual(len(state.times), told if NEW in state.snapshots else 0, done.stdout)
                    self.assertTrue(told == 0 or NEW in state.snapshots, done.stdout)

    def record(self, where, faults):
        for kind, text in faults:
            counts[kind] += 1
            with self.subTest(killed=where):
                self.fail(f"{kind}: {text}")

    def same_command(self, scenario, program, forced):
        """What was killed runs again, without --force: its own result counts, and another result or snapshots are refused and stay."""
        states, _ = scenario.look(program)
        finished = [state.whole or state.snapshots for state in states]
        done = program.run(scenario.arguments[0])
        own = scenario.kind != "sweep" and states[0].whole == [NEW]
        if scenario.kind == "sweep" or own or not any(finished):
            expected = 6 if forced and [OLD] in finished else 0
        else:
            expected = 6
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        if expected == 6:
            self.assertIn("it", done.stderr)
            self.assertRegex(done.stderr, "already exists|did not end|a different case")
        self.assertEqual(scenario.faults(program, [OLD, NEW, None] if expected == 6 else [NEW]), [])
        self.assertTrue(expected == 6 or not scenario.has_partial(program))

    def with_force(self, scenario, program, _):
        done = program.run(scenario.arguments[0], "--force")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(scenario.faults(program, [NEW]), [])
        self.assertEqual(scenario.has_partial(program), [])

    def in_a_batch(self, scenario, program, forced):
        """A batch takes what is whole for finished and computes the rest."""
        (program.folder / "other.yaml").write_text((program.folder / scenario.arguments[0]).read_text(encoding="utf-8").replace(
            "name: it", "name: other"), encoding="utf-8")
        states, _ = scenario.look(program)
        foreign = any(state.whole == [OLD] for state in states)
        done = program.run(scenario.arguments[0], "other.yaml")
        self.assertEqual(done.returncode, 6 if foreign else 0, done.stdout + done.stderr)
        finished = sum(NEW in state.whole for state in states)
        self.assertEqual(done.stdout.count("in an earlier run"), finished, done.stdout)
        for entry in (program.folder / "results").glob("other*"):  # the results of the other case are as many
            self.assertNotIn(".partial", entry.name)
        _, rest = scenario.look(program)
        self.assertEqual([name for name in rest if not name.startswith("other")], [])
        expected = [[NEW]] + ([[OLD]] if foreign else []) + ([[OLD, NEW], [NEW, OLD]] if scenario.changes_layout else [])
        for state in scenario.look(program)[0]:
            self.assertIn(state.whole, expected)

    def test_one_answer(self):
        self.kill_at_each_call("steady")

    def test_one_answer_where_locks_and_flags_of_renames_are_refused(self):
        self.kill_at_each_call("steady", always=REFUSED_LOCKS)

    def test_several_snapshots(self):
        self.kill_at_each_call("heat")

    def test_several_snapshots_without_compression(self):
        self.kill_at_each_call("growing")
        self.assertGreater(counts["told"], 0)

    def test_several_snapshots_without_compression_over_others(self):
        self.kill_at_each_call("growing", old="growing")

    def test_snapshots_in_files(self):
        self.kill_at_each_call("files")

    def test_an_effective_case(self):
        self.kill_at_each_call("effective")

    def test_a_sweep_with_its_table(self):
        self.kill_at_each_call("sweep")

    def test_one_answer_over_another(self):
        self.kill_at_each_call("flux", old="steady")

    def test_one_answer_over_another_where_locks_and_flags_of_renames_are_refused(self):
        self.kill_at_each_call("steady", old="steady", always=REFUSED_LOCKS)

    def test_several_snapshots_over_others(self):
        self.kill_at_each_call("heat", old="heat")

    def test_files_over_files(self):
        self.kill_at_each_call("files", old="files")

    def test_files_over_one_file(self):
        self.kill_at_each_call("files", old="heat")

    def test_one_file_over_files(self):
        self.kill_at_each_call("heat", old="files")

    def test_a_sweep_over_another(self):
        self.kill_at_each_call("sweep", old="sweep")


def tearDownModule():
    print(", ".join(f"{name}: {count}" for name, count in counts.items()), flush=True)


if __name__ == "__main__":
    main()
