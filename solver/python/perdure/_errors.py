"""Exceptions and warnings of the package: one exception for each exit code of the command."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._case import file_of_arrays

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Finding:
    """One error in a case and its position. A line or column of 0 is unknown."""

    file: str
    line: int
    column: int
    message: str


class Error(Exception):
    """A run failed, or its result does not meet the tolerance.

    `code` is the exit code that the command would have. `findings` lists all errors and their positions; `file`, `line` and `column` are
    the position of the first. `result` holds the fields and the report if the run has produced any, else None.
    """

    code = 1

    def __init__(self, message: str, findings: tuple[Finding, ...] = (), result: xarray.Dataset | None = None):
        super().__init__(message)
        self.findings = findings
        self.result = result

    @property
    def file(self) -> str | None:
        return self.findings[0].file if self.findings else None

    @property
    def line(self) -> int | None:
        return (self.findings[0].line or None) if self.findings else None

    @property
    def column(self) -> int | None:
        return (self.findings[0].column or None) if self.findings else None


class InternalError(Error):
    """An internal error of perdure. Please report it."""

    code = 1


class CaseError(Error, ValueError):
    """The case is wrong: a key, a type, a value or an expression."""

    code = 2


class DidNotConverge(Error):
    """The run reached its iteration limit, or rounding prevents a smaller residual. `result` holds the last field."""

    code = 3


class Diverged(Error):
    """The run diverged, broke down, stagnated or produced NaN. `result` holds the last field."""

    code = 4


class InputDataError(Error, ValueError):
    """The input data of the case are wrong: for example a wrong shape, a negative coefficient or a label without a value."""

    code = 5


class FileError(Error, OSError):
    """A file cannot be read or written."""

    code = 6


class DeviceError(Error, RuntimeError):
    """The device failed, does not exist, or has too little memory."""

    code = 7


class ComputedElsewhere(Error):
    """Another process is computing this case."""

    code = 8


class Stopped(Error):
    """The run was stopped before its end, for example by execution.time_limit. `result` holds the last field."""

    code = 75


class CaseWarning(UserWarning):
    """Something in a case is probably not what the user intended."""


_of_code: dict[int, type[Error]] = {
    error.code: error
    for error in (
        InternalError,
        CaseError,
        DidNotConverge,
        Diverged,
        InputDataError,
        FileError,
        DeviceError,
        ComputedElsewhere,
        Stopped,
    )
}


def error_of(code: int, message: str, findings: tuple[Finding, ...] = (), result: xarray.Dataset | None = None) -> Error:
    """Returns the exception class of an exit code."""
    return _of_code.get(code, InternalError)(message, findings, result)


_in_python = {"use --force": "use force=True"}  # what messages advise to those who use the command


_array_in_memory = re.compile(rf'file: {re.escape(file_of_arrays)}, dataset: ("(?:[^"\\]|\\.)*")')
_shortened = re.compile(rf"file: {re.escape(file_of_arrays)}[^\n:}}]*?[.][.][.]")


def _name_arrays(message: str) -> str:
    """Names an array of a case where the text of the case, as the solver sees it, has a file and a dataset. Marks below stay below their words.

    >>> print(_name_arrays('4 | a: {file: /dev/null/arrays, dataset: "problem.a", labels: {0: x}}\\n  |                                                               ^'))
    4 | a: {array: "problem.a", labels: {0: x}}
      |                                     ^
    """
    lines = message.split("\n")
    for i, line in enumerate(lines):
        lines[i] = _shortened.sub("array...", _array_in_memory.sub(r"array: \1", line))
        below = lines[i + 1] if i + 1 < len(lines) else ""
        if lines[i] != line and re.fullmatch(r" *\| *\^.*", below):
            before = line[: below.index("^")]
            removed = len(before) - len(_array_in_memory.sub(r"array: \1", before))
            lines[i + 1] = below[: len(before) - removed] + below[len(before) :]
    return "\n".join(lines)


def error_of_failure(failure: dict[str, Any]) -> Error:
    """Returns the exception for a failure of the solver."""
    message = _name_arrays(failure["message"])
    for words, instead in _in_python.items():
        message = message.replace(words, instead)
    findings = tuple(
        Finding(_name_arrays(found["file"]), found["line"], found["column"], found["message"]) for found in failure["diagnostics"]
    )
    return error_of(failure["code"], message, findings)


def warn_of(diagnostics: list[dict[str, Any]]) -> None:
    """Issues the warnings of a run at the line that called perdure."""
    for found in diagnostics:
        warnings.warn(_name_arrays(found["text"]), CaseWarning, stacklevel=3)
