"""Columns of a table of a sweep in words, with the units that its results have, all rows in those of the first."""
import dataclasses
import re

import numpy

from .errors import PlotError
from .results import Result, text, with_units
from .units import converted, named, ratio_of

LENGTHS = re.compile(r"grid\.(spacing|length|origin)|watch\.probes\..+\.[xyz]|watch\.integrals\..+\.flux\.[xyz]")
TIMES = re.compile(r"time|time\.(start|end|dt|snapshots|snapshots\.every)|watch\.every")
WORDS = {"grid.length": "length of the grid", "grid.spacing": "spacing of the grid", "grid.shape": "cells of the grid", "grid.origin": "origin of the grid",
         "time": "time reached", "time.start": "start time", "time.end": "end time", "time.dt": "time step", "watch.every": "time between watched values",
         "problem.subvolume.shape": "cells along an edge of the subvolume"}
RULES = ((r"(?:outcome\.)?mean_(.+)", r"mean of \1"), (r"outcome\.(.+)", r"\1"), (r"effective\.([xyz])\.(.+)", r"effective \2 along \1"),
         (r"errors\.(.+)\.(L1|L2|Linf)", r"\2 error of \1"), (r"boundary\.all\.(.+)", r"\1 at all sides"),
         (r"boundary\.([xyz][-+])\.(.+)", r"\2 at \1"), (r"problem\.parameters\.([^.]+)(\.value)?", r"\1"),
         (r"problem\.(.+)", r"\1"), (r"(.+)_seconds", r"\1 time"))
LONGEST = 40  # of meanings, in letters


def words_of(column):
    """`problem.sigma` is sigma, `boundary.x+.exchange.coefficient` is exchange coefficient at x+."""
    if column in WORDS:
        return WORDS[column]
    for pattern, words in RULES:
        if re.fullmatch(pattern, column):
            column = re.sub(pattern, words, column)
            break
    return re.sub(r"[._]+", " ", column)


@dataclasses.dataclass
class About:
    """What a result says of units. `watched`: units and meaning of what was watched, by name; `fields`: units of fields."""

    title: str
    length: str
    time: str
    watched: dict
    fields: dict

    @staticmethod
    def read(path):
        with Result(path) as result:
            watched = {name: (one.units, text(result.file["series"][name].attrs.get("long_name", ""))) for name, one in result.watched().items()}
            return About(result.title, result.axis_units(result.axes[-1]), result.time_units, watched, {name: result.units(name) for name in result.fields})

    def units(self, column):
        """Empty where there are none."""
        if LENGTHS.fullmatch(column):
            return self.length
        if TIMES.fullmatch(column):
            return self.time
        if column.endswith("_seconds"):
            return "s"
        name = column.removeprefix("outcome.")
        return self.watched[name][0] if name in self.watched else self.fields.get(name.removeprefix("mean_"), "") if name.startswith("mean_") else ""


class Labels:
    """`title`: that of the cases; empty where they have several, or no results."""

    def __init__(self, table):
        self.table = table
        setting = [key for key in table.swept if "unit" in key]  # members of a case have the same units, if the sweep does not set them
        groups = [(table.columns["case"][row], *(str(table.columns[key][row]) for key in setting)) for row in range(table.rows)]
        first, self.about, self.units = {}, {}, {}
        for row, group in enumerate(groups):
            path = table.result_path(row) if group not in first else None
            if path is None:
                continue
            try:
                self.about[path] = About.read(path)
                first[group] = path
            except PlotError:
                continue  # a run that failed; another one of the group may have a result
        self.paths = [first.get(group) for group in groups]  # of each row, a result that has its units
        titles = {about.title for about in self.about.values()}
        self.title = titles.pop() if len(titles) == 1 else ""

    def in_units(self, column, values):
        """Values of the column, all in the units of the first result that has some; these become the column's `units`."""
        there = [path if path is not None and (isinstance(value, str) or numpy.isfinite(value)) else None for path, value in zip(self.paths, values)]
        own = {path: self.about[path].units(column) for path in there if path is not None}
        first = next((path for path, units in own.items() if units), None)
        units = self.units[column] = own[first] if first is not None else "s" if column.endswith("_seconds") else ""
        if set(own.values()) <= {units}:
            return values
        for path, others in own.items():
            if others != units and (ratio_of(others, units) is None or isinstance(values, list)):
                raise PlotError(f"{column} is {named(units)} in '{first}' and {named(others)} in '{path}', and one axis cannot show both")
        return numpy.array([value if path is None else converted(value, own[path], units) for value, path in zip(values, there)])

    def words(self, column):
        """The name of the column where its words would be those of another key, too."""
        words = words_of(column)
        return column if words in [words_of(key) for key in self.table.swept if key != column] else words

    def label(self, column):
        """`end time [s]`; of what was watched with its meaning, as in m (mean of u) [K]."""
        name = column.removeprefix("outcome.")
        words = self.words(column)
        meant = next((about.watched[name][1] for about in self.about.values() if name in about.watched), None)
        if meant is not None:
            words = f"{name} ({meant})" if meant not in ("", name) and len(meant) <= LONGEST else name
        return with_units(words, self.units[column])

    def setting(self, row, columns):
        """`sigma = 3, end time = 10 s`: of each key its value in a row, by columns of values."""
        named_values = [(self.words(key), values[row], self.units[key]) for key, values in columns.items()]
        return ", ".join(f"{words} = {value if isinstance(value, str) else format(value, 'g')}" + (f" {units}" if units else "")
                         for words, value, units in named_values)
