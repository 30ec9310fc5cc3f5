"""run_test_programs_test.py TOOL: counts, failures, crashes and the limit of a tree with five small programs."""
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = {
    "good_test": "echo '[       OK ] Good.One (1 ms)'; echo '[  SKIPPED ] Good.Two (0 ms)'",
    "bad_test": "echo 'x.cpp:1: Failure'; echo 'the reason'; echo '[  FAILED  ] Bad.One (3 ms)'; exit 1",
    "crashing_test": "echo '[       OK ] Crashing.One (1 ms)'; kill -SEGV $$",
    "silent_test": "true",
    "endless_test": "sleep 60 & wait",
}


def main():
    tool = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        build = pathlib.Path(folder)
        entries = ['add_test(plain "true")', 'add_test(broken "false")']
        for name, text in PROGRAMS.items():
            program = build / name
            program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            program.chmod(0o755)
            for test in ("One", "Two"):
                entries.append(f'add_test(Suite_{name}.{test} "{program}" "--gtest_filter=Suite.{test}")')
        (build / "CTestTestfile.cmake").write_text("\n".join(entries), encoding="utf-8")
        result = build / "tests.txt"
        run = subprocess.run([tool, str(build), str(result), "tests", "--limit", "3", "--at-once", "6"], capture_output=True, text=True,
                             timeout=60, check=False)
        text = result.read_text(encoding="utf-8")
        print(run.stdout + run.stderr + text)
        assert run.returncode == 1
        assert text.splitlines()[-1] == "3 passed, 5 failed, 1 skipped", "good, crashing, plain; bad, crashing, silent, endless, broken"
        for part in ("the reason", "ended with -11", "ran no test", "did not end in time", "FAILED entries of CTest"):
            assert part in text, part
        none = subprocess.run([tool, str(build / "nothing"), str(result)], capture_output=True, text=True, check=False)
        assert none.returncode != 0


main()
