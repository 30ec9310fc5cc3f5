"""measurements_test.py PERDURE: `bench sync`, `litmus` and `devices` under bad use - words misspelt, reports that cannot be
written or would replace a file, a stop on the way. On host threads."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until_busy  # noqa: E402

PERDURE = sys.argv.pop()
LITMUS = ["litmus", "--backend", "host", "too_many_groups"]  # no data race: right under ThreadSanitizer too
BENCH = ["bench", "sync", "--backend", "host"]


def run(*arguments):
    return subprocess.run([PERDURE, *arguments], capture_output=True, text=True, timeout=300, check=False)


class Words(unittest.TestCase):
    def expect_usage(self, arguments, text):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(text, done.stderr.splitlines()[0])
        self.assertEqual(done.stdout, "")

    def test_the_closest_word_is_named(self):
        self.expect_usage(["bench", "snyc"], "unknown command 'bench snyc'; did you mean 'sync'?")
        self.expect_usage(["bench", "sync", "--quik"], "unknown option '--quik'; did you mean '--quick'?")
        self.expect_usage(["bench", "sync", "--group-sizes", "32"], "did you mean '--group-size'?")
        self.expect_usage(["litmus", "--jsn", "x"], "did you mean '--json'?")
        self.expect_usage(["litmus", "lost_update"], "unknown experiment 'lost_update'; did you mean 'lost_updates'?")
        for command in (["bench", "sync"], ["litmus"], ["devices"]):
            self.expect_usage([*command, "--backend", "hots"],
                              "--backend: expected auto, host, opencl or cuda, found 'hots'; did you mean 'host'?")

    def test_numbers_out_of_range(self):
        self.expect_usage(["bench", "sync", "--device", "-1"], "--device: expected a whole number from 0 to 1023, found '-1'")
        self.expect_usage(["litmus", "--device", "-1"], "--device: expected a whole number from 0 to 1023, found '-1'")
        self.expect_usage(["bench", "sync", "--groups", "1,0"], "--groups: expected a whole number from 1 to 65536, found '0'")

    def test_a_device_without_its_back_end(self):
        for command in (["bench", "sync"], ["litmus"]):
            self.expect_usage([*command, "--device", "0"], "--device: each back end numbers its devices from 0, so 0")
            done = run(*command, "--backend", "host", "--device", "3")
            self.assertEqual(done.returncode, 7)
            self.assertIn("--device: host has 1 device, numbered from 0, but the case asks for number 3", done.stderr)

    def test_shapes_that_cannot_run_are_refused_at_once(self):
        done = run(*BENCH, "--groups", "5000")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("not co-resident: at most 1024 groups"), 2, done.stderr)

    def test_help_names_lists_as_the_readme_does(self):
        said = run("bench", "sync", "--help").stdout
        self.assertRegex(said, r"--groups LIST {2,}")
        self.assertRegex(said, r"--group-size LIST {2,}")


class Devices(unittest.TestCase):
    def test_one_back_end_and_where_json_goes(self):
        for arguments in (["--json"], ["--json=-"], ["--json", "--backend", "host"]):
            done = run("devices", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            names = list(json.loads(done.stdout)["backends"])
            self.assertEqual(names, ["host"] if "host" in arguments else ["cuda", "opencl", "host"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "devices.json")
            done = run("devices", "--backend", "host", "--json=" + path)
            self.assertTrue(done.stdout.startswith("host\n  0: host threads"), done.stdout)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["backends"]["host"][0]["self_test"], "passed")


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def expect_refused(self, target, code, reason):
        for command in (LITMUS, BENCH):
            done = run(*command, "--json=" + target)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stdout, "", "refused before the work")
            self.assertIn(reason, done.stderr)

    def test_what_cannot_be_written_is_known_before_the_work(self):
        self.expect_refused(self.path("missing/report.json"), 6, "report.json': No such file or directory")
        self.expect_refused(self.folder.name, 6, "': expected a file, found a folder")

    def test_a_dash_is_standard_output(self):
        done = run(*LITMUS, "--json=-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["experiments"][0]["experiment"], "too_many_groups")

    def test_other_files_are_left_alone(self):
        case = self.path("case.yaml")
        with open(case, "w", encoding="utf-8") as file:
            file.write("title: a case\n")
        self.expect_refused(case, 2, "exists and is not a report of perdure")
        with open(case, encoding="utf-8") as file:
            self.assertEqual(file.read(), "title: a case\n")

    def test_an_earlier_report_is_replaced_and_a_link_stays_one(self):
        report, link = self.path("report.json"), self.path("link.json")
        os.symlink(report, link)
        for _ in range(2):
            self.assertEqual(run(*LITMUS, "--json=" + link).returncode, 0)
        self.assertTrue(os.path.islink(link))
        with open(report, encoding="utf-8") as file:
            written = json.load(file)
        self.assertEqual(written["experiments"][0]["experiment"], "too_many_groups")
        self.assertFalse(written["stopped"])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["link.json", "report.json"])

    def test_a_pipe_and_a_device_are_refused(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        self.expect_refused(pipe, 6, "pipe': expected a file, found a pipe")
        self.expect_refused("/dev/null", 6, "expected a file, found a device")

    def test_a_file_as_a_word_of_its_own(self):
        for command in (BENCH, ["devices"], ["litmus"]):
            done = run(*command, "--json", "report.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--json=report.json", done.stderr.splitlines()[0])

    def test_a_stop_on_the_way_keeps_what_was_measured(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            report = self.path("report.json")
            with subprocess.Popen([PERDURE, *BENCH, "--repetitions", "1000", "--json=" + report], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                wait_until_busy(process, 1.0)
                process.send_signal(number)
                table, said = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 75, said)
            self.assertTrue(said.endswith("\nstopped before everything was measured\n"), said)
            self.assertRegex(said, r" 1 of \d+, after \d+ s: loads, fences and atomics\n")
            self.assertIn("stopped before it was measured", table)
            with open(report, encoding="utf-8") as file:
                self.assertTrue(json.load(file)["stopped"])


if __name__ == "__main__":
    unittest.main()
