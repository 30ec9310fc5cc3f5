"""Results of perdure as they lie in files: fields, grid, times, report."""
import dataclasses
import os

import h5py
import numpy

from .errors import FileError, PlotError, why_not_hdf5

STEADY = ("diffusion", "effective")  # problems without time


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def units_of(dataset):
    """Empty where the case gave no units."""
    units = text(dataset.attrs.get("units", "1"))
    return "" if units == "1" else units


def with_units(name, units):
    """`u [K]`; the name alone without units."""
    return f"{name} [{units}]" if units else name


@dataclasses.dataclass
class Watched:
    """Values over time, or over time and the distance along a line of points."""

    values: numpy.ndarray
    units: str
    distance: numpy.ndarray = None
    distance_units: str = ""


class Grid:
    """What results have in common, wherever they are: in files, or as a Dataset."""

    def check_snapshot(self, index):
        """The index of a snapshot, counted from the end where it is negative; None is the last one."""
        count = self.times.size
        if index is None:
            return count - 1
        if not -count <= index < count:
            raise PlotError(f"--snapshot {index}: '{self.path}' has snapshots 0 to {count - 1}")
        return index % count

    def time_text(self, snapshot):
        """`time 0.5 s`; empty for a steady problem."""
        if self.is_steady:
            return ""
        return f"time {self.times[snapshot]:g}" + (f" {self.time_units}" if self.time_units else "")

    def axis_label(self, axis):
        return with_units(axis, self.axis_units(axis))

    def mean_spacing(self):
        """The root of a cell's volume, by which `perdure run --table order` counts, too."""
        return float(numpy.prod([self.spacing(axis) for axis in self.axes]) ** (1.0 / len(self.axes)))

    def close(self):
        """Results in memory have nothing to close."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Result(Grid):
    """A file that is open for reading. Arrays have the order of the file: (time,) z, y, x or y, x, and the component of a vector."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if os.path.isdir(self.path):
            raise FileError(f"'{self.path}' is a folder; expected a result in it, such as {os.path.join(self.path, 'NAME.vtkhdf')}")
        if not os.path.isfile(self.path):
            raise FileError(f"there is no file '{self.path}'")
        if self.path.lower().endswith(".csv"):
            raise FileError(f"'{self.path}' is a table; draw the table of a sweep with --sweep, --orders or --report")
        try:
            self.file = h5py.File(self.path, "r")
        except OSError as error:
            raise FileError(why_not_hdf5(self.path, error)) from error
        if "columns" in self.file.attrs:
            self.file.close()
            raise FileError(f"'{self.path}' is a table; draw it with --sweep, --orders or --report")
        about = self.file.get("manifest", self.file.get("report"))  # perdure 0.1 had no manifest
        if "VTKHDF/CellData" not in self.file or "report" not in self.file or "problem" not in about.attrs:
            self.file.close()
            raise FileError(f"'{self.path}' is not a result of perdure, or not a complete one")
        self.name = os.path.splitext(os.path.basename(self.path))[0]
        self.title = text(self.file.attrs.get("title", self.name))
        self.axes = [axis for axis in "zyx" if axis in self.file]
        self.is_temporal = "VTKHDF/Steps" in self.file
        self.report = self.file["report"].attrs
        self.is_steady = text(about.attrs["problem"]) in STEADY

    def close(self):
        self.file.close()

    @property
    def fields(self):
        return list(self.file["VTKHDF/CellData"])

    def dataset(self, field):
        return self.file[f"VTKHDF/CellData/{field}"]

    def shape(self, field):
        """Of the cells."""
        first = 1 if self.is_temporal else 0
        return self.dataset(field).shape[first:first + len(self.axes)]

    def is_vector(self, field):
        return self.dataset(field).ndim > len(self.axes) + self.is_temporal

    def units(self, field):
        return units_of(self.dataset(field))

    def read(self, field, snapshot, place):
        """Values at `place`, an index or slice for each axis."""
        before = (snapshot,) if self.is_temporal else ()
        return self.dataset(field)[before + tuple(place)]

    @property
    def times(self):
        return self.file["time"][()].ravel() if "time" in self.file else numpy.zeros(1)

    @property
    def time_units(self):
        return units_of(self.file["time"]) if "time" in self.file else ""

    def centres(self, axis):
        return self.file[axis][()]

    def axis_units(self, axis):
        return units_of(self.file[axis])

    def edges(self, axis):
        """Where the grid begins and ends along an axis."""
        low = self.file["VTKHDF"].attrs["Origin"]["xyz".index(axis)]
        return low, low + self.spacing(axis) * self.file[axis].shape[0]

    def spacing(self, axis):
        return self.file["VTKHDF"].attrs["Spacing"]["xyz".index(axis)]

    def report_value(self, name, default=None):
        value = self.report.get(name, default)
        return text(value) if isinstance(value, (bytes, str)) else value

    def history(self):
        """Iterations, residuals and the name of their norm; None where the run kept none."""
        group = self.file.get("report/history")
        if group is None or group["iteration"].size == 0:
            return None
        return group["iteration"][()], group["residual"][()], str(self.report_value("norm", "l2"))

    def errors(self):
        """Against exact solutions: triples of field, norm and number."""
        named = [(name.split("_", 2), self.report[name]) for name in self.report if name.startswith("error_")]
        return [(words[2], words[1], float(value)) for words, value in named if len(words) == 3]

    def effective(self):
        """Effective properties: each name with a list, one entry for each direction, and their names as `direction`. None where there are none."""
        group = self.file.get("report/effective")
        if group is None:
            return None
        found = {"direction" if name == "axis" else name: numpy.atleast_1d(value) for name, value in group.attrs.items()}  # axis: of the sides of a case
        found["direction"] = [text(word) for word in found["direction"]]
        return found

    def directions(self):
        """Of an effective property, as its systems were solved."""
        return (self.effective() or {"direction": []})["direction"]

    def watch_times(self):
        """When the run watched; empty where it did not."""
        return self.file["series/time"][()] if "series/time" in self.file else numpy.zeros(0)

    def watched(self):
        """What lies along the times of the series, by name."""
        found = {}
        for name, dataset in self.file.get("series", {}).items():
            time = self.file["series/time"]
            if name in ("time", "step") or len(dataset.dims) == 0 or time not in list(dataset.dims[0].values()):
                continue
            along = next(iter(dataset.dims[1].values())) if dataset.ndim == 2 else None
            field, at, _ = text(dataset.attrs.get("long_name", "")).partition(" at ")  # of a probe, what is taken there
            units = units_of(dataset) or (self.units(field) if at and field in self.fields else "")
            found[name] = Watched(dataset[()], units, *([] if along is None else [along[()], units_of(along)]))
        return found

    def case_text(self):
        manifest = self.file.get("manifest")
        return text(manifest.attrs["case_text"]) if manifest is not None and "case_text" in manifest.attrs else ""


