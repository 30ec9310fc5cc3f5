"""What runs watched through time: a panel for each variable, in it a curve for each run; of a line of points a picture over time and distance."""
import itertools

from .colours import plain_ticks
from .errors import PlotError
from .figures import Picture, set_title
from .results import open_results, with_units

MOST_PANELS = 12
NOTHING = "nothing was watched; the case's section watch says what is"


def draw_series(paths, only=None, *, logarithmic=False, title=None, size=None):
    """A figure of all that was watched, or of the names in `only`."""
    results = open_results(paths)
    watched = [variables_of(result, only) for result in results]
    names = list(dict.fromkeys(itertools.chain(*watched)))
    if len(names) > MOST_PANELS:
        raise PlotError(f"{len(names)} panels would be too small, at most {MOST_PANELS} are drawn; name some with --only: " + ", ".join(names))
    panels = []
    for name in names:
        having = [(result, found[name]) for result, found in zip(results, watched) if name in found]
        panels += [(name, having)] if having[0][1].distance is None else [(name, [one]) for one in having]
    columns = 1 if len(panels) <= 4 else 2
    rows = -(-len(panels) // columns)
    figure = Picture(*(size or (7.0 * columns, 1.0 + 2.4 * rows)))
    grid = list(figure.subplots(rows, columns, sharex=True, squeeze=False).flat)
    for axes, (name, having) in zip(grid, panels):
        if having[0][1].distance is None:
            draw_curves(axes, name, having, len(results) > 1, logarithmic)
        else:
            draw_points(figure, axes, name, *having[0], len(results) > 1)
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
        raise PlotError(f"nothing named '{unknown[0]}' was watched; there are: {', '.join(found)}")
    return {name: found[name] for name in only or found}


def draw_curves(axes, name, having, named, logarithmic):
    for result, one in having:
        time = result.watch_times()
        axes.plot(time, one.values, marker="." if len(time) < 40 else None, label=result.name)
    axes.set_ylabel(with_units(name, having[0][1].units))
    axes.grid(alpha=0.3)
    if logarithmic:
        axes.set_yscale("log")
    else:
        plain_ticks(axes.yaxis)
    if named:
        axes.legend(fontsize="small")


def draw_points(figure, axes, name, result, one, named):
    picture = axes.pcolormesh(result.watch_times(), one.distance, one.values.T, shading="nearest", rasterized=True)
    axes.set_ylabel(with_units("distance", one.distance_units))
    if named:
        axes.set_title(result.name, fontsize="medium")
    bar = figure.colorbar(picture, ax=axes, label=with_units(name, one.units))
    plain_ticks(bar.ax.yaxis)
