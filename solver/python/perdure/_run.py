"""perdure.run(): runs one case and returns its results."""

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
    """Returns the version of perdure, such as "0.1.0"."""
    return _solver.version()


def built_with() -> str:
    """Returns the back ends of this package, such as "CUDA yes, OpenCL no"; host threads are always available."""
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
    """Returns what the solver found, as _solver.pyi describes it. Raises perdure.Error if there is no result."""
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
    """Runs a case in this process and returns its fields, watched values and history, with its report in the attributes.

    `case` is a dict, the path of a YAML file, or a YAML text. In a dict, an array may take the place of a dataset of a case file: as the
    value itself, or as `{"array": image, "labels": {0: 1.0, 1: 0.0}}`.

    `overrides` set keys like `perdure run --set`, by their dotted names; in keywords two underscores stand for a dot: `solver__rtol=1e-6`.

    `progress` is True for a line on standard error, or a function that is called with a perdure.Progress a few times per second. If the
    function raises an exception, the run stops at its next check and the exception is raised here; the same holds for KeyboardInterrupt.

    With `write` the run also writes the files that the command would write (output.directory, output.name), and with `force` it
    replaces those of an earlier run. Without `write`, nothing is written.

    A run that ends without a result raises a perdure.Error: CaseError with file, line and column, InputDataError, DidNotConverge,
    Diverged and others. If the run has produced a field, it is the `result` of the exception. With `check=False` such a result is
    returned; its attributes `exit_code` and `stop_reason` say how the run ended.

    If several variables have the same name, a field keeps it, then a line of points, then a watched variable; the others are called
    `line_NAME` or `series_NAME`. A field with a name that perdure itself uses, such as `time`, is called `field_NAME`.

    `name` is the name of a case that is not a file, in messages and file names; data files of such a case are relative to `folder`.

    Arrays in host memory are used without a copy if they have C order and native byte order; others are copied first, arrays on a GPU
    to the host. A process runs one case at a time: a second thread waits.

    >>> import perdure
    >>> try:
    ...     perdure.run({"problem": {"type": "diffusion", "a": 1.0, "sorce": 1.0}, "grid": {"shape": [8, 8]}})
    ... except perdure.CaseError as error:
    ...     print(error.file, error.line, error.column, error.findings[0].message)
    case 4 3 unknown key 'problem.sorce'; the keys allowed here are type, a, sigma, f, initial, exact, sources_in_solids, velocity
    """
    found = run_raw(
        case, overrides_of(overrides, keywords), progress=progress, write=write, force=force, name=name, folder=folder
    )
    warn_of(found["warnings"])
    data = to_dataset(found)
    if check and found["exit_code"] != 0:
        raise error_of(found["exit_code"], f"{found['title']}: {found['summary'].rstrip()}", (), data)
    return data
