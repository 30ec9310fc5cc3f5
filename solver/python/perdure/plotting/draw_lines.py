"""Values along a line through results: along an axis through cell centres, or straight from one point to another."""
import dataclasses
import itertools

import numpy

from .colours import make_logarithmic, plain_ticks, set_range
from .errors import PlotError
from .figures import Picture, set_title
from .quantities import Quantity, check_drawable, index_at
from .results import with_units
from .units import open_alike

POINTS = 400  # of a line between two points


@dataclasses.dataclass
class Line:
    """`axis`, or the points `begin` and `end` in the order x, y, z."""

    axis: str = None
    begin: tuple = ()
    end: tuple = ()


def parse_line(words):
    """`x`, or two points as in `0,0.5:1,0.5`."""
    if words in ("x", "y", "z"):
        return Line(axis=words)
    try:
        begin, end = (tuple(float(number) for number in point.split(",")) for point in words.split(":"))
    except ValueError:
        raise PlotError(f"--line {words}: give an axis, as in --line x, or two points, as in --line 0,0.5:1,0.5") from None
    if len(begin) != len(end) or begin == end:
        raise PlotError(f"--line {words}: give two different points with as many coordinates")
    return Line(begin=begin, end=end)


def draw_line(paths, line, fields=None, *, at=None, component=None, snapshots=None, logarithmic=False, limits=None, title=None,
              size=None, note=lambda text: None):
    """A figure with a curve for each field, snapshot and result.

    `line`: an axis or two points, as parse_line() reads them. `at`: pairs of an axis and a place, where a line along an axis passes; the middle
    of axes that it does not name. `limits`: the ends of the axis of values. Several results are drawn in the units of the first.
    """
    line = line if isinstance(line, Line) else parse_line(line)
    results = open_alike(paths, lengths=True)
    figure = Picture(*(size or (7.0, 4.5)))
    axes = figure.subplots()
    quantities = [Quantity(result, field, component, snapshot, note)
                  for result in results for field in fields or [None] for snapshot in snapshots or [None]]
    styles = itertools.cycle(["-", "--", ":", "-."])
    style_of = {}
    sampled = [samples(quantity, line, at or []) for quantity in quantities]
    places = {where for _, _, where in sampled}
    for quantity, (along, values, where) in zip(quantities, sampled):
        check_drawable(values, quantity.label)
        style = style_of.setdefault(quantity.name, next(styles) if quantity.name not in style_of else "")
        axes.plot(along, values, style, label=name_of(quantity, quantities, where if len(places) > 1 else ""), marker="." if len(along) <= 40 else None)
    axes.set_xlabel(results[0].axis_label(line.axis) if line.axis else with_units("distance", results[0].axis_units("x")))
    labels = list(dict.fromkeys(quantity.label for quantity in quantities))
    axes.set_ylabel(labels[0] if len(labels) == 1 else common_units(quantities))
    if logarithmic:
        make_logarithmic(axes)
    else:
        plain_ticks(axes.yaxis)
    set_range(axes, limits)
    plain_ticks(axes.xaxis, 8)
    axes.grid(alpha=0.3)
    if len({line.get_label() for line in axes.lines}) > 1:
        axes.legend(fontsize="small", **({} if len(quantities) <= 6 else {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}))
    if title != "":
        axes.set_title(", ".join(filter(None, [*(places if len(places) == 1 else ()), results[0].time_text(quantities[0].snapshot) if same_time(quantities) else ""])),
                       fontsize="medium")
        titles = {result.title for result in results}
        set_title(figure, title if title is not None else titles.pop() if len(titles) == 1 else "")
    return figure


def common_units(quantities):
    units = {quantity.units for quantity in quantities}
    return with_units("value", units.pop()) if len(units) == 1 else "value"


def same_time(quantities):
    return len({quantity.result.time_text(quantity.snapshot) for quantity in quantities}) == 1


def name_of(quantity, among, where):
    """What tells a curve from the others: file, field, time, and where it lies, if the others lie elsewhere."""
    several_files = len({other.result.path for other in among}) > 1
    several_labels = len({other.label for other in among}) > 1
    words = [quantity.result.name if several_files else "", quantity.label if several_labels else "",
             "" if same_time(among) else quantity.result.time_text(quantity.snapshot), where]
    return ", ".join(filter(None, words))


def samples(quantity, line, at):
    """Places along the line, values there, and where the line lies, in words."""
    if line.axis is not None:
        return along_axis(quantity, line.axis, dict(at))
    if at:
        raise PlotError("--at belongs to a line along an axis; remove it, because two points already define the line")
    return between(quantity, line)


def along_axis(quantity, axis, at):
    result = quantity.result
    unknown = [named for named in at if named is None or named == axis]
    if unknown or axis not in result.axes:
        raise PlotError(f"--line {axis} --at: name places on the other axes, as in --at y=0.5; "
                        f"the axes of '{result.path}' are {', '.join(reversed(result.axes))}")
    place, where = [], []
    for other in result.axes:
        if other == axis:
            place.append(slice(None))
            continue
        index = index_at(result, other, at[other]) if other in at else result.centres(other).size // 2
        place.append(index)
        units = result.axis_units(other)
        where.append(f"{other} = {result.centres(other)[index]:g}" + (f" {units}" if units else ""))
    return result.centres(axis), quantity.at(place), ", ".join(reversed(where))


def count_of(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def between(quantity, line):
    """Linear between cell centres; within half a cell of a side, the value of the cell there."""
    result = quantity.result
    if len(line.begin) != len(result.axes):
        raise PlotError(f"--line: '{result.path}' has {count_of(len(result.axes), 'dimension')}, the points have "
                        f"{count_of(len(line.begin), 'coordinate')}")
    begin, end = (numpy.array(point[::-1]) for point in (line.begin, line.end))
    for point in (line.begin, line.end):
        for axis, position in zip("xyz", point):
            low, high = result.edges(axis)
            if not low <= position <= high:
                raise PlotError(f"--line: {axis} = {position:g} lies outside; {axis} goes from {low:g} to {high:g} in '{result.path}'")
    share = numpy.linspace(0.0, 1.0, POINTS)
    below, weight = [], []
    for i, axis in enumerate(result.axes):
        cells = result.centres(axis).size
        position = (begin[i] + share * (end[i] - begin[i]) - result.edges(axis)[0]) / result.spacing(axis) - 0.5
        position = numpy.clip(position, 0.0, cells - 1.0)
        below.append(numpy.minimum(position.astype(int), max(cells - 2, 0)))
        weight.append(position - below[-1])
    box = [slice(lowest.min(), lowest.max() + 2) for lowest in below]  # around the line
    near = quantity.at(tuple(box))
    below = [lowest - part.start for lowest, part in zip(below, box)]
    values = numpy.zeros(POINTS)
    for corner in itertools.product((0, 1), repeat=len(below)):
        shares = numpy.prod([w if up else 1.0 - w for up, w in zip(corner, weight)], axis=0)
        cell = tuple(numpy.minimum(i + up, size - 1) for i, up, size in zip(below, corner, near.shape))
        values += numpy.where(shares > 0.0, shares * numpy.where(shares > 0.0, near[cell], 0.0), 0.0)
    where = " to ".join("(" + ", ".join(f"{number:g}" for number in point) + ")" for point in (line.begin, line.end))
    return share * numpy.linalg.norm(end - begin), values, f"from {where}"
