"""Converts results of the solver to an xarray Dataset."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

import numpy
import xarray

_axes = ("z", "y", "x")
_own = {*_axes, "component", "time", "step", "series_time", "series_step", "check", "history_iteration", "history_residual", "history_device_time"}


def free_name(name: str, prefix: str, taken: Container[str]) -> str:
    """The name with as many prefixes as make it one that nothing else has.

    >>> free_name("u", "series", {"time"}), free_name("u", "series", {"u", "series_u"})
    ('u', 'series_series_u')
    """
    while name in taken:
        name = f"{prefix}_{name}"
    return name


def _coordinates(run: dict[str, Any]) -> dict[str, Any]:
    return {
        axis: (axis, run["grid"][axis], {"units": run["length_units"], "axis": axis.upper(), "long_name": f"{axis} of cell centres"})
        for axis in _axes
        if axis in run["grid"]
    }


def _add_fields(data: xarray.Dataset, run: dict[str, Any]) -> None:
    snapshots = run["snapshots"]
    space = tuple(axis for axis in _axes if axis in run["grid"])
    if run["in_time"]:
        data.coords["time"] = (
            "time",
            numpy.array([one["time"] for one in snapshots]),
            {"units": run["time_units"], "axis": "T", "long_name": "time"},
        )
        data.coords["step"] = ("time", numpy.array([one["step"] for one in snapshots]), {"long_name": "time step"})
    for position, field in enumerate(snapshots[-1]["fields"]):
        values = [one["fields"][position]["values"] for one in snapshots]
        dimensions = space
        if values[-1].ndim > len(space):
            dimensions += ("component",)
            data.coords["component"] = ["x", "y", "z"][: values[-1].shape[-1]]
        if run["in_time"]:
            dimensions = ("time", *dimensions)
            array = numpy.stack(values) if len(values) > 1 else values[0][numpy.newaxis]
        else:
            array = values[-1]
        attributes = {"units": field["units"]} if field["units"] else {}
        name = free_name(field["name"], "field", {*_own, *data.variables})
        data[name] = (dimensions, array, {**attributes, "long_name": field["name"]})


def _add_series(data: xarray.Dataset, run: dict[str, Any]) -> None:
    """What was watched: its times are others than those of the snapshots. Probes have the units of their fields."""
    series, length = run["series"], run["length_units"]
    units = {field["name"]: field["units"] for field in run["snapshots"][-1]["fields"]}
    data.coords["series_time"] = ("series_time", series["time"], {"units": run["time_units"], "long_name": "time"})
    data.coords["series_step"] = ("series_time", series["step"], {"long_name": "time step"})
    lines: dict[str | None, str] = {}
    for line in series["lines"]:
        given = line["name"]
        name = lines[given] = free_name(given, "line", {*_own, *data.variables})
        data.coords[name] = (name, line["distance"], {"units": length, "long_name": f"distance from the first point of {given}"})
        for axis in _axes:
            if axis in line:
                place = free_name(f"{name}_{axis}", "line", {*_own, *data.variables})
                data.coords[place] = (name, line[axis], {"units": length, "long_name": f"{axis} of the points of {given}"})
    for variable in series["variables"]:
        name = free_name(variable["name"], "series", {*_own, *data.variables})
        dimensions = ("series_time",) if variable["line"] is None else ("series_time", lines[variable["line"]])
        field, at, _ = variable["long_name"].partition(" at ")  # of a probe, what is taken there
        inherited = units.get(field) if at and variable["units"] == "1" else None
        attributes = {"units": inherited or variable["units"], "long_name": variable["long_name"]}
        attributes.update({axis: variable[axis] for axis in _axes if axis in variable})
        data[name] = (dimensions, variable["values"], attributes)


def _add_history(data: xarray.Dataset, history: list[dict[str, Any]]) -> None:
    """Adds the history: one entry for each check of the run."""
    data.coords["history_iteration"] = ("check", numpy.array([one["iteration"] for one in history]), {"long_name": "iteration"})
    for name, meaning in (("residual", "norm at each check"), ("device_time", "seconds since the launch at each check")):
        values = numpy.array([numpy.nan if one[name] is None else one[name] for one in history])
        data[f"history_{name}"] = ("check", values, {"long_name": meaning})


def _as_attribute(value: Any) -> Any:
    """Converts a value to a type that netCDF can store."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list) and all(isinstance(one, (bool, int, float, str)) for one in value):
        return [_as_attribute(one) for one in value]
    return json.dumps(value) if isinstance(value, list) else value


def _flatten(report: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for key, value in report.items():
        name = prefix + key
        if isinstance(value, dict):
            attributes.update(_flatten(value, name + "_"))
        elif value is not None and value != []:
            attributes[name] = _as_attribute(value)
        elif key == "tortuosity":
            attributes[name] = numpy.inf  # nothing flows
    return attributes


def report_of(run: dict[str, Any]) -> dict[str, Any]:
    """The report, as `perdure run --json` has it."""
    report: dict[str, Any] = json.loads(run["report"])
    return report


def to_dataset(run: dict[str, Any]) -> xarray.Dataset:
    """Fields with their coordinates, what was watched, the history of checks, and in the attributes the report.

    Nothing replaces another of its name: coordinates and the history come first, then fields, lines of points, and variables watched. A
    later one whose name is taken, or is one that every result may have, such as `time`, `step` or `check`, gets `field_`, `line_` or
    `series_` before it.
    """
    report = report_of(run)
    history = report.pop("history", None) or []
    data = xarray.Dataset(coords=_coordinates(run))
    _add_fields(data, run)
    if run["series"] is not None:
        _add_series(data, run)
    if history:
        _add_history(data, history)
    data.attrs = {"title": run["title"], "exit_code": run["exit_code"], **_flatten(report), "case": run["case"]}
    if run["file"]:
        data.attrs["file"] = run["file"]
    return data
