"""perdure.sweep(): one case with many values of some of its keys."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import xarray

from ._arrays import is_array
from ._case import Case, overrides_of
from ._dataset import report_of, to_dataset
from ._errors import CaseError, DeviceError, Error, Stopped
from ._progress import ProgressOption
from ._run import run_raw


def _dimension(key: str, keys: Sequence[str]) -> str:
    """The last part of a dotted key where no other key ends in the same."""
    last = key.rsplit(".", 1)[-1]
    is_alone = sum(other.rsplit(".", 1)[-1] == last for other in keys) == 1
    return last if is_alone and last not in ("x", "y", "z", "time", "component") else key


def _coordinate(values: Sequence[Any]) -> list[Any]:
    """Arrays stand as their number in the list, other values that are neither numbers nor texts as their text."""
    if all(isinstance(one, (int, float, str, numpy.generic)) for one in values):
        return list(values)
    return [number if is_array(one) else str(one) for number, one in enumerate(values)]


def _figures(run: dict[str, Any]) -> dict[str, Any]:
    """What the table of a batch has, too."""
    report = report_of(run)
    figures = {
        name: report[name]
        for name in ("iterations", "residual", "total_seconds", *(["time"] if run["in_time"] else []))
        if report.get(name) is not None
    }
    figures["outcome"] = report["outcome"]
    figures["exit_code"] = run["exit_code"]
    effective = report.get("effective") or {}
    for axis in ("x", "y", "z"):
        for name in ("coefficient", "tortuosity"):
            if axis in effective:
                value = effective[axis][name]
                figures[f"{name}_{axis}"] = numpy.inf if value is None else value
    for name in ("coefficient", "tortuosity"):
        if effective.get(name) is not None:
            figures[name] = effective[name]
    for field, norms in (report.get("errors") or {}).items():
        figures.update({f"error_{norm}_{field}": norms[norm] for norm in ("L1", "L2", "Linf")})
    return figures


def _assemble(figures: list[dict[str, Any]], shape: tuple[int, ...], dimensions: list[str]) -> dict[str, Any]:
    variables = {}
    for name in dict.fromkeys(name for one in figures for name in one):
        is_text = any(isinstance(one.get(name), str) for one in figures)
        nothing: Any = "" if is_text else numpy.nan
        column = [nothing if one.get(name) is None else one[name] for one in figures]
        variables[name] = (dimensions, numpy.array(column).reshape(shape))
    return variables


def sweep(
    case: Case,
    values: Mapping[str, Sequence[Any]],
    overrides: Mapping[str, Any] | None = None,
    /,
    *,
    zipped: bool = False,
    fields: bool = False,
    raise_errors: bool = False,
    progress: ProgressOption = None,
    name: str = "case",
    folder: str | os.PathLike[str] | None = None,
    **keywords: Any,
) -> xarray.Dataset:
    """Runs a case for every combination of `values` and returns what came out, with a dimension for each key.

    `values` gives a list for each dotted key. With `zipped` the lists go side by side, as long as one another, along one dimension
    `member`. The variables are outcome, exit_code, iterations, residual, total_seconds, and where the case has them effective
    coefficients and errors; `to_dataframe()` makes a table of them. With `fields` the fields are among them, those of members without
    an answer as NaN; grids have to be the same then.

    A member that fails leaves the rest alone: its exit_code is that of the command, its `outcome` says why. With `raise_errors` the
    first one is raised. An error in the case itself, a failing device and KeyboardInterrupt are always raised.
    `overrides`, further keywords and `progress` are those of perdure.run().

    >>> import perdure
    >>> rod = {"problem": {"type": "diffusion", "a": 1.0}, "grid": {"shape": [4, 8]},
    ...        "boundary": {"x-": {"value": 1.0}, "x+": {"value": 0.0}}, "execution": {"backend": "host"}}
    >>> found = perdure.sweep(rod, {"problem.a": [1.0, 2.0], "solver.method": ["cg", "jacobi"]})
    >>> dict(found.sizes)
    {'a': 2, 'method': 2}
    >>> bool((found.exit_code == 0).all())
    True
    """
    keys = list(values)
    lists = [list(values[key]) for key in keys]
    if not keys or not all(lists):
        raise ValueError("a sweep needs a key with a value at least")
    if zipped and len({len(one) for one in lists}) > 1:
        raise ValueError("lists that go side by side need one length; they have " + ", ".join(str(len(one)) for one in lists))
    settings = list(zip(*lists)) if zipped else list(itertools.product(*lists))
    common = overrides_of(overrides, keywords)
    figures: list[dict[str, Any]] = []
    answers: list[xarray.Dataset | None] = []
    for setting in settings:
        answer = None
        try:
            found = run_raw(
                case, {**common, **dict(zip(keys, setting))}, progress=progress, write=False, force=False, name=name, folder=folder
            )
            figures.append(_figures(found))
            answer = to_dataset(found) if fields else None
        except Error as error:
            if raise_errors or isinstance(error, (CaseError, DeviceError, Stopped)):
                raise
            figures.append({"outcome": str(error).splitlines()[0], "exit_code": error.code})
        answers.append(answer)
    shape: tuple[int, ...]
    if zipped:
        dimensions, shape = ["member"], (len(settings),)
        coordinates = {_dimension(key, keys): ("member", _coordinate(one)) for key, one in zip(keys, lists)}
    else:
        dimensions, shape = [_dimension(key, keys) for key in keys], tuple(len(one) for one in lists)
        coordinates = {
            dimension: (dimension, _coordinate(one)) for dimension, one in zip(dimensions, lists)
        }
    data = xarray.Dataset(_assemble(figures, shape, dimensions), coords=coordinates)
    return _with_fields(data, answers, shape, dimensions) if fields else data


def _with_fields(
    data: xarray.Dataset, answers: list[xarray.Dataset | None], shape: tuple[int, ...], dimensions: list[str]
) -> xarray.Dataset:
    first = next((answer for answer in answers if answer is not None), None)
    if first is None:
        return data
    for name in first.data_vars:
        if "check" in first[name].dims:
            continue  # histories have a length of their own
        like = first[name]
        empty = numpy.full(like.shape, numpy.nan)
        parts = [empty if answer is None else answer[name].values for answer in answers]
        if any(part.shape != like.shape for part in parts):
            raise ValueError(f"{name} has another shape in some members: sweep with fields=False, and run these by perdure.run()")
        stacked = numpy.stack(parts).reshape(*shape, *like.shape)
        data[name] = ([*dimensions, *like.dims], stacked, like.attrs)
    return data.assign_coords({key: value for key, value in first.coords.items() if set(value.dims) <= set(data.dims)})