def open_result(source):
    """A file's name, an open result, or a Dataset of xarray as `perdure.run` returns it."""
    if isinstance(source, Grid):
        return source
    if hasattr(source, "data_vars"):
        from .datasets import DatasetResult  # a result as well, which only notebooks have
        return DatasetResult(source)
    return Result(source)


def open_results(sources):
    """Of one source or a list. All of them, or none: the first that cannot be opened closes the others."""
    results = []
    try:
        for source in sources if isinstance(sources, (list, tuple)) else [sources]:
            results.append(open_result(source))
    except PlotError:
        for result in results:
            result.close()
        raise
    return results


def choose_field(result, name, note=lambda text: None):
    """`name`, else u, else the first scalar field, which `note` is told."""
    fields = result.fields
    if name is not None:
        if name not in fields:
            raise PlotError(f"'{result.path}' has no field '{name}'; it has: {', '.join(fields) or 'none'}")
        return name
    scalars = [field for field in fields if not result.is_vector(field)]
    if "u" in scalars:
        return "u"
    if not scalars:
        raise PlotError(f"'{result.path}' has no scalar field; name one with --field. It has: {', '.join(fields) or 'none'}")
    if len(fields) > 1:
        note(f"drawing {scalars[0]}; --field draws another of: {', '.join(fields)}")
    return scalars[0]
