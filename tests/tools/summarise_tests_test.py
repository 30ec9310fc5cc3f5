"""What tools/summarise_tests prints for results as ctest writes them."""
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).parents[2] / "tools" / "summarise_tests"

RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux" tests="6" failures="1" disabled="0" skipped="4">
<testcase name="A.passes" status="run"><system-out>1.00 passed</system-out></testcase>
<testcase name="A.fails" status="fail"><failure message="Failed"/><system-out>expected 2, got 3</system-out></testcase>
<testcase name="G.one" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] G.one
g_test.cpp:7: Skipped
no CUDA device

[  SKIPPED ] G.one (0 ms)
</system-out></testcase>
<testcase name="G.two" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>g_test.cpp:9: Skipped
no CUDA device
</system-out></testcase>
<testcase name="script" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>no h5py
</system-out></testcase>
<testcase name="absent" status="notrun"><skipped message="Unable to find executable"/><system-out/></testcase>
</testsuite>
"""


def summarise(*arguments):
    finished = subprocess.run([str(PROGRAM), *arguments], capture_output=True, text=True, check=False)
    return finished.returncode, finished.stdout.splitlines()


class SummariseTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text):
        path = pathlib.Path(self.folder.name) / "tests.xml"
        path.write_text(text)
        return f"dev={path}"

    def test_counts_reasons_and_failures(self):
        code, lines = summarise(self.write(RESULTS))
        self.assertEqual(code, 1)
        self.assertEqual(lines[-1], "1 passed, 2 failed, 3 skipped")
        self.assertIn("no CUDA device: 2 tests skipped", lines)
        self.assertIn("no h5py: 1 test skipped", lines)
        self.assertIn("FAILED dev: A.fails", lines)
        self.assertIn("  expected 2, got 3", lines)
        self.assertIn("FAILED dev: absent", lines)
        self.assertIn("  Unable to find executable", lines)

    def test_missing_results_are_a_failure(self):
        code, lines = summarise(f"tsan={self.folder.name}/none.xml")
        self.assertEqual(code, 1)
        self.assertEqual(lines[-1], "0 passed, 1 failed, 0 skipped")

    def test_all_passed(self):
        passed = RESULTS.splitlines()[:3]
        code, lines = summarise(self.write("\n".join([*passed, "</testsuite>"])))
        self.assertEqual((code, lines[-1]), (0, "1 passed, 0 failed, 0 skipped"))


if __name__ == "__main__":
    unittest.main()
