"""Runs perdure with fault_shim: counts its system calls on results, and disturbs one of them."""

import collections
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

Call = collections.namedtuple("Call", "number name path")
TIME_LIMIT = 120  # seconds; a run takes a tenth of one


class Program:
    """`perdure` in `folder`, whose results are in `folder`/results. `always`: settings of the shim for every run."""

    def __init__(self, perdure, shim, folder, always=None):
        self.perdure, self.shim, self.folder, self.always = perdure, shim, folder, always or {}

    def _environment(self, faults):
        environment = dict(os.environ, HOME=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"), OMP_NUM_THREADS="1")
        if faults or self.always:
            environment.update(LD_PRELOAD=str(self.shim), FAULT_FOLDER=str(self.folder / "results"))
            environment.update({f"FAULT_{key.upper()}": str(value) for key, value in {**self.always, **faults}.items()})
        return environment

    def start(self, *arguments, **faults):
        """Starts `perdure run`; `faults` are the variables of fault_plan.h in small letters, without FAULT_."""
        return subprocess.Popen([self.perdure, "run", *arguments], cwd=self.folder, env=self._environment(faults),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments, **faults):
        return finish(self.start(*arguments, **faults))

    def calls(self, *arguments):
        """The calls of an undisturbed run."""
        trace = self.folder / "trace"
        trace.unlink(missing_ok=True)
        done = self.run(*arguments, trace=trace)
        calls = [Call(int(number), name, path) for number, name, path in
                 (line.split(" ", 2) for line in trace.read_text(encoding="utf-8").splitlines())]
        trace.unlink()
        return done, calls


def finish(process):
    """Waits for a process that Program.start() began. One that hangs is an error."""
    try:
        output, errors = process.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)
