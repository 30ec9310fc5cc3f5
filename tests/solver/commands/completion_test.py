"""completion_test.py PERDURE: shells complete command lines of perdure with the scripts that `perdure completion` prints."""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PERDURE = os.path.abspath(sys.argv.pop())


class Completion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.symlink(PERDURE, self.path("perdure"))
        os.makedirs(self.path("work", "cases", "deep"))
        for name in ("plate.yaml", "wall.yml", "plate.h5", "notes.txt", "my case.yaml", os.path.join("cases", "one.yaml")):
            with open(self.path("work", name), "w", encoding="utf-8") as file:
                file.write("")
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": self.folder, "TERM": "dumb"}

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_in(self, *words):
        done = subprocess.run(words, cwd=self.path("work"), env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def in_bash(self, line):
        """What bash offers; it takes words apart at =, as here."""
        words = []
        for word in line.split(" "):
            parts = word.replace("=", "\0=\0").split("\0")
            words += [part for part in parts if part] + ([""] if parts[-1] == "" and len(parts) > 1 else []) or [""]
        script = (f'source <(perdure completion bash); COMP_WORDS=("$@"); COMP_CWORD={len(words) - 1}; '
                  '_perdure perdure "${COMP_WORDS[COMP_CWORD]}"; printf "%s\\n" "${COMPREPLY[@]}"')
        return sorted(self.run_in("bash", "--norc", "-c", script, "bash", *words).split("\n")[:-1])

    def in_fish(self, line):
        text = self.run_in("fish", "--no-config", "-c", "perdure completion fish | source; complete -C $argv[1]", line)
        return sorted(row.split("\t")[0] for row in text.splitlines())

    def expected(self):
        """Lines and what may stand in the place of the last word."""
        commands = ["bench", "compare", "completion", "devices", "help", "info", "kernels", "keys", "litmus", "new", "plot", "run", "schema", "table",
                    "validate",
                    "verify"]
        yield "perdure ", commands
        yield "perdure ve", ["verify"]
        yield "perdure bench ", ["sync"]
        yield "perdure bench sync --gro", ["--group-size", "--groups"]
        yield "perdure run --t", ["--table", "--take-over", "--time-limit"]
        yield "perdure run --table ", ["order"]
        yield "perdure new --type ", ["diffusion", "effective", "heat", "system", "wave"]
        yield "perdure new --example sh", ["shock_tube"]
        yield "perdure new --example effective_t", []  # needs a file that is not there
        yield "perdure kernels --precision float", ["float32", "float64"]
        yield "perdure compare plate.yaml --models graph", ["graph", "graph_while"]
        yield "perdure compare plate.yaml --models launches,res", ["launches,resident"]
        yield "perdure help exit", ["exit-codes"]
        yield "perdure help solver.m", ["solver.max_iterations", "solver.method", "solver.multigrid", *("solver.multigrid." + key for key in
            ("cycle", "direct_level", "smoother", "start", "sweeps"))]
        yield "perdure completion ", ["bash", "fish", "zsh"]
        yield "perdure run plate.yaml --set solver.n", ["solver.norm="]
        yield "perdure run --set boundary.x-.exchange.", ["boundary.x-.exchange.ambient=", "boundary.x-.exchange.coefficient="]
        yield "perdure run --set grid", ["grid.length=", "grid.origin=", "grid.shape=", "grid.spacing="]  # of a map nothing is set as a whole
        yield "perdure nothing_like_it --z", []

    def in_files(self):
        yield "perdure run pl", ["plate.yaml"]
        yield "perdure run w", ["wall.yml"]
        yield "perdure run cases/o", ["cases/one.yaml"]
        yield "perdure run --set solver.rtol=1e-4 -- pl", ["plate.yaml"]
        yield "perdure run -q pl", ["plate.yaml"]
        yield "perdure info pl", ["plate.h5", "plate.yaml"]
        yield "perdure run --output n", []

    def test_bash(self):
        for line, offered in [*self.expected(), *self.in_files()]:
            with self.subTest(line):
                self.assertEqual(self.in_bash(line), offered or [""])
        self.assertEqual(self.in_bash("perdure run --set solver.norm="), ["l2", "max"])  # behind the =, which bash keeps
        self.assertEqual(self.in_bash("perdure run --set solver.norm=m"), ["max"])
        self.assertEqual(self.in_bash("perdure run --json=pl"), ["plate.h5", "plate.yaml"])
        self.assertEqual(self.in_bash("perdure run c"), ["cases"])
        self.assertEqual(self.in_bash("perdure run --output c"), ["cases"])

    @unittest.skipUnless(shutil.which("fish"), "needs fish")
    def test_fish(self):
        for line, offered in [*self.expected(), *self.in_files()]:
            with self.subTest(line):
                self.assertEqual(self.in_fish(line), offered)
        self.assertEqual(self.in_fish("perdure run --set solver.norm=m"), ["solver.norm=max"])
        self.assertEqual(self.in_fish("perdure run --json=pl"), ["--json=plate.h5", "--json=plate.yaml"])
        self.assertEqual(self.in_fish("perdure run c"), ["cases/"])
        self.assertEqual(self.in_fish("perdure run --output c"), ["cases/"])

    def typed(self, shell, prepare, keys, wanted):
        """Types into a terminal until the text appears in it, whose end a backspace takes away."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.path("work"))
            os.execvpe(shell[0], shell, self.environment)
        seen = b""

        def shown():
            text = seen
            while b"\b" in text[1:]:
                at = text.index(b"\b", 1)
                text = text[:at - 1] + text[at + 1:]
            return text

        def read_until(text, seconds):
            nonlocal seen
            end = time.monotonic() + seconds
            while text not in shown() and time.monotonic() < end:
                if select.select([terminal], [], [], 0.1)[0]:
                    try:
                        seen += os.read(terminal, 4096)
                    except OSError:
                        break
            return text in shown()

        try:
            os.write(terminal, prepare.encode() + b"; echo rea''dy\n")
            self.assertTrue(read_until(b"ready", 30), seen)
            seen = b""
            os.write(terminal, keys.encode())
            self.assertTrue(read_until(wanted.encode(), 15), seen)
        finally:
            os.close(terminal)
            os.waitpid(child, 0)

    def test_bash_in_a_terminal(self):
        shell = ["bash", "--norc", "--noprofile", "-i"]
        for keys, wanted in (("perdure vali\tpl\t", "perdure validate plate.yaml"), ("perdure run --set solver.nor\tm\t", "solver.norm=max"),
                             ("perdure run --json=no\t", "--json=notes.txt"), ("perdure run ca\to\t", "run cases/one.yaml"),
                             ("perdure run m\t", "run my\\ case.yaml"), ("perdure run my\\ \t", "run my\\ case.yaml")):
            with self.subTest(keys):
                self.typed(shell, "source <(perdure completion bash)", keys, wanted)

    @unittest.skipUnless(shutil.which("zsh"), "needs zsh")
    def test_zsh_in_a_terminal(self):
        prepare = "autoload -Uz compinit; compinit -D -u; source <(perdure completion zsh)"
        for keys, wanted in (("perdure vali\tpl\t", "perdure validate plate.yaml"), ("perdure run --set solver.nor\tm\t", "solver.norm=max"),
                             ("perdure run --json=no\t", "--json=notes.txt"), ("perdure run ca\to\t", "run cases/one.yaml"),
                             ("perdure new --example gray\t", "gray_scott"), ("perdure bench \t", "bench sync"),
                             ("perdure run m\t", "run my\\ case.yaml"),
                             ("perdure run --ta\t", "print another table")):
            with self.subTest(keys):
                self.typed(["zsh", "-f", "-i"], prepare, keys, wanted)

    def test_the_scripts_are_sound(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.path(f"script.{shell}")
            with open(script, "w", encoding="utf-8") as file:
                file.write(self.run_in("perdure", "completion", shell))
            if shutil.which(shell):
                self.run_in(shell, "-n", script)
        done = subprocess.run([PERDURE, "completion", "bsh"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("completion: expected bash, zsh or fish, found 'bsh'; did you mean 'bash'?", done.stderr)


if __name__ == "__main__":
    unittest.main()
