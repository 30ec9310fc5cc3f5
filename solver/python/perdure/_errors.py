"""What can go wrong, an exception for each exit code of the command."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a case, and where. A line or column of 0 is not known."""

    file: str
    line: int
    column: int
    message: str


class Error(Exception):
    """A run that has no answer, or none that it was asked for.

    `code` is the exit code that the command would have. `findings` lists what is wrong and where; `file`, `line` and `column` are the
    place of the first. `result` holds the fields and the report where the run has left some, else None.
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
    """An error of perdure itself. Please report it."""

    code = 1


class CaseError(Error, ValueError):
    """The case is wrong: a key, a type, a value or an expression."""

    code = 2


class DidNotConverge(Error):
    """The run met its iteration limit, or rounding prevents a smaller residual. `result` holds the field that it reached."""

    code = 3


class Diverged(Error):
    """The run diverged, broke down, stagnated or met NaN. `result` holds the last field."""

    code = 4


class InputDataError(Error, ValueError):
    """Data that the case names or gives are bad: a wrong shape, a negative coefficient, a label without a value."""

    code = 5


class FileError(Error, OSError):
    """A file cannot be read or written."""

    code = 6


class DeviceError(Error, RuntimeError):
    """The device failed, is not there, or has too little memory."""

    code = 7


class ComputedElsewhere(Error):
    """Another process computes this case at this moment."""

    code = 8


class Stopped(Error):
    """The run was stopped before its end, for example by execution.time_limit. `result` holds the field that it reached."""

    code = 75


class CaseWarning(UserWarning):
    """Something in a case that is probably not what was meant."""


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
    """The exception that stands for an exit code."""
    return _of_code.get(code, InternalError)(message, findings, result)


_in_python = {"use --force": "use force=True"}  # what messages advise to those who use the command


def error_of_failure(failure: dict[str, Any]) -> Error:
    """The exception for what the solver could not do."""
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
