"""Small results of known numbers for tests of pictures."""
import os
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "solver", "python", "perdure"))
AXES = "zyx"


class InFolder(unittest.TestCase):
    """Tests whose files are in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


def write_result(path, fields, *, times=None, title="A test", problem="diffusion", units=None, length="", time=None, spacing=1.0, report=()):
    """`fields`: arrays by name, with an axis of time in front where there are `times`, and three components behind of vectors. `time`: its unit."""
    units = units or {}
    shape = next(iter(fields.values())).shape[1 if times is not None else 0:]
    dimensions = 1 if len(shape) == 1 else 2 if len(shape) == 2 or (len(shape) == 3 and shape[-1] == 3 and next(iter(fields)).startswith("flux")) else 3
    with h5py.File(path, "w") as file:
        cells = file.create_group("VTKHDF/CellData")
        file["VTKHDF"].attrs["Origin"], file["VTKHDF"].attrs["Spacing"] = numpy.zeros(3), numpy.full(3, spacing)
        for name, values in fields.items():
            cells[name] = values
            if name in units:
                cells[name].attrs["units"] = units[name]
        for axis, size in zip(AXES[-dimensions:], shape):
            file[axis] = (numpy.arange(size) + 0.5) * spacing
            file[axis].attrs["units"] = length or "1"
        if times is not None:
            file.create_group("VTKHDF/Steps")
        file["time"] = numpy.array([0.0] if times is None else times)
        file["time"].attrs["units"] = (time or "1") if time is not None else "s" if length else "1"
        file.attrs["title"] = title
        attributes = file.create_group("report").attrs
        attributes["problem"] = problem
        for name, value in dict(report).items():
            attributes[name] = value
    return path


def add_history(path, iterations, residuals, norm="l2", tolerance=0.0):
    with h5py.File(path, "a") as file:
        file["report/history/iteration"], file["report/history/residual"] = numpy.array(iterations), numpy.array(residuals)
        file["report"].attrs["norm"], file["report"].attrs["tolerance"] = norm, tolerance


def add_series(path, time, variables, points=None, units=None, meanings=None):
    """`variables`: over time; of a line of `points`, pairs of a name and distances, over time and distance."""
    with h5py.File(path, "a") as file:
        series = file.create_group("series")
        series["time"] = time
        series["time"].make_scale("time")
        if points is not None:
            series[points[0]] = points[1]
            series[points[0]].make_scale(points[0])
        for name, values in variables.items():
            series[name] = values
            series[name].dims[0].attach_scale(series["time"])
            if values.ndim == 2:
                series[name].dims[1].attach_scale(series[points[0]])
            if units and name in units:
                series[name].attrs["units"] = units[name]
            if meanings and name in meanings:
                series[name].attrs["long_name"] = meanings[name]


def write_table(path, columns):
    """As CSV."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join(f'"{cell}"' if "," in str(cell) else str(cell) for cell in row) + "\n")
    return path
