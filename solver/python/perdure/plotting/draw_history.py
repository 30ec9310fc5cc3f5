"""Residuals, or what else a run looked at, over its iterations."""
import numpy

from .errors import PlotError
from .figures import Picture, set_title
from .quantities import check_drawable
from .results import open_results


def draw_history(paths, *, title=None, size=None):
    """A figure with a curve for each result, and the tolerance where a steady run had one."""
    results = open_results(paths)
    figure = Picture(*(size or (7.0, 4.5)))
    axes = figure.subplots()
    norms, everything = set(), []
    for result in results:
        history = result.history()
        if history is None:
            raise PlotError(f"'{result.path}' has no history, because the run made no checks")
        iterations, residuals, norm = history
        norms.add(norm)
        check_drawable(residuals, f"the history of '{result.path}'")
        everything.append(residuals[numpy.isfinite(residuals)])
        solves = solves_of(iterations)
        for solve, name in zip(solves, names_of(result, len(solves), len(results))):
            axes.plot(iterations[solve], residuals[solve], marker="." if len(iterations) <= 60 else None, label=name)
        tolerance = float(result.report_value("tolerance", 0.0))
        if result.is_steady and len(results) == 1 and tolerance > 0.0:
            axes.axhline(tolerance, color="black", linestyle="--", linewidth=0.8, label=f"tolerance {tolerance:.3g}")
    values = numpy.concatenate(everything)
    if values.size and values.min() > 0.0 and values.max() > 20.0 * values.min():
        axes.set_yscale("log")
    axes.set_xlabel("iteration" if all(result.is_steady for result in results) else "time step")
    axes.set_ylabel(label_of(norms))
    axes.grid(alpha=0.3)
    if len(axes.lines) > 1:
        axes.legend(fontsize="small")
    if title != "":
        titles = {result.title for result in results}
        set_title(figure, title if title is not None else titles.pop() if len(titles) == 1 else "")
    return figure


def solves_of(iterations):
    """Parts of a history: a run that solves several systems counts each from 0."""
    again = [i for i in range(1, len(iterations)) if iterations[i] <= iterations[i - 1]]
    ends = [0, *again, len(iterations)]
    return [slice(begin, end) for begin, end in zip(ends, ends[1:])]


def names_of(result, solves, results):
    """Of each solve of a result: the file where there are several, and the direction of an effective property.

    A history is that of the last directions.
    """
    directions = result.directions()
    parts = [f"direction {word}" for word in directions[-solves:]] if len(directions) >= solves > 0 else [""] * solves
    file = result.name if results > 1 else ""
    return [", ".join(filter(None, [file, part])) or "residual" for part in parts]


def label_of(norms):
    """`residual, l2 norm`; what a run in time looks at has its own words, such as max |u|."""
    words = {"l2": "residual, L2 norm", "max": "residual, maximum norm", "linf": "residual, maximum norm"}
    return ", ".join(sorted(words.get(norm, norm) for norm in norms))
