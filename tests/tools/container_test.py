"""container_test.py PERDURE: what the recipe of a container, tools/perdure.def, copies exists, CMake knows what it sets, and its test passes.

tools/check_long container builds it.
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PERDURE = os.path.abspath(sys.argv.pop())
RECIPE = (ROOT / "tools" / "perdure.def").read_text(encoding="utf-8")
SECTIONS = {words.split("\n", 1)[0].strip(): words.split("\n", 1)[1] for words in re.split(r"^%", RECIPE, flags=re.MULTILINE)[1:]}


class Container(unittest.TestCase):
    def test_files(self):
        copied = [line.split() for line in SECTIONS["files"].splitlines() if line.strip()]
        for source, target in copied:
            self.assertTrue((ROOT / source).exists(), source)
            self.assertEqual(target, f"/opt/perdure/{source}")
        read = re.findall(r"add_subdirectory\((\w+)\)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.assertEqual(set(read) - {"tests"} - {source for source, _ in copied}, set())  # the tests are not built

    def test_options(self):
        given = re.findall(r"-D (\w+)=", SECTIONS["post"])
        self.assertIn("PERDURE_CUDA", given)
        cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        for name in given:
            self.assertTrue(name.startswith("CMAKE_") or re.search(rf"\b{name}\b", cmake), name)
        used = set(re.findall(r"{{ (\w+) }}", RECIPE))
        self.assertEqual(used, set(re.findall(r"^ +(\w+)=", SECTIONS["arguments"], re.MULTILINE)))

    def test_its_own_test_and_what_it_runs(self):
        environment = {**os.environ, "PATH": os.path.dirname(PERDURE) + os.pathsep + os.environ["PATH"]}
        done = subprocess.run(["bash", "-c", SECTIONS["environment"] + SECTIONS["test"]], env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("complete", done.stdout)
        done = subprocess.run(["bash", "-c", SECTIONS["runscript"], "runscript", "--version"], env=environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertRegex(done.stdout, r"^perdure \d+\.\d+")


if __name__ == "__main__":
    unittest.main()
