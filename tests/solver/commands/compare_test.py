"""compare_test.py PERDURE INPUTS: `perdure compare` as people call it - words misspelt, what is refused, files, a sweep that is
killed and gone on with, a stop, a time limit. On host threads."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until, wait_until_busy  # noqa: E402

INPUTS = sys.argv.pop()
PERDURE = sys.argv.pop()
CASE = os.path.join(INPUTS, "manufactured_poisson_2d.yaml")
COMPARE = ["compare", CASE, "--backends", "host"]
QUICK = ["--iterations", "10", "--repetitions", "2"]


def run(*arguments):
    return subprocess.run([PERDURE, *arguments], capture_output=True, text=True, timeout=300, check=False)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Words(unittest.TestCase):
    def expect_refused(self, arguments, text, code=2):
        done = run(*COMPARE, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stdout, "", "refused before the work")

    def test_the_closest_word_is_named(self):
        self.expect_refused(["--models", "presistent"], "--models: expected persistent, launches, graph")
        self.expect_refused(["--models", "presistent"], "did you mean 'persistent'?")
        self.expect_refused(["--precisions", "float46"], "did you mean 'float64'?")
        self.expect_refused(["--barriers", "tre"], "did you mean 'tree'?")
        self.expect_refused(["--size", "64"], "did you mean '--sizes'?")

    def test_sizes_are_numbers(self):
        for words in ("0", "1", "-8", "64x64", "64,auto", "1e9"):
            self.expect_refused([f"--sizes={words}"], "--sizes: expected 'auto' or numbers of cells")
        self.expect_refused(["--sizes", "1000000"], "fewer than 2^31")

    def test_what_a_device_lacks_is_refused_by_name(self):
        self.expect_refused(["--models", "graph"], "cannot run graph: only CUDA devices can replay launch graphs")
        self.expect_refused(["--barriers", "cooperative"], "has no cooperative barrier, which")

    def test_a_back_end_that_is_missing_is_refused_before_the_work(self):
        if not run("devices", "--backend", "cuda").stdout.startswith("cuda: "):
            self.skipTest("CUDA is here")
        self.expect_refused(["--backends", "host,cuda"], "there is no cuda device", 7)

    def test_numbers_out_of_range(self):
        self.expect_refused(["--repetitions", "0"], "--repetitions: expected a whole number from 1 to 1000, found '0'")
        for seconds in ("0", "nan", "1e300"):
            self.expect_refused(["--time-limit", seconds], f"--time-limit: expected seconds between 0.001 and 100000000, found '{seconds}'")

    def test_a_list_does_not_take_the_case(self):
        done = run("compare", "--sizes", "8,16", CASE, "--backends", "host", *QUICK)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("16 x 16", done.stdout)

    def test_fewer_iterations_than_asked_for_are_named(self):
        done = run(*COMPARE, "--sizes", "8", "--iterations", "5000", "--repetitions", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n[0-9]+ iterations per run\s+\(5000 requested, but the\s+runs\s+end\s+earlier\)")

    def test_what_cannot_be_measured_is_no_success(self):
        done = run(*COMPARE, "--sizes", "16", "--set", "problem.f=0", "--set", "boundary={}")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("error: nothing was measured", done.stderr)

    def test_a_dataset_has_its_size(self):
        if not os.path.exists(os.path.join(INPUTS, "overlapping_spheres.h5")):
            self.skipTest("no image")
        done = run("compare", os.path.join(INPUTS, "effective_diffusivity.yaml"), "--backends", "host", "--sizes", "32")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a of this case comes from a dataset, whose shape is fixed", done.stderr)


class Sweeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.json = os.path.join(folder.name, "compare.json")

    def test_tables_json_and_markdown(self):
        markdown = os.path.join(self.folder, "compare.md")
        done = run(*COMPARE, *QUICK, "--sizes", "16,24", "--precisions", "float32,float64", "--json=" + self.json,
                   "--set", "title=two words", "--markdown", markdown)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without graph, graph_while on host threads", done.stdout)
        self.assertRegex(done.stdout, r"  persistent +[\d.]+ +\[[\d.]+ \.\. [\d.]+\]")
        self.assertRegex(done.stdout, r"; persistent with\s+barrier \w+")
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)
        self.assertIn("overhead of comparing", done.stdout)
        report = read(self.json)
        self.assertEqual([(point["size"], point["precision"]) for point in report["points"]],
                         [(16, "float32"), (16, "float64"), (24, "float32"), (24, "float64")])
        for point in report["points"]:
            self.assertEqual(point["iterations"], 10)
            members = {member["name"]: member for member in point["members"]}
            for name in ("graph", "graph_while", "resident"):
                self.assertTrue(members[name]["left_out"].startswith("only CUDA devices"), members[name])
            for name in ("launches", "persistent"):
                member = members[name]
                self.assertEqual(member["status"], "measured")
                self.assertEqual(len(member["seconds_per_iteration"]["samples"]), 2)
                for key in ("cells_per_second", "bytes_per_second", "speed_up_over_best_multi_launch",
                            "launches_per_iteration", "barriers_per_iteration", "looks_per_iteration"):
                    self.assertIn(key, member)
                shares = member["shares"]
                self.assertAlmostEqual(sum(shares[part] for part in ("stencil", "reduction", "barrier", "host")), 1.0)
                self.assertGreater(shares["stencil"], 0.0)
        self.assertEqual(len(report["advice"]), 2)
        self.assertIn(" --set 'title=two words' ", report["command"])
        self.assertGreater(report["devices"][0]["copy_bytes_per_second"], 1.0e8)
        with open(markdown, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("# perdure compare: two words\n"))
        self.assertEqual(len(re.findall("^## ", text, re.MULTILINE)), 4)

    def test_a_killed_sweep_is_gone_on_with(self):
        sizes = ["--sizes", "16,24,32,40,512,768"]
        with subprocess.Popen([PERDURE, *COMPARE, "--iterations", "40", "--repetitions", "2", *sizes, "--json=" + self.json],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_until(lambda: os.path.exists(self.json), process)
            process.kill()
        kept = read(self.json)["points"]
        self.assertGreaterEqual(len(kept), 1)
        self.assertLess(len(kept), 6)
        last = len(kept) + 1
        wanted = ["--sizes", ",".join(sizes[1].split(",")[:last])]
        done = run(*COMPARE, "--iterations", "40", "--repetitions", "2", *wanted, "--json=" + self.json)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("From an earlier run of this command:", done.stdout)
        points = read(self.json)["points"]
        self.assertEqual(points[:len(kept)], kept, "measured once")
        self.assertEqual(len(points), last)

    def test_another_comparison_is_not_added_to(self):
        self.assertEqual(run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json).returncode, 0)
        before = read(self.json)
        for repetitions, more, reason in (("2", ["--set", "solver.check_every=5"], "another case"),
                                          ("2", ["--models", "launches"], "other models"), ("3", [], "2 repetitions, now 3")):
            done = run(*COMPARE, "--iterations", "10", "--repetitions", repetitions, "--sizes", "16", "--json=" + self.json, *more)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"holds {reason}", done.stderr)
        self.assertEqual(read(self.json), before)

    def test_another_build_is_another_program(self):
        self.assertEqual(run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json).returncode, 0)
        report = read(self.json)
        self.assertRegex(report["build_id"], "^[0-9a-f]{40}$")
        notes = subprocess.run(["readelf", "-n", PERDURE], capture_output=True, text=True, check=True).stdout
        self.assertIn(report["build_id"], notes)
        with open(self.json, "w", encoding="utf-8") as file:
            json.dump({**report, "build_id": report["build_id"][::-1]}, file)
        done = run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("holds a comparison by another build of this program", done.stderr)

    def test_other_files_are_left_alone(self):
        for option, text in (("--json", '{"version": "1", "benchmark": "sync"}'), ("--json", "title: a case"),
                             ("--markdown", "# notes of mine\n")):
            other = os.path.join(self.folder, "other")
            with open(other, "w", encoding="utf-8") as file:
                file.write(text)
            done = run(*COMPARE, *QUICK, f"{option}={other}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("delete it or name another file", done.stderr)
            with open(other, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        for option in ("--json", "--markdown"):
            done = run(*COMPARE, *QUICK, f"{option}={self.folder}/missing/file")
            self.assertEqual(done.returncode, 6, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_links_stay_links_and_pipes_are_refused(self):
        file, link, pipe = (os.path.join(self.folder, name) for name in ("file.md", "link.md", "pipe"))
        os.symlink(file, link)
        self.assertEqual(run(*COMPARE, *QUICK, "--sizes", "16", "--markdown", link).returncode, 0)
        self.assertTrue(os.path.islink(link))
        with open(file, encoding="utf-8") as written:
            self.assertIn("16 x 16", written.read())
        os.mkfifo(pipe)
        done = run(*COMPARE, *QUICK, "--sizes", "16", "--markdown", pipe)
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("expected a file, found a pipe", done.stderr)

    def test_json_and_markdown_are_two_files(self):
        link = os.path.join(self.folder, "link")
        os.symlink(self.json, link)
        for markdown in (self.json, link):
            done = run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json, "--markdown", markdown)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("are the same file; name two", done.stderr)

    def test_damaged_comparisons_are_refused(self):
        self.assertEqual(run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json).returncode, 0)
        whole = read(self.json)
        for damage, reason in (({"shape": []}, "a point without a shape"), ({"iterations": 0}, "a point without cells or iterations"),
                               ({"members": []}, "a point without members"), (None, "the same point twice")):
            points = whole["points"] * 2 if damage is None else [{**whole["points"][0], **damage}]
            with open(self.json, "w", encoding="utf-8") as file:
                json.dump({**whole, "points": points}, file)
            done = run(*COMPARE, *QUICK, "--sizes", "16", "--json=" + self.json)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"holds a damaged comparison: {reason}; delete it or name another file", done.stderr)

    def test_a_shorter_measurement_does_not_replace_a_longer_one(self):
        arguments = [*COMPARE, "--iterations", "10", "--repetitions", "1000", "--sizes", "16", "--json=" + self.json]
        for seconds in ("2", "8", "32"):  # on a busy machine 2 s may be over before anything is measured
            run(*arguments, "--time-limit", seconds)
            if points := read(self.json)["points"]:
                break
        rounds = points[0]["rounds"]
        self.assertGreater(rounds, 0)
        for seconds in ("0.001", "0.3"):
            run(*arguments, "--time-limit", seconds)
            self.assertGreaterEqual(read(self.json)["points"][0]["rounds"], rounds)

    def test_a_file_that_another_comparison_wrote_is_left(self):
        with subprocess.Popen([PERDURE, *COMPARE, "--iterations", "10", "--repetitions", "1000", "--sizes", "768,1024",
                               "--json=" + self.json], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as first:
            wait_until_busy(first, 1.0)
            first.send_signal(signal.SIGSTOP)  # while it measures its first point
            second = run(*COMPARE, *QUICK, "--sizes", "24", "--json=" + self.json)
            first.send_signal(signal.SIGCONT)
            first.send_signal(signal.SIGINT)
            self.assertEqual(second.returncode, 0, second.stderr)
            said = first.communicate(timeout=60)[1]
        self.assertEqual(first.returncode, 6, said)
        self.assertIn("another program wrote", said)
        self.assertEqual([point["size"] for point in read(self.json)["points"]], [24])

    def test_time_runs_out(self):
        done = run(*COMPARE, "--sizes", "16,2048", "--iterations", "200", "--time-limit", "3", "--json=" + self.json)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("out of time: not everything was measured; run the same command to continue", done.stderr)
        report = read(self.json)
        self.assertTrue(report["out_of_time"])
        self.assertEqual(report["points"][0]["size"], 16)
        self.assertIn("us/iteration", done.stdout)

    def test_a_stop_keeps_what_was_measured(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([PERDURE, *COMPARE, "--sizes", "16,32,256,512,1024", "--repetitions", "1000", "--iterations", "10",
                                   "--models", "launches,persistent", "--json=" + self.json], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                wait_until(lambda: os.path.exists(self.json), process)
                wait_until_busy(process, 1.0)
                process.send_signal(number)
                table, said = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 75, said)
            self.assertEqual(said, "\nperdure: stopping at the next check; to stop at once, repeat this in two seconds or later\n"
                                   "stopped before everything was measured\n")
            self.assertIn("us/iteration", table)
            self.assertTrue(read(self.json)["stopped"])


if __name__ == "__main__":
    unittest.main()
