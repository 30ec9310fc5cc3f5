"""help_test.py PERDURE: `perdure help TOPIC` knows commands, keys, types and functions, and the manual page holds every option."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PERDURE = os.path.abspath(sys.argv.pop())


def perdure(*words):
    return subprocess.run([PERDURE, *words], capture_output=True, text=True, timeout=60, check=False)


def commands():
    """The commands in the list of topics."""
    topics = perdure("help").stdout.split("\n\n")[1]
    names = [line.split()[0] for line in topics.splitlines()]
    return [name for name in names if name != "bench"] + ["bench sync"]


class Help(unittest.TestCase):
    def help(self, *topic):
        done = perdure("help", *topic)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_commands(self):
        self.assertGreater(len(commands()), 10)
        for name in commands():
            with self.subTest(name):
                asked = perdure(*name.split(), "--help")
                self.assertEqual(asked.returncode, 0, asked.stderr)
                without_usage = [line for line in asked.stdout.splitlines() if not line.startswith("Usage: ")]
                text = self.help(*name.split())
                self.assertEqual([line for line in text.splitlines() if not line.startswith("Usage: ")], without_usage)
                self.assertIn(f"Usage: perdure {name} ", text)

    def test_keys(self):
        self.assertEqual(self.help("solver.norm"), "solver.norm: l2 or max (default: l2)\n    norm of the residual\n")
        self.assertEqual(self.help("grid.shape"), "grid.shape: list of 1 to 3 whole numbers (default: that of a coefficient from a dataset)\n    cells along each axis\n")
        self.assertIn("solver.rtol: ", self.help("rtol"))
        self.assertIn("time.rtol: ", self.help("rtol"))
        self.assertEqual(self.help("boundary.x-.flux"), self.help("boundary.SIDE.flux"))
        self.assertIn("VALUE.file: file name\n", self.help("problem.a.file"))
        for key in ("boundary.SIDE.flux: ", "watch.integrals.NAME.flux: ", "watch: {integrals: {loss: {flux: x+}}}"):
            self.assertIn(key, self.help("flux").replace("\n    ", " "))
        grid = self.help("grid")
        self.assertEqual(re.findall(r"^[a-z.]+", grid, re.MULTILINE), ["grid", "grid.shape", "grid.spacing", "grid.length", "grid.origin"])
        for line in self.help("time").splitlines():
            self.assertLessEqual(len(line), 200)

    def test_every_key_is_a_topic(self):
        keys = re.findall(r"^\| `([A-Za-z_.]+)` \| ", perdure("keys").stdout, re.MULTILINE)
        keys = [key for key in keys if key not in ("diffusion", "heat", "wave", "system", "effective")]
        self.assertGreater(len(keys), 100)
        for key in keys:
            with self.subTest(key):
                self.assertTrue(self.help(key).startswith(f"{key}: "))

    def test_types_functions_and_codes(self):
        self.assertIn("div(a grad u) - sigma u + f\n    perdure new --type heat case.yaml", self.help("heat"))
        self.assertEqual(self.help("lap").splitlines()[0], "lap(u): the Laplacian")
        self.assertIn("watch.integrals.NAME.min: formula", self.help("min"))
        self.assertIn("min(a, b, ...): the smallest argument", self.help("min"))
        self.assertIn("mod(a, b) ", self.help("formulas"))
        self.assertIn("75 stopped", self.help("exit-codes"))
        self.assertIn(self.help("exit-codes"), perdure("--help").stdout)

    def test_subjects(self):
        """Each names keys that are there and an example that can be written, under each of its names."""
        listed = perdure("help").stdout
        subjects = re.search(r"^  (dirichlet, (?:.|\n)*?):\s+what\s+perdure\s+has\s+for\s+these$", listed, re.MULTILINE).group(1)
        subjects = re.split(r",\s+", subjects)
        self.assertGreater(len(subjects), 15)
        examples = perdure("new", "--list").stdout
        for subject in subjects:
            with self.subTest(subject):
                text = self.help(subject)
                self.assertTrue(text.startswith(f"{subject}: "), text)
                keys = re.findall(r"^  keys      (.*)$", text, re.MULTILINE)
                for key in keys[0].split(", ") if keys else []:
                    self.assertIn(f"{key}: ", self.help(key), key)
                for example in re.findall(r"^  example   perdure new --example (\w+)$", text, re.MULTILINE):
                    self.assertRegex(examples, rf"(?m)^{example} ")
                    with tempfile.TemporaryDirectory() as folder:
                        case = os.path.join(folder, "case.yaml")
                        self.assertEqual(perdure("new", "--example", example, case).returncode, 0)
                        with open(case, encoding="utf-8") as file:
                            written = file.read()
                    words = [key.split(".")[-1] for key in keys[0].split(", ")] if keys else ["sweep"]
                    self.assertTrue(any(f"{word}:" in written for word in words), f"{example} shows none of {words}")
                self.assertTrue(keys or "sweep" == subject)
                self.assertRegex(text, r"(?m)^  (command|example)   ")
                self.assertLessEqual(max(map(len, text.splitlines())), 120)
        self.assertEqual(self.help("hpc"), self.help("slurm"))
        self.assertEqual(self.help("restart"), self.help("resume"))
        self.assertIn("sweep.NAME.from: ", self.help("sweep"))  # the keys of a section follow

    def test_no_topic(self):
        done = perdure("help", "sovler.rtol")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "error: help: there is no topic 'sovler.rtol'; did you mean 'solver.rtol'?\n  perdure help lists the topics\n")
        self.assertEqual(perdure("help", "bench", "snyc").returncode, 2)

    def test_the_manual_page_has_every_command_and_option(self):
        page = self.help("--man")
        plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        for name in commands():
            section = plain.split(f'.SS "{name}"\n')[1].split(".SS ")[0]
            options = re.findall(r"^ +(?:-[a-z],)?(--[a-z-]+)", perdure(*name.split(), "--help").stdout, re.MULTILINE)
            for option in options:
                if option != "--help":
                    self.assertRegex(section, rf"\.TP\n(-[a-z], )?{option}[ \n\[]", name)

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "needs man and groff")
    def test_man_shows_the_page_without_warnings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "perdure.1")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.help("--man"))
            environment = {**os.environ, "MANWIDTH": "200", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""}
            done = subprocess.run(["man", "--warnings", "-P", "cat", "-l", path], env=environment, capture_output=True, text=True,
                                  timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertIn("perdure run inputs/heated_plate.yaml --output results --force", re.sub(".\b", "", done.stdout))


if __name__ == "__main__":
    unittest.main()
