"""Results in memory: Datasets of xarray, as `perdure.run` returns them."""
import numpy

from .results import Grid, Watched


def units_of(array):
    """Empty where the case gave no units."""
    units = str(array.attrs.get("units", "1"))
    return "" if units == "1" else units


class DatasetResult(Grid):
    """The same questions as to a file, answered by a Dataset. Its report is in the attributes."""

    def __init__(self, data):
        self.data, self.report = data, data.attrs
        self.title = str(data.attrs.get("title", ""))
        self.name = self.path = self.title or "dataset"
        self.axes = [axis for axis in "zyx" if axis in data.dims]
        self.is_temporal = "time" in data.dims
        self.is_steady = not self.is_temporal

    @property
    def fields(self):
        space = set(self.axes)
        return [name for name in self.data.data_vars if space and space <= set(self.data[name].dims)]

    def shape(self, field):
        return tuple(self.data[field].sizes[axis] for axis in self.axes)

    def is_vector(self, field):
        return "component" in self.data[field].dims

    def units(self, field):
        return units_of(self.data[field])

    def read(self, field, snapshot, place):
        values = self.data[field]
        order = (["time"] if "time" in values.dims else []) + self.axes + (["component"] if "component" in values.dims else [])
        values = values.transpose(*order).values
        return values[((snapshot,) if order[0] == "time" else ()) + tuple(place)]

    @property
    def times(self):
        return self.data["time"].values.ravel() if "time" in self.data else numpy.zeros(1)

    @property
    def time_units(self):
        return units_of(self.data["time"]) if "time" in self.data else ""

    def centres(self, axis):
        return self.data[axis].values

    def axis_units(self, axis):
        return units_of(self.data[axis])

    def spacing(self, axis):
        """Of an axis of one cell, where no distance is known, that of another axis."""
        found = [float(centres[1] - centres[0]) for centres in map(self.centres, [axis, *self.axes]) if centres.size > 1]
        return found[0] if found else 1.0

    def edges(self, axis):
        low = float(self.centres(axis)[0]) - 0.5 * self.spacing(axis)
        return low, low + self.spacing(axis) * self.centres(axis).size

    def report_value(self, name, default=None):
        return self.report.get(name, default)

    def history(self):
        if "history_residual" not in self.data:
            return None
        return self.data["history_iteration"].values, self.data["history_residual"].values, str(self.report.get("norm", "l2"))

    def errors(self):
        named = [(name.split("_", 2), value) for name, value in self.report.items() if name.startswith("errors_")]
        return [(words[1], words[2], float(value)) for words, value in named if len(words) == 3 and words[2] != "time"]

    def directions(self):
        return [str(word) for word in numpy.atleast_1d(self.report.get("effective_direction", []))]

    def watch_times(self):
        return self.data["series_time"].values if "series_time" in self.data.coords else numpy.zeros(0)

    def watched(self):
        found = {}
        for name in self.data.data_vars:
            array = self.data[name]
            if array.dims[:1] == ("series_time",):
                along = self.data[array.dims[1]] if array.ndim == 2 else None
                given = name.removeprefix("series_")  # which was put before a name that something else has
                if given in self.data and self.data[given].dims[:1] == ("series_time",):
                    given = name
                found[given] = Watched(array.values, units_of(array), *([] if along is None else [along.values, units_of(along)]))
        return found
