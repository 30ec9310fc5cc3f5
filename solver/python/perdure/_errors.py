"""Exceptions and warnings of the package: one exception for each exit code of the command."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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


def error_of_failure(failure: dict[str, Any]) -> Error:
    """Returns the exception for a failure of the solver."""
    message = failure["message"]
    for words, instead in _in_python.items():
        message = message.replace(words, instead)
    findings = tuple(
        Finding(found["file"], found["line"], found["column"], found["message"]) for found in failure["diagnostics"]
    )
    return error_of(failure["code"], message, findings)


def warn_of(diagnostics: list[dict[str, Any]]) -> None:
    """Issues the warnings of a run at the line that called perdure."""
    for found in diagnostics:
        warnings.warn(found["text"], CaseWarning, stacklevel=3)
