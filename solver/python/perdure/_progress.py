"""Reports the progress of a run to people and to programs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Progress:
    """The progress that a run reports at its checks.

    `iteration` counts in `unit` ("iteration" or "step"), `value` is the current value of `quantity` ("residual", "max |u|"),
    `fraction` is an estimate of the completed fraction of the run, and `part` names one of several solves ("along x").
    """

    iteration: int
    value: float
    fraction: float
    unit: str
    quantity: str
    part: str


ProgressOption = Union[bool, None, Callable[[Progress], object]]


class _Line:
    """A progress line on standard error that is redrawn in place, in terminals and in notebooks."""

    width = 24

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.length = 0

    def __call__(self, progress: Progress) -> None:
        full = round(progress.fraction * self.width)
        seconds = time.monotonic() - self.start
        text = (
            f"[{'=' * full}{' ' * (self.width - full)}] {progress.part}{': ' if progress.part else ''}{progress.unit} "
            f"{progress.iteration} {progress.quantity} {progress.value:.3e}  {seconds:.1f} s"
        )
        sys.stderr.write("\r" + text.ljust(self.length))
        sys.stderr.flush()
        self.length = len(text)

    def end(self) -> None:
        if self.length > 0:
            sys.stderr.write("\r" + " " * self.length + "\r")
            sys.stderr.flush()


class Watcher:
    """Passes the progress of the solver to the function or the line that the caller asked for."""

    def __init__(self, wanted: ProgressOption) -> None:
        self._line = _Line() if wanted is True else None
        self._tell: Callable[[Progress], object] | None = self._line
        if wanted not in (True, False, None):
            if not callable(wanted):
                raise TypeError(f"expected True, False or a function of a perdure.Progress as progress, found {wanted!r}")
            self._tell = wanted

    @property
    def callback(self) -> Callable[..., None] | None:
        return None if self._tell is None else self._pass_on

    def _pass_on(self, *told: object) -> None:
        assert self._tell is not None
        self._tell(Progress(*told))  # type: ignore[arg-type]

    def end(self) -> None:
        if self._line is not None:
            self._line.end()
