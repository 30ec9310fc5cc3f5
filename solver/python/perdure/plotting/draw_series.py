"""What runs watched through time: a panel for each variable, in it a curve for each run; of a line of points a picture over time and distance."""
import dataclasses
import itertools

from .colours import make_logarithmic, plain_ticks, set_range
from .errors import PlotError
from .figures import Picture, set_title
from .quantities import check_drawable
from .results import Grid, Watched, with_units
from .units import open_alike

MOST_PANELS = 12
NOTHING = "nothing was watched; name what to watch in the section watch of the case"


@dataclasses.dataclass
class Curve:
    """What one result watched under a name."""

    name: str
    result: Grid
    watched: Watched


def draw_series(paths, only=None, *, logarithmic=False, together=False, limits=None, title=None, size=None):
    """A figure of all that was watched, or of the names in `only`; with `together` in one panel for each unit, in which values can be compared.

    `limits`: the ends of the axes of values. Several results are drawn in the units of the first; values whose units differ have panels of their own.
    """
    results = open_alike(paths, times=True)
    watched = [variables_of(result, only) for result in results]
    names = list(dict.fromkeys(itertools.chain(*watched)))
    panels = panels_of(results, watched, names, together)
    if len(panels) > MOST_PANELS:
        raise PlotError(f"{len(panels)} panels would be too small, at most {MOST_PANELS} are drawn; choose some with --only: " + ", ".join(names))
    columns = 1 if len(panels) <= 4 else 2
    rows = -(-len(panels) // columns)
    figure = Picture(*(size or (7.0 * columns, 1.0 + 2.4 * rows)))
    grid = list(figure.subplots(rows, columns, sharex=True, squeeze=False).flat)
    for axes, curves in zip(grid, panels):
        if curves[0].watched.distance is None:
            draw_curves(axes, curves, len(results) > 1, logarithmic, limits)
        else:
            draw_points(figure, axes, curves[0], len(results) > 1, limits)
    for axes in grid[len(panels):]:
        axes.set_visible(False)
    for axes in grid[max(0, len(panels) - columns):len(panels)]:
        axes.set_xlabel(with_units("time", results[0].time_units))
        axes.tick_params(labelbottom=True)
    titles = {result.title for result in results}
    set_title(figure, title if title is not None else titles.pop() if len(titles) == 1 else "")
    return figure


def variables_of(result, only):
    """What was watched: those named, else all."""
    found = result.watched()
    if not found or result.watch_times().size == 0:
        raise PlotError(f"'{result.path}': {NOTHING}")
    unknown = [name for name in only or [] if name not in found]
    if unknown:
        raise PlotError(f"nothing named '{unknown[0]}' was watched; the names are: {', '.join(found)}")
    return {name: found[name] for name in only or found}


def panels_of(results, watched, names, together):
    """The curves of each panel: of a name and a unit, or `together` of a unit; a line of points has a panel for itself."""
    panels = {}
    for name in names:
        for number, (result, found) in enumerate(zip(results, watched)):
            if name in found:
                one = found[name]
                check_drawable(one.values, name)
                key = (name, number) if one.distance is not None else ("units", one.units) if together else (name, one.units)
                panels.setdefault(key, []).append(Curve(name, result, one))
    return list(panels.values())


def draw_curves(axes, curves, named, logarithmic, limits):
    names = list(dict.fromkeys(curve.name for curve in curves))
    for curve in curves:
        time = curve.result.watch_times()
        label = ", ".join(([curve.name] if len(names) > 1 else []) + ([curve.result.name] if named or len(names) == 1 else []))
        axes.plot(time, curve.watched.values, marker="." if len(time) < 40 else None, label=label)
    axes.set_ylabel(with_units(names[0] if len(names) == 1 else "value", curves[0].watched.units))
    axes.grid(alpha=0.3)
    if logarithmic:
        make_logarithmic(axes)
    else:
        plain_ticks(axes.yaxis)
    set_range(axes, limits)
    if named or len(names) > 1:
        axes.legend(fontsize="small")


def draw_points(figure, axes, curve, named, limits):
    name, result, one = curve.name, curve.result, curve.watched
    picture = axes.pcolormesh(result.watch_times(), one.distance, one.values.T, shading="nearest", rasterized=True)
    if limits is not None:
        picture.set_clim(*limits)
    axes.set_ylabel(with_units("distance", one.distance_units))
    if named:
        axes.set_title(result.name, fontsize="medium")
    bar = figure.colorbar(picture, ax=axes, label=with_units(name, one.units))
    plain_ticks(bar.ax.yaxis)
