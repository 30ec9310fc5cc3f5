"""json_option_test.py PERDURE: --json prints the report alone and --json=FILE writes it beside what is printed, the same in every
command."""

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
COMMANDS = {"run": ["run", "case.yaml", "--force"], "validate": ["validate", "case.yaml"], "verify": ["verify", "case.yaml"],
            "devices": ["devices", "--backend", "host"], "litmus": ["litmus", "--backend", "host", "too_many_groups"],
            "compare": ["compare", "case.yaml", "--iterations", "2", "--repetitions", "1", "--models", "launches"],
            "bench sync": ["bench", "sync", "--backend", "host", "--quick", "--repetitions", "1", "--rounds", "1"],
            "info": ["info", "results/case.vtkhdf"]}


class JsonOption(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("case.yaml", CASE)
        self.write("sweep.yaml", CASE + "sweep: {problem.f: [1, 2]}\n")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run_perdure(self, *words):
        return subprocess.run([PERDURE, *words], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def test_the_same_in_every_command(self):
        iterations = json.loads(self.run_perdure("run", "case.yaml", "--json").stdout)["iterations"]
        for name, words in COMMANDS.items():
            with self.subTest(name):
                words = [word.format(iterations) for word in words]
                alone = self.run_perdure(*words, "--json")
                self.assertEqual(alone.returncode, 0, alone.stderr)
                keys = list(json.loads(alone.stdout))
                self.assertEqual(list(json.loads(self.run_perdure(*words, "--json=-").stdout)), keys)
                for _ in range(1 if name in ("compare", "bench sync") else 2):  # an earlier report is replaced
                    beside = self.run_perdure(*words, "--json=report.json")
                    self.assertEqual(beside.returncode, 0, beside.stderr)
                    self.assertEqual(list(json.loads(self.read("report.json"))), keys)
                self.assertGreater(len(beside.stdout), 20)
                self.assertNotIn('"version"', beside.stdout)
                self.assertIn("--json [=FILE]", self.run_perdure(*words[:2 if name == "bench sync" else 1], "--help").stdout)
                os.remove(os.path.join(self.folder, "report.json"))

    def test_a_case_behind_json_is_a_case(self):
        done = self.run_perdure("run", "--json", "case.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["exit_code"], 0)

    def test_several_cases_are_a_line_each(self):
        for count in (2, 3):
            done = self.run_perdure("run", "sweep.yaml", *["missing.yaml"] * (count - 2), "--json=lines.json")
            self.assertEqual(done.returncode, 0 if count == 2 else 6, done.stderr)
            self.assertEqual([json.loads(line)["exit_code"] for line in self.read("lines.json").splitlines()],
                             [0, 0, 6][:count])
            self.assertIn("sweep.yaml, 2 of 2", done.stdout)

    def test_other_files_are_left_alone(self):
        self.write("other.json", '{"name": "not a report"}')
        for words in COMMANDS.values():
            done = self.run_perdure(*words, "--json=other.json")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "results")))
        self.assertEqual(self.read("other.json"), '{"name": "not a report"}')


if __name__ == "__main__":
    unittest.main()
