"""time_spent_test.py PERDURE: where a run says its wall time went - last line, --json, attributes of /report, info. On host threads."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

PERDURE = sys.argv.pop()
PARTS = [f"{part}_seconds" for part in ("start", "read", "sample", "plan", "compile", "upload", "launch", "download", "compress",
                                        "write", "other")]
CASE = """
problem: {type: diffusion, a: "1.5 + sin(7*x)*cos(5*y)", f: 1}
solver: {rtol: 1.0e-2}
grid: {shape: [64, 64, 64], spacing: 0.1}
boundary: {x-: {value: 0}}
execution: {backend: host, groups: 1}
"""


class TimeSpent(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_case(self, text, *options):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        begin = time.monotonic()
        done = subprocess.run([PERDURE, "run", "case.yaml", *options], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              check=True)
        return done.stdout, time.monotonic() - begin

    def until(self, holds, measure):
        """What `measure` returns, once it holds or for the fifth time: others who use the machine hold up a thread now and then."""
        for _ in range(5):
            found = measure()
            if holds(*found):
                break
        return found

    def test_parts_add_up_to_the_time_of_the_process(self):
        def measure():
            text, wall = self.run_case(CASE, "--json", "--force")
            return json.loads(text), wall

        report, wall = self.until(lambda report, wall: report["total_seconds"] > 0.5 * wall and
                                  abs(report["launch_seconds"] - report["device_seconds"]) < 0.1, measure)
        self.assertAlmostEqual(sum(report[part] for part in PARTS), report["total_seconds"], delta=1e-9)
        self.assertLess(report["total_seconds"], wall + 0.01)
        self.assertGreater(report["total_seconds"], 0.5 * wall)
        for part in ("start_seconds", "read_seconds", "sample_seconds", "plan_seconds", "upload_seconds", "download_seconds",
                     "write_seconds"):
            self.assertGreater(report[part], 0, part)
        self.assertEqual(report["compile_seconds"], 0)
        self.assertAlmostEqual(report["launch_seconds"], report["device_seconds"], delta=0.1)
        self.assertGreater(report["launch_seconds"], 0)
        self.assertEqual(report["compress_seconds"], 0)  # that is done by other threads, for which the run waits
        for part in ("compress_background_seconds", "write_background_seconds"):
            self.assertGreater(report[part], 0, part)

    def test_the_last_line_says_it(self):
        text, wall = self.run_case(CASE)
        line = text.splitlines()[-1]
        self.assertRegex(line, r"^  time       [\d.e-]+ s on the device, [\d.e-]+ s in total: ")
        in_total = float(re.search(r"([\d.e-]+) s in total", line)[1])
        parts = [float(number) for number in re.findall(r"[a-z] ([\d.e-]+)", line.split(" in total: ")[1].split(";")[0])]
        self.assertAlmostEqual(sum(parts), in_total, delta=0.06 * in_total)  # parts below 0.5 % are left out
        self.assertLess(in_total, wall + 0.01)

    def test_the_file_has_the_time_until_its_result_was_handed_over(self):
        report = json.loads(self.run_case(CASE, "--json")[0])
        result = self.folder / "results" / "case.vtkhdf"
        with h5py.File(result) as file:
            found = dict(file["report"].attrs)
        self.assertAlmostEqual(sum(found[part] for part in PARTS), found["total_seconds"], delta=1e-9)
        self.assertGreater(found["compress_background_seconds"], 0.01)  # 2 MiB were compressed before the report was written
        self.assertLessEqual(found["compress_background_seconds"], report["compress_background_seconds"])
        self.assertGreater(found["write_background_seconds"], 0)
        self.assertLess(found["total_seconds"], report["total_seconds"])  # which includes the wait for the file
        self.assertGreater(report["write_seconds"], found["write_seconds"])
        self.assertEqual(json.loads(found["json"])["write_seconds"], found["write_seconds"])
        info = subprocess.run([PERDURE, "info", result], capture_output=True, text=True, check=True).stdout
        self.assertRegex(info, r"\n  write_seconds +0\.\d+\n")

    def test_each_case_of_a_batch_and_the_batch(self):
        text, wall = self.run_case(CASE + "sweep: {problem.f: [1, 2, 3]}\n", "--set", "grid.shape=[8, 8, 8]")
        of_cases = [float(number) for number in re.findall(r"on the device, ([\d.e-]+) s in total", text)]
        self.assertEqual(len(of_cases), 3)
        found = re.fullmatch(r"3 cases: ([\d.e-]+) s in total: .*", text.splitlines()[-1])
        self.assertLess(sum(of_cases), float(found[1]))
        self.assertLess(float(found[1]), wall + 0.01)

    def test_what_is_written_behind_the_next_case_counts_for_its_own_case(self):
        def measure():
            text, _ = self.run_case(CASE + "sweep: {grid.shape: [[96, 96, 96], [8, 8, 8]]}\n", "--json", "--force", "--set",
                                    "solver.preconditioner=multigrid")
            return [json.loads(line) for line in text.splitlines()]

        large, small = self.until(lambda large, small: small["compress_background_seconds"] <
                                  0.1 * large["compress_background_seconds"], measure)
        self.assertGreater(large["compress_background_seconds"], 0.02)  # 7 MiB
        self.assertLess(small["compress_background_seconds"], 0.1 * large["compress_background_seconds"])
        for report in (large, small):
            self.assertAlmostEqual(sum(report[part] for part in PARTS), report["total_seconds"], delta=1e-9)

    def test_a_batch_opens_its_device_once(self):
        reports = []
        for _ in range(3):
            text, _ = self.run_case(CASE + "sweep: {problem.f: [1, 2, 3]}\n", "--json", "--force", "--set", "grid.shape=[8, 8, 8]")
            reports.append([json.loads(line)["start_seconds"] for line in text.splitlines()])
        first, *others = [min(times) for times in zip(*reports)]
        self.assertEqual(len(others), 2)
        self.assertLess(max(others), 0.5 * first)


if __name__ == "__main__":
    unittest.main()
