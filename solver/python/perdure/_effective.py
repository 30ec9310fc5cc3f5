"""perdure.effective(): computes conductivity and tortuosity of an image."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy
import xarray

from ._arrays import as_solver_takes
from ._case import overrides_of
from ._dataset import report_of, to_dataset
from ._errors import error_of, warn_of
from ._progress import ProgressOption
from ._run import run_raw

_axes = ("x", "y", "z")
_of_direction = {  # what the report has for each direction, and its meaning
    "coefficient": "effective conductivity",
    "tortuosity": "mean conductivity / effective conductivity",
    "percolates": "whether some path conducts from face to face",
    "connected_fraction": "of cells that reach both faces",
    "inflow": "through the lower face, per area",
    "outflow": "through the upper face, per area",
    "certain_digits": "digits of the coefficient on these voxels that energy bounds guarantee",
    "digits": "digits of the coefficient on these voxels: certain ones, or in large images an estimate",
    "iterations": "of the solver",
    "stop_reason": "why the solver stopped",
}


_sections = {"title", "problem", "grid", "solver", "execution", "output", "format", "units"}  # of a case, which keywords can set
_keywords_of_keys = {  # the keyword of effective() for a key of problem
    "directions": "direction, as in direction='x'",
    "lateral": "periodic=True or periodic=False",
}


def _check(conductivities: Any, keywords: Mapping[str, Any]) -> None:
    if not isinstance(conductivities, Mapping):
        raise TypeError(
            "conductivities: expected a dict of label to number, as in {0: 1.0, 1: 0.0}; found "
            f"{'an array' if hasattr(conductivities, 'shape') else 'a ' + type(conductivities).__name__}"
        )
    own = [name for name, one in inspect.signature(effective).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in keywords:
        if name in _keywords_of_keys:
            raise TypeError(f"effective() has no keyword {name!r}; give {_keywords_of_keys[name]}")
        if re.split(r"__|\.", name)[0] not in _sections:
            raise TypeError(
                f"effective() has no keyword {name!r}; it has {', '.join(own)}, and takes keys of a case with two underscores for a dot, "
                "as in solver__max_iterations=500"
            )


def _directions(direction: str | Sequence[str]) -> str | list[str]:
    if direction == "all":
        return "all"
    return [direction] if isinstance(direction, str) else list(direction)


def _tensor(run: dict[str, Any]) -> xarray.Dataset:
    report = report_of(run)
    found = report["effective"]
    axes = [axis for axis in _axes if axis in found]
    data = xarray.Dataset(coords={"direction": ("direction", axes, {"long_name": "direction of the flow"})})
    for name, meaning in _of_direction.items():
        nothing = numpy.inf if name == "tortuosity" else numpy.nan
        values = [found[axis][name] for axis in axes]
        data[name] = ("direction", [nothing if value is None else value for value in values], {"long_name": meaning})
    for end in ("lower", "upper"):
        values = [(found[axis]["energy_bounds"] or {}).get(end, numpy.nan) for axis in axes]
        data[f"coefficient_{end}"] = ("direction", values, {"long_name": f"{end} bound of the coefficient, by energies"})
    if "tensor" in found:
        rows = [[found["tensor"][row][axis] for axis in axes] for row in axes]
        data.coords["flux_along"] = ("flux_along", axes)
        data["tensor"] = (("flux_along", "direction"), rows, {"long_name": "effective conductivity tensor"})
        data.attrs["principal"] = found["principal"]
        data.attrs["asymmetry"] = found["asymmetry"]
    for name in ("mean_coefficient", "conducting_fraction", "lateral"):
        data.attrs[name] = found[name]
    for name in ("wiener", "hashin_shtrikman"):
        for end, value in (found[name] or {}).items():
            data.attrs[f"{name}_{end}"] = value
    data.attrs["boundary"] = "periodic" if found.get("periodic_cell") else "faces"
    data.attrs["labels"] = json.dumps(found["labels"])
    for name in ("backend", "device", "precision", "method", "total_seconds", "version"):
        data.attrs[name] = report[name]
    data.attrs["exit_code"] = run["exit_code"]
    return data


def effective(
    image: Any,
    conductivities: Mapping[int, float | Mapping[str, float]],
    *,
    spacing: float | Sequence[float] = 1.0,
    direction: str | Sequence[str] = "all",
    periodic: bool = False,
    boundary: str = "faces",
    rtol: float = 1e-5,
    fields: bool | Sequence[str] = False,
    progress: ProgressOption = None,
    check: bool = True,
    **keywords: Any,
) -> xarray.Dataset:
    """Computes effective conductivity, tortuosity and percolation of a label image along each direction.

    `image` is an array of integers or booleans in the order z, y, x (or y, x); `conductivities` gives each label its conductivity, 0 for
    solids, or one for each axis, as in {0: 1.0, 1: {"x": 8.0, "y": 8.0, "z": 1.0}}, or a symmetric tensor,
    {1: {"x": 8.0, "y": 2.0, "z": 1.0, "xy": 0.5, "xz": 0.0, "yz": 0.0}}. The tortuosity is mean conductivity / effective conductivity: with one conducting phase of conductivity 1 that is the
    porosity divided by the effective diffusivity, which TauFactor calls the tortuosity factor. It is infinite where nothing percolates.

    `direction` is "x", "y", "z", a list of these, or "all"; with one alone what is found are numbers, else lists along `direction`. `spacing` is that of the voxels, one number or one for each axis of the
    image. The sides along the flow are insulated, or `periodic`; then the result of all directions has the whole `tensor`, too. With `boundary="periodic"` the image is the periodic cell of
    homogenisation: it repeats along all axes, the potential falls by 1 from one period to the next, and the tensor is symmetric; with "faces" the potential is 1
    and 0 on the two faces of each direction. `rtol` is the tolerance of the residual: the error of the coefficient
    is about its square.

    With `fields` the Dataset also has the potential of each direction (u_x and so on), or those fields that the list names ("u",
    "flux"). `progress`, `check` and further keywords are those of perdure.run().

    >>> import numpy, perdure
    >>> layers = numpy.zeros((8, 8, 8), dtype=int)
    >>> layers[:4] = 1
    >>> found = perdure.effective(layers, {0: 1.0, 1: 3.0}, execution__backend="host")
    >>> found.coefficient.sel(direction="z").round(6).item()          # in series: the harmonic mean
    1.5
    >>> float(perdure.effective(layers, {0: 1.0, 1: 0.0}, direction="x", execution__backend="host").tortuosity.round(6))
    1.0
    >>> found.coefficient.sel(direction="x").round(6).item()          # side by side: the mean
    2.0
    >>> cell = perdure.effective(layers, {0: 1.0, 1: 3.0}, boundary="periodic", execution__backend="host")
    >>> cell.tensor.round(6).values.diagonal().tolist()               # x, y, z
    [2.0, 2.0, 1.5]
    >>> fibre = {"x": 3.0, "y": 3.0, "z": 1.0, "xy": 2.0}             # 5 along the diagonal of x and y, 1 across
    >>> cell = perdure.effective(layers, {0: fibre, 1: fibre}, boundary="periodic", execution__backend="host")
    >>> (cell.tensor.round(6) + 0.0).values.tolist()                  # the tensor of the fibre
    [[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 0.0, 1.0]]
    """
    _check(conductivities, keywords)
    labels = as_solver_takes(image, "image")
    if labels.dtype.kind not in "iu":
        raise TypeError(f"image: an array of {labels.dtype}, but labels must be integers; convert them, for example with astype('uint8')")
    if labels.ndim not in (2, 3):
        raise ValueError(f"image: {labels.ndim} axes; expected 3 (z, y, x) or 2 (y, x)")
    if boundary not in ("faces", "periodic"):
        raise ValueError(f"boundary: expected 'faces' or 'periodic', found {boundary!r}")
    written = ["u"] if fields is True else list(fields or [])
    case: dict[str, Any] = {
        "title": "Effective properties of an image",
        "problem": {
            "type": "effective",
            "a": {"array": labels, "labels": {int(label) if isinstance(label, (bool, numpy.bool_)) else label: of for label, of in conductivities.items()}},
            "directions": _directions(direction),
        },
        "grid": {"shape": list(labels.shape), "spacing": spacing if numpy.ndim(spacing) == 0 else list(spacing)},  # type: ignore[arg-type]
        "solver": {"rtol": rtol},
        "output": {"fields": written},
    }
    if boundary == "periodic":
        case["boundary"] = {"all": "periodic"}
    else:
        case["problem"]["lateral"] = "periodic" if periodic else "flux"
    found = run_raw(
        case, overrides_of(None, keywords), progress=progress, write=False, force=False, name="effective", folder=None
    )
    warn_of(found["warnings"])
    data = _tensor(found)
    if isinstance(direction, str) and direction != "all":
        data = data.squeeze("direction")
    if written:
        attributes = data.attrs
        data = data.merge(to_dataset(found), combine_attrs="drop")
        data.attrs = attributes
    if check and found["exit_code"] != 0:
        raise error_of(found["exit_code"], found["summary"].rstrip(), (), data)
    return data
