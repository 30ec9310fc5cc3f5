from collections.abc import Callable
from typing import Any, Optional

import numpy

def use_helper(program: str) -> None: ...
def run(
    text: Optional[str],
    path: str,
    overrides: list[str],
    arrays: dict[str, numpy.ndarray],
    writes: bool,
    replaces: bool,
    progress: Optional[Callable[[int, float, float, str, str, str], object]],
) -> dict[str, Any]:
    """{"run": ...} with exit_code, report (JSON), summary, title, case, in_time, warnings, file, grid, length_units, time_units,
    series and snapshots, or
    {"failure": ...} with code, message and diagnostics."""

def end_runs() -> None: ...
def version() -> str: ...
def built_with() -> str: ...
