"""Errors against exact solutions over the spacing of the grid, with the orders observed."""
import contextlib
import os

import numpy

from .errors import PlotError
from .figures import Picture, set_title
from .results import open_result, with_units
from .tables import Table, is_table
from .units import in_units_of, named

NORMS = ("L1", "L2", "Linf")
MARKERS = dict(zip(NORMS, "osv"))
STYLES = ("-", "--", ":", "-.")


def draw_orders(paths, fields=None, *, title=None, size=None):
    """A figure with a curve for each field and norm. `paths`: results of one case on different grids, or the table of their sweep."""
    errors, titles, units = errors_of(result_paths(paths), fields)
    if not errors:
        raise PlotError("--orders: give results on two grids or more that have an exact solution (problem.fields.FIELD.exact)"
                        + (f", of the field {', '.join(fields)}" if fields else ""))
    figure = Picture(*(size or (6.5, 5.0)))
    axes = figure.subplots()
    fields = list(dict.fromkeys(field for field, _ in errors))
    for (field, norm), points in errors.items():
        h, e = numpy.array(sorted(points, reverse=True)).T
        words = ", ".join(f"{order:.2f}" for order in orders(h, e))
        name = f"{norm} of {field}" if len(fields) > 1 else norm
        axes.loglog(h, e, marker=MARKERS[norm], linestyle=STYLES[fields.index(field) % len(STYLES)], label=f"{name}: order {words}")
    draw_slope(axes, errors)
    name_ticks(axes, sorted({h for points in errors.values() for h, _ in points}))
    axes.set_xlabel(with_units("spacing h", units))
    axes.set_ylabel(f"error of {fields[0]}" if len(fields) == 1 else "error")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize="small")
    set_title(figure, title if title is not None else titles.pop() if len(titles) == 1 else "")
    return figure


def result_paths(paths):
    paths = paths if isinstance(paths, (list, tuple)) else [paths]
    found = []
    for path in paths:
        if not isinstance(path, (str, os.PathLike)) or not is_table(path):
            found.append(path)
            continue
        table = Table(path)
        found += filter(None, (table.result_path(row) for row in range(table.rows)))
    return found


def errors_of(paths, fields=None):
    """Pairs of spacing and error for each field and norm on two grids or more, the titles of the results, and the unit of length."""
    errors, titles, units = {}, set(), ""
    with contextlib.ExitStack() as opened:
        first = None
        for path in paths:
            result = open_result(path)
            if first is None:
                first = opened.enter_context(result)
                units = first.axis_units(first.axes[-1])
            with contextlib.nullcontext() if result is first else result:
                titles.add(result.title)
                found = in_units_of(first, result, lengths=True).errors() if result.errors() else []
                for field, norm, value in found:
                    if value > 0.0 and norm in NORMS and (fields is None or field in fields):
                        check_units(field, first, result)
                        errors.setdefault((field, norm), []).append((in_units_of(first, result).mean_spacing(), value))
    return {key: points for key, points in errors.items() if len({h for h, _ in points}) > 1}, titles, units


def check_units(field, first, result):
    """Of values of which an error says how far they are off."""
    others, own = (one.units(field) if field in one.fields else "" for one in (first, in_units_of(first, result)))
    if own != others and field in first.fields and field in result.fields:
        raise PlotError(f"--orders: {field} is {named(others)} in '{first.path}' and {named(own)} in '{result.path}', and one picture cannot show both")


def orders(h, e):
    """From each grid to the next finer one."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        found = numpy.log(e[:-1] / e[1:]) / numpy.log(h[:-1] / h[1:])
    return found[numpy.isfinite(found)]


def draw_slope(axes, errors):
    """A line of the whole order that is closest to what the finest grids of the first curve show."""
    h, e = numpy.array(sorted(next(iter(errors.values())), reverse=True)).T
    observed = orders(h, e)
    order = round(observed[-1]) if observed.size else 0
    if order >= 1:
        lowest = min(error for points in errors.values() for spacing, error in points if spacing == h[-1])
        ends = numpy.array([h[-1], h[0]])
        axes.loglog(ends, 0.6 * lowest * (ends / h[-1]) ** order, color="0.5", linewidth=0.9, label=f"slope {order}")


def name_ticks(axes, spacings):
    """The grids themselves below the axis, where there are few."""
    if len(spacings) <= 8:
        axes.set_xticks(spacings, [f"{h:.6g}" for h in spacings])
        axes.set_xticks([], minor=True)
