"""Tables of sweeps and batches: NAME_summary.h5 or .csv, a row for each case."""
import csv
import os

import h5py
import numpy

from .errors import FileError, PlotError, why_not_hdf5
from .results import Result, text

FIRST = ("case", "member")  # columns before what the sweep sets; `outcome` follows it


def is_table(path):
    """By the name's end, or, of HDF5, by what is inside."""
    path = os.fspath(path)
    if path.lower().endswith(".csv"):
        return True
    try:
        with h5py.File(path, "r") as file:
            return "columns" in file.attrs and "VTKHDF" not in file
    except OSError:
        return False


class Table:
    """Columns by name: numbers as an array, NaN where there is none, or texts as a list."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise FileError(f"there is no file '{self.path}'")
        self.columns = read_csv(self.path) if self.path.lower().endswith(".csv") else read_hdf5(self.path)
        names = list(self.columns)
        if "case" not in names or "outcome" not in names:
            raise FileError(f"'{self.path}' is not a table of perdure, because it has no columns case and outcome")
        self.name = os.path.splitext(os.path.basename(self.path))[0].removesuffix("_summary")
        self.swept = [name for name in names[:names.index("outcome")] if name not in FIRST]
        self.rows = len(self.columns["case"])
        self.found = {}

    def column(self, name):
        if name not in self.columns:
            raise PlotError(f"'{self.path}' has no column '{name}'; it has: {', '.join(self.columns)}")
        return self.columns[name]

    def result_path(self, row):
        """Of a row's result, found beside the table where the run was started from another folder; None where there is none."""
        output = str(self.columns.get("output", [""] * self.rows)[row])
        beside = os.path.join(os.path.dirname(self.path), os.path.basename(output))
        return next((path for path in (output, beside) if output and os.path.isfile(path)), None)

    def setting(self, row):
        """`solver.rtol = 0.001, problem.a = 2`: what the sweep sets in a row."""
        values = [(key, self.columns[key][row]) for key in self.swept]
        return ", ".join(f"{key} = {value}" if isinstance(value, str) else f"{key} = {value:g}" for key, value in values)

    def full_name(self, name):
        """Of a column as the printed table calls it, such as mean_u of outcome.mean_u."""
        return f"outcome.{name}" if name not in self.columns and f"outcome.{name}" in self.columns else name

    def outcome(self, name):
        """Numbers of a column; else, from each row's result, of an attribute of its report, or the last value of what was watched."""
        if name in self.columns:
            values = self.columns[name]
            if isinstance(values, list):
                raise PlotError(f"--outcome {name}: that column has texts, not numbers")
            return values
        if name not in self.found:
            self.found[name] = numpy.array([self.outcome_of_result(row, name) for row in range(self.rows)])
        if numpy.isnan(self.found[name]).all():
            raise PlotError(f"--outcome {name}: neither a column of '{self.path}' nor a number in the reports or series of its results; "
                            f"columns: {', '.join(column for column in self.columns if not isinstance(self.columns[column], list))}")
        return self.found[name]

    def outcome_of_result(self, row, name):
        path = self.result_path(row)
        if path is None:
            return numpy.nan
        with Result(path) as result:
            value = result.report.get(name)
            if value is None:
                watched = result.watched().get(name)
                value = watched.values[-1] if watched is not None and watched.distance is None and watched.values.size else None
            return float(value) if isinstance(value, (float, int, numpy.number)) else numpy.nan

    def effective(self, *properties):
        """The columns of effective properties, such as coefficient, one for each direction."""
        return [name for name in self.columns if name.startswith("effective.") and name.count(".") <= 2 and name.endswith(properties)]

    def default_outcome(self):
        """Effective coefficients where there are some, else what was watched or the means of fields, else iterations."""
        return self.effective(".coefficient") or [name for name in self.columns if name.startswith("outcome.")] or ["iterations"]


def as_column(words):
    """Numbers where every word that is there is one."""
    try:
        numbers = numpy.array([float(word) if word.strip() else numpy.nan for word in words])
    except ValueError:
        return words
    return words if numpy.isnan(numbers).all() else numbers


def read_csv(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"'{path}' cannot be read as a table: {error}") from error
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise FileError(f"'{path}' is not a table, because its lines have different numbers of columns")
    return {name: as_column([row[i] for row in rows[1:]]) for i, name in enumerate(rows[0])}


def read_hdf5(path):
    try:
        with h5py.File(path, "r") as file:
            names = [text(name) for name in file.attrs.get("columns", [])]
            return {name: [text(word) for word in file[name][()]] if file[name].dtype.kind in "OS" else file[name][()].astype(float)
                    for name in names}
    except OSError as error:
        raise FileError(why_not_hdf5(path, error)) from error
