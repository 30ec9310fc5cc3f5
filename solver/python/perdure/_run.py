"""perdure.run(): one case from its text to its answer."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xarray

from . import _solver
from ._case import Case, overrides_of, prepare
from ._dataset import to_dataset
from ._errors import error_of, error_of_failure, warn_of
from ._progress import ProgressOption, Watcher

_solver.use_helper(str(Path(__file__).with_name("perdure_helper")))
atexit.register(_solver.end_runs)


def version() -> str:
    """The version of perdure, such as "0.1.0"."""
    return _solver.version()


def built_with() -> str:
    """The back ends that this package has, such as "CUDA yes, OpenCL no"; host threads are always there."""
    return _solver.built_with()


def run_raw(
    case: Case,
    overrides: Mapping[str, Any],
    *,
    progress: ProgressOption,
    write: bool,
    force: bool,
    name: str,
    folder: str | os.PathLike[str] | None,
) -> dict[str, Any]:
    """What the solver gives, as _solver.pyi describes it. Raises perdure.Error where there is no answer."""
    prepared = prepare(case, overrides, name, folder)
    watcher = Watcher(progress)
    try:
        outcome = _solver.run(
            prepared.text, prepared.path, prepared.overrides, prepared.arrays, write, force, watcher.callback
        )
    finally:
        watcher.end()
    if "failure" in outcome:
        raise error_of_failure(outcome["failure"])
    found: dict[str, Any] = outcome["run"]
    return found


def run(
    case: Case,
    overrides: Mapping[str, Any] | None = None,
    /,
    *,
    progress: ProgressOption = None,
    write: bool = False,
    force: bool = False,
    check: bool = True,
    name: str = "case",
    folder: str | os.PathLike[str] | None = None,
    **keywords: Any,
) -> xarray.Dataset:
    """Runs a case in this process and returns its fields, what it watched, its history, and in the attributes its report.

    `case` is a dict, the path of a YAML file, or a YAML text. In a dict an array stands wherever a case file names a dataset: as the
    value itself, or as `{"array": image, "labels": {0: 1.0, 1: 0.0}}`.

    `overrides` are those of `perdure run --set`, by dotted keys; as keywords two underscores stand for a dot: `solver__rtol=1e-6`.

    `progress` is True for a line on standard error, or a function that is called with a perdure.Progress some times a second; what it
    raises stops the run and is raised here. So does KeyboardInterrupt, at the next check of the run.

    With `write` the run also writes the files that the command would write (output.directory, output.name), and with `force` it
    replaces those of an earlier run. Without it nothing is written.

    A run that ends without an answer raises a perdure.Error: CaseError with file, line and column, InputDataError, DidNotConverge,
    Diverged and others. Where the run has left a field it is the `result` of the exception. With `check=False` such a result is
    returned; its attributes `exit_code` and `stop_reason` say how the run ended.

    Where two have one name, a field goes before a line of points and this before a variable that was watched: the later one is
    `line_NAME` or `series_NAME`. A field named as something that perdure adds, such as `time`, is `field_NAME`.

    `name` is what messages and files call a case that is no file, and files that such a case names are looked for in `folder`.

    Arrays are read where they lie in host memory if they are of C order and of native numbers, and copied first if not; those of a GPU are
    copied to the host. One run of a process is under way at a time: a second thread waits.

    >>> import perdure
    >>> try:
    ...     perdure.run({"problem": {"type": "diffusion", "a": 1.0, "sorce": 1.0}, "grid": {"shape": [8, 8]}})
    ... except perdure.CaseError as error:
    ...     print(error.file, error.line, error.column, error.findings[0].message)
    case 4 3 unknown key 'problem.sorce'; known keys here: type, a, sigma, f, initial, velocity
    """
    found = run_raw(
        case, overrides_of(overrides, keywords), progress=progress, write=write, force=force, name=name, folder=folder
    )
    warn_of(found["warnings"])
    data = to_dataset(found)
    if check and found["exit_code"] != 0:
        raise error_of(found["exit_code"], f"{found['title']}: {found['summary'].rstrip()}", (), data)
    return data
