"""perdure.sweep(): runs one case with many values of some of its keys."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy
import xarray

from ._arrays import is_array
from ._case import Case, overrides_of
from ._dataset import free_name, report_of, to_dataset
from ._errors import CaseError, DeviceError, Error, Stopped
from ._progress import ProgressOption
from ._run import run_raw


_figure = re.compile(r"(outcome|exit_code|iterations|residual|total_seconds|time|time_reached|(coefficient|tortuosity)(_[xyz])?|error_.*)\Z")
_amount = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s+([A-Za-z1].*)")
_others = {"x", "y", "z", "step", "component", "member", "check", "series_time", "series_step"}


def _dimension(key: str, keys: Sequence[str], taken: Container[str] = ()) -> str:
    """Returns the last part of a dotted key, more parts if an outcome or one of `taken` has that name, or the whole key if another key ends the same.

    >>> _dimension("solver.rtol", ["solver.rtol"]), _dimension("time.dt", ["time.dt", "solver.dt"])
    ('rtol', 'time.dt')
    >>> _dimension("boundary.y-.exchange.coefficient", ["boundary.y-.exchange.coefficient"])
    'exchange_coefficient'
    """
    parts = key.split(".")
    if sum(other.rsplit(".", 1)[-1] == parts[-1] for other in keys) > 1:
        return key
    names = ["_".join(parts[first:]) for first in reversed(range(len(parts)))]
    names = [name for name in names if not (_figure.match(name) or name in _others or name in taken)]
    return names[0] if names else free_name(f"key_{key}", "key", taken)


def _coordinate(values: Sequence[Any]) -> tuple[list[Any], dict[str, str]]:
    """Returns the values of a dimension and its attributes.

    Numbers and texts stay as they are, except that texts of numbers in the same units become numbers; arrays become their index in the list,
    other values text.

    >>> _coordinate(["0.6 W/(m K)", "1e1 W/(m K)"])
    ([0.6, 10.0], {'units': 'W/(m K)'})
    >>> _coordinate(["1 mm", "2 cm"])
    (['1 mm', '2 cm'], {})
    """
    amounts = [_amount.fullmatch(one) if isinstance(one, str) else None for one in values]
    units = {amount[2] if amount else None for amount in amounts}
    if len(units) == 1 and None not in units:
        return [float(amount[1]) for amount in amounts if amount], {"units": str(units.pop())}
    if all(isinstance(one, (int, float, str, numpy.generic)) for one in values):
        return list(values), {}
    return [number if is_array(one) else str(one) for number, one in enumerate(values)], {}


def _figures(run: dict[str, Any]) -> dict[str, Any]:
    """Returns the outcomes of a run, the same as in the table of a batch."""
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
    values: Mapping[str, Sequence[Any]] | None = None,
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
    """Runs a case for every combination of `values` and returns the outcomes, with a dimension for each key.

    `values` gives a list for each dotted key. With `zipped`, the lists have the same length, their values are taken together, and the
    dimension is `member`. The variables are outcome, exit_code, iterations, residual, total_seconds and, if the case has them, effective
    coefficients and errors; `to_dataframe()` converts them to a table. With `fields`, the fields are included, with NaN for members without
    a result; all members must then have the same grid and the same snapshot times, and the end time of a member is `time_reached` instead
    of `time`. A field or a watched variable with the name of an outcome is called `field_NAME` or `series_NAME`.

    The name of a dimension is the last part of its key. If an outcome or a field has this name, the dimension has more parts:
    `exchange_coefficient` for `boundary.y-.exchange.coefficient`. If two keys end in the same part, both dimensions have the whole key.

    If a member fails, the others still run: its `exit_code` is that of the command, and its `outcome` says why. With `raise_errors`, the
    first error is raised. An error in the case itself, a failing device and KeyboardInterrupt are always raised.
    `overrides`, `progress` and further keywords are passed to perdure.run().

    >>> import perdure
    >>> rod = {"problem": {"type": "diffusion", "a": 1.0}, "grid": {"shape": [4, 8]},
    ...        "boundary": {"x-": {"value": 1.0}, "x+": {"value": 0.0}}, "execution": {"backend": "host"}}
    >>> found = perdure.sweep(rod, {"problem.a": [1.0, 2.0], "solver.method": ["cg", "jacobi"]})
    >>> dict(found.sizes)
    {'a': 2, 'method': 2}
    >>> bool((found.exit_code == 0).all())
    True
    """
    if not isinstance(values, Mapping):
        listed = {keyword.replace("__", "."): one for keyword, one in keywords.items() if isinstance(one, (list, tuple))}
        raise TypeError(
            "sweep() takes a dict of keys and lists of their values after the case, as in "
            f"sweep(case, {listed or {'problem.a': [1.0, 2.0]}}); keywords set one value for all members"
        )
    for key, one in values.items():
        if isinstance(one, (str, Mapping)) or not hasattr(one, "__iter__"):
            raise TypeError(f"{key}: expected a list of values to sweep over, found {one!r}")
    keys = list(values)
    lists = [list(values[key]) for key in keys]
    if not keys or not all(lists):
        raise ValueError("a sweep needs at least one key with at least one value")
    if zipped and len({len(one) for one in lists}) > 1:
        raise ValueError("expected zipped lists of equal length, found lengths " + ", ".join(str(len(one)) for one in lists))
    settings = list(zip(*lists)) if zipped else list(itertools.product(*lists))
    common = overrides_of(overrides, keywords)
    figures: list[dict[str, Any]] = []
    answers: list[xarray.Dataset | None] = []
    first: tuple[xarray.Dataset, tuple[Any, ...]] | None = None
    for setting in settings:
        answer = None
        try:
            found = run_raw(
                case, {**common, **dict(zip(keys, setting))}, progress=progress, write=False, force=False, name=name, folder=folder
            )
            figures.append(_figures(found))
            if fields:
                answer = to_dataset(found)
                figures[-1] = {"time_reached" if name == "time" else name: value for name, value in figures[-1].items()}
        except Error as error:
            if raise_errors or isinstance(error, (CaseError, DeviceError, Stopped)):
                raise
            figures.append({"outcome": str(error).splitlines()[0], "exit_code": error.code})
        answers.append(answer)
        if answer is not None and first is None:
            first = (answer, setting)
        elif answer is not None and first is not None:
            changed = {key: new for key, old, new in zip(keys, first[1], setting) if new is not old}
            _check_alike(first[0], answer, changed)
    fields_of_all = {name for one in answers if one is not None for name in (*one.variables, *one.dims)}
    names = [_dimension(key, keys, fields_of_all) for key in keys]
    shape: tuple[int, ...]
    if zipped:
        dimensions, shape = ["member"], (len(settings),)
        coordinates = {name: ("member", *_coordinate(one)) for name, one in zip(names, lists)}
    else:
        dimensions, shape = names, tuple(len(one) for one in lists)
        coordinates = {name: (name, *_coordinate(one)) for name, one in zip(names, lists)}
    data = xarray.Dataset(_assemble(figures, shape, dimensions), coords=coordinates)
    return _with_fields(data, answers, shape, dimensions) if fields else data


def _agree(one: xarray.DataArray, other: xarray.DataArray) -> bool:
    """Whether coordinates are the same but for rounding."""
    values, others = one.values, other.values
    if values.shape != others.shape or values.dtype.kind not in "iuf" or not values.size:
        return bool(numpy.array_equal(values, others))
    return bool(numpy.allclose(values, others, rtol=0.0, atol=1e-9 * float(abs(values).max())))


def _check_alike(first: xarray.Dataset, other: xarray.Dataset, changed: Mapping[str, Any]) -> None:
    """Members in one array share its axes. Told as soon as one does not, before others are computed in vain."""
    keys = " and ".join(f"{key}={'(array)' if is_array(value) else value}" for key, value in changed.items())
    what = ""
    for name in sorted({*first.data_vars} ^ {*other.data_vars}):
        what = what or ("" if name.startswith("history_") else f"{name} exists in some members only")
    for name in first.data_vars:
        if not what and "check" not in first[name].dims and first[name].shape != other[name].shape:
            what = f"{name} has another shape in some members"
    for name in first.dims:
        if not what and name in first.coords and not _agree(first[name], other[name]):
            what = f"{name} has other values in some members"
    if what:
        raise ValueError(f"{what}, first with {keys}: sweep with fields=False, and run these by perdure.run()")


def _with_fields(
    data: xarray.Dataset, answers: list[xarray.Dataset | None], shape: tuple[int, ...], dimensions: list[str]
) -> xarray.Dataset:
    found = [answer for answer in answers if answer is not None]
    if not found:
        return data
    first = found[0]
    for given, like in first.data_vars.items():
        if "check" in like.dims:
            continue  # histories have a length of their own
        empty = numpy.full(like.shape, numpy.nan)
        stacked = numpy.stack([empty if answer is None else answer[given].values for answer in answers])
        name = free_name(str(given), "series" if "series_time" in like.dims else "field", {*data.variables, *data.dims})
        data[name] = ([*dimensions, *like.dims], stacked.reshape(*shape, *like.shape), like.attrs)
    shared = {
        name: values.variable
        for name, values in first.coords.items()
        if set(values.dims) <= set(data.dims) and all(_agree(values, other[name]) for other in found)
    }
    return data.assign_coords(shared)
