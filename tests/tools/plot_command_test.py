"""`perdure plot` on results of the program: plot_command_test.py PERDURE. Exits with 77 without matplotlib or h5py."""
import base64
import contextlib
import html.parser
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import plot_samples  # noqa: F401 (where the package is)
    from plotting import command
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

PERDURE = os.path.abspath(sys.argv.pop())
CASE = """
title: A plate <cooled>
problem: {type: diffusion, a: 1.0, f: 1.0}
grid: {shape: [8, 16], spacing: 0.125}
boundary: {x-: {value: 0.0}, x+: {exchange: {coefficient: 1.0, ambient: 0.0}}}
sweep: {boundary.x+.exchange.coefficient: [0.5, 2.0]}
solver: {method: cg, preconditioner: jacobi, rtol: 1.0e-8, check_every: 1}
execution: {backend: host}
output: {directory: results, fields: [u, flux], units: K}
"""
LOWER, UPPER = (f"plate-boundary.x+.exchange.coefficient-{value}" for value in ("0.5", "2"))
SYSTEM = """
title: Decay
problem: {type: system, fields: {c: {initial: 1.0, exact: exp(-t)}}, equations: {c: -c}}
grid: {shape: [4, 4], spacing: 0.25}
watch: {every: 0.1, integrals: {mass: {sum: c}}}
time: {end: 1.0, dt: 0.1, method: rk4, snapshots: [0.5, 1.0]}
solver: {check_every: 1}
execution: {backend: host}
output: {directory: results}
"""


