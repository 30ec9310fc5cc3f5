"""streams_test.py PERDURE: standard input, output and error that are closed, full or without a reader. None ends a run: the
result is written and can be read, and the exit code is that of the run, or 6 where it succeeded and its output is lost. A reader that
has gone, as of `| head`, is no error."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PERDURE = sys.argv.pop()
CASE = """problem: {type: diffusion, a: 1, f: 1}
grid: {shape: [8, 8]}
boundary: {x-: {value: 0}}
execution: {backend: host, model: launches}
"""
BAD = {"closed": "{n}>&-", "full": "{n}>/dev/full", "no reader": "{n}>&9"}


class Streams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("case.yaml", CASE)
        self.write("few.yaml", CASE + "solver: {method: jacobi, max_iterations: 1}\n")
        self.write("broken.yaml", "problem: {\n")
        self.write("sweep.yaml", CASE + "sweep: {problem.f: [1, 2]}\n")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def shell(self, arguments, redirections=""):
        """The exit code, and what arrived; descriptor 9 is a pipe whose reader is gone."""
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, 9)
        os.close(writer)
        try:
            return subprocess.run(["sh", "-c", f"exec {PERDURE} {arguments} {redirections}"], cwd=self.folder, text=True,
                                  capture_output=True, timeout=120, check=False, pass_fds=[9], restore_signals=True)
        finally:
            os.close(9)

    def results(self):
        return sorted(os.path.join("results", name) for name in os.listdir(os.path.join(self.folder, "results"))
                      if name.endswith(".vtkhdf"))

    def expect_results(self, count):
        found = self.results()
        self.assertEqual(len(found), count)
        for path in found:
            done = self.shell(f"info --json {path}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["fields"][0]["name"], "u")

    def test_no_stream_ends_a_run(self):
        for arguments, files, code in (("run case.yaml", 1, 0), ("run case.yaml --json", 1, 0), ("run sweep.yaml", 2, 0),
                                       ("run few.yaml", 1, 3), ("run sweep.yaml --json", 2, 0)):
            for why, redirection in BAD.items():
                for number in (1, 2):
                    with self.subTest(arguments, stream=number, why=why):
                        done = self.shell(arguments + " --force", redirection.format(n=number))
                        lost = number == 1 and code == 0 and why != "no reader"  # as of `| head`
                        self.assertEqual(done.returncode, 6 if lost else code, done.stderr)
                        if number == 1:
                            (self.assertNotIn if why == "no reader" else self.assertIn)("cannot write to standard output", done.stderr)
                        elif "--json" in arguments:
                            self.assertEqual([json.loads(line)["exit_code"] for line in done.stdout.splitlines()]
                                             if files > 1 else [json.loads(done.stdout)["exit_code"]], [0] * files)
                        else:
                            self.assertIn("iteration", done.stdout)
                        self.expect_results(files)
                        for path in self.results():
                            os.remove(os.path.join(self.folder, path))

    def test_all_streams_closed(self):
        done = self.shell("run case.yaml --force", "<&- >&- 2>&-")
        self.assertEqual(done.returncode, 6)
        self.expect_results(1)
        self.assertEqual(self.shell("run case.yaml --force --quiet", "<&- >&- 2>&-").returncode, 0, "nothing to print")
        self.expect_results(1)

    def test_commands_without_results(self):
        for arguments, code in (("validate case.yaml", 0), ("validate case.yaml --json", 0), ("verify case.yaml", 0),
                                ("verify case.yaml --json", 0), ("validate broken.yaml", 2), ("--version", 0), ("--help", 0),
                                ("devices --backend host", 0), ("run missing.yaml", 6), ("no_command", 2)):
            for why, redirection in BAD.items():
                with self.subTest(arguments, why=why):
                    done = self.shell(arguments, redirection.format(n=1))
                    self.assertEqual(done.returncode, 6 if code == 0 and why != "no reader" else code, done.stderr)
                    self.assertNotIn("internal error", done.stderr)
                    if why == "no reader":
                        self.assertNotIn("roken pipe", done.stderr)
                    done = self.shell(arguments, redirection.format(n=2))
                    self.assertEqual(done.returncode, code, done.stdout)


if __name__ == "__main__":
    unittest.main()