class Page(html.parser.HTMLParser):
    """What a screen reader is told: headings, pictures and their words, cells of tables."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.pictures, self.cells, self.links, self.anchors, self.open = [], [], [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in ("meta", "img"):
            self.open.append(tag)
        if tag == "img":
            self.pictures.append(attributes)
        if tag == "a":
            self.links.append(attributes["href"])
        if "id" in attributes:
            self.anchors.add(attributes["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and re.fullmatch("h[1-6]", self.open[-1]):
            self.headings.append((int(self.open[-1][1]), data))
        if "table" in self.open and data.strip():
            self.cells.append(data)


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        for name, text in (("plate", CASE), ("decay", SYSTEM)):
            with open(cls.path(f"{name}.yaml"), "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run([PERDURE, "run", f"{name}.yaml", "--quiet"], cwd=cls.folder, check=True, timeout=300)
        cls.environment = {**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.folder, *names)

    def perdure(self, *words, **environment):
        return subprocess.run([PERDURE, *words], cwd=self.folder, env={**self.environment, **environment}, capture_output=True, text=True,
                              timeout=120, check=False)

    def plot(self, *words):
        """In this process: exit code, what was printed, what was said."""
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            code = command.main(list(words))
        return code, printed.getvalue(), said.getvalue()

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_the_program_finds_its_package(self):
        done = self.perdure("plot", f"results/{LOWER}.vtkhdf", "--line", "x", "--format", "svg")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"results/{LOWER}_line.svg\n", ""))
        drawn = self.read(f"results/{LOWER}_line.svg").decode()
        for words in (">u [K]<", ">x<", ">y = 0.5625<", "A plate &lt;cooled&gt;"):
            self.assertIn(words, drawn)

    def test_without_python(self):
        done = self.perdure("plot", f"results/{LOWER}.vtkhdf", PATH=self.folder)
        self.assertEqual(done.returncode, 6)
        self.assertIn("plot needs python3, which cannot be started", done.stderr)
        self.assertIn("install it with: sudo apt-get install python3 python3-h5py python3-matplotlib", done.stderr)

    def test_help_completion_and_manual_have_every_option(self):
        options = sorted(name for action in command.read_options.__globals__["make_parser"]()._actions for name in action.option_strings
                         if name not in ("-h", "--help"))
        self.assertGreater(len(options), 30)
        offered = [line.split("\t")[0] for line in self.perdure("__complete", "plot", "--").stdout.splitlines()[1:]]
        self.assertEqual(sorted(offered), sorted([*options, "--help"]))
        self.assertEqual(self.perdure("__complete", "plot", "--scale", "l").stdout, "words\nlinear\nlog\n")
        manual = self.perdure("help", "--man").stdout.replace("\\-", "-")
        helped = self.perdure("plot", "--help", PATH=self.folder).stdout
        for name in options:
            self.assertIn(f"\\fB{name}\\fR", manual)
            self.assertRegex(helped, f"(?m)^  {name} ")
        self.assertIn("perdure plot a.vtkhdf b.vtkhdf --difference", helped)

    def test_formats(self):
        result = self.path("results", f"{LOWER}.vtkhdf")
        for end, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
            code, printed, _ = self.plot(result, "--history", "--no-title", "--output", self.path(f"figure{end}"))
            self.assertEqual((code, printed), (0, self.path(f"figure{end}") + "\n"))
            self.assertTrue(self.read(f"figure{end}").startswith(begin))
        self.assertNotIn(b"A plate", self.read("figure.svg"))
        again = self.read("figure.pdf")
        self.plot(result, "--history", "--no-title", "--output", self.path("figure.pdf"))
        self.assertEqual(self.read("figure.pdf"), again)

    def test_exit_codes_and_messages(self):
        result, table = self.path("results", f"{LOWER}.vtkhdf"), self.path("results", "plate_summary.csv")
        for words, code, message in [
                ([self.path("none.vtkhdf")], 6, "error: there is no file '"),
                ([table], 6, "is a table; draw the table of a sweep with --sweep, --orders or --report"),
                ([self.path("results", "plate_summary.h5")], 6, "is a table; draw it with --sweep, --orders or --report"),
                ([self.path("plate.yaml")], 6, "plate.yaml' is a case file; run it with `perdure run "),
                ([result, "--output", self.path("figure.gif")], 2, "pictures are written as png, pdf or svg"),
                ([result, "--line", "x", "--contours", "3"], 2, "--contours does not belong to --line; it belongs to planes, --difference, --film"),
                ([result, "--log"], 2, "planes have --scale log"),
                ([table, table, "--sweep"], 2, "give one table"),
                ([result, "--report", self.path("page.pdf")], 2, "end its name with .html"),
                ([result, "--history", "--output", self.path("no", "such.png")], 6, "such.png' cannot be read or written: No such file"),
                ([], 2, "give a FILE"),
                ([result, "--scale", "pink"], 2, "--scale: invalid choice: 'pink'")]:
            with self.subTest(message):
                done = self.plot(*words)
                self.assertEqual(done[0], code, done)
                self.assertIn(message, done[2])

    def test_a_page_of_a_sweep_and_a_run(self):
        code, printed, said = self.plot(self.path("results", "decay.vtkhdf"), self.path("results", "plate_summary.h5"), "--report",
                                        self.path("page.html"))
        self.assertEqual((code, printed, said), (0, self.path("page.html") + "\n", ""))
        text = self.read("page.html").decode()
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertEqual([words for level, words in page.headings if level < 3],
                         ["Decay (decay) and 3 more", "Decay (decay)", "Sweep plate", f"A plate <cooled> ({LOWER}: boundary.x+.exchange.coefficient = 0.5)",
                          f"A plate <cooled> ({UPPER}: boundary.x+.exchange.coefficient = 2)"])
        levels = [level for level, _ in page.headings]
        self.assertTrue(all(below - above <= 1 for above, below in zip(levels, levels[1:])), levels)
        self.assertEqual({link[1:] for link in page.links} - page.anchors, set())
        self.assertEqual(len(page.links), 6)  # of the contents, and of the table to its members
        self.assertNotRegex(re.sub(r'src="data:[^"]*"', "", text), r"(src|href)=\"(?!#)|url\(|@import|<script")
        for picture in page.pictures:
            kind, data = re.fullmatch("data:image/(png|svg[+]xml);base64,(.*)", picture["src"]).groups()
            self.assertTrue(base64.b64decode(data).startswith(b"\x89PNG" if kind == "png" else b"<?xml"))
            self.assertGreater(len(picture["alt"]), 20)
        words = [picture["alt"] for picture in page.pictures]
        self.assertIn("Picture of a field: c lies between 0.6065 and 0.6065 at time 0.5; c lies between 0.3679 and 0.3679 at time 1", words)
        self.assertIn("Curves through time. error_L1_c ends at", "".join(words))
        self.assertIn("mass ends at 0.3679", "".join(words))
        self.assertTrue(any(alt.startswith("Curve of outcome.mean_u against boundary.x+.exchange.coefficient, from ") for alt in words))
        self.assertEqual(text.count('<p class="outcome">converged (rtol)</p>'), 2)
        for cell in ("launch", "plan", "total_seconds", "cg", "8 x 16 cells, y, x", "0.5"):
            self.assertIn(cell, page.cells)
        self.assertIn("problem: {type: system, fields: {c: {initial: 1.0, exact: exp(-t)}}", text)

    def test_the_coefficient_of_a_case_between_two_values(self):
        """Its report has one direction, by the sides of the case."""
        with open(self.path("wall.yaml"), "w", encoding="utf-8") as file:
            file.write("problem: {type: diffusion, a: {expression: 1 + 3*(x > 4)}}\ngrid: {shape: [4, 8]}\n"
                       "boundary: {x-: {value: 1}, x+: {value: 0}}\nexecution: {backend: host}\n")
        self.assertEqual(self.perdure("run", "wall.yaml", "--quiet").returncode, 0)
        result = self.path("results", "wall.vtkhdf")
        self.assertEqual(self.plot(result, "--report", self.path("wall.html"))[0], 0)
        page = Page(self.read("wall.html").decode())
        table = page.cells.index("direction")
        self.assertEqual(page.cells[table:table + 7], ["direction", "coefficient", "tortuosity", "inflow", "outflow", "x", "1.6"])
        headings = [words for level, words in page.headings if level == 3]
        self.assertLess(headings.index("Effective properties"), headings.index("Fields"))
        self.assertEqual(self.plot(result, "--history", "--output", self.path("wall.png"))[0], 0)


if __name__ == "__main__":
    unittest.main()
