"""An outcome of a sweep against what it sets."""
import itertools

import numpy

from .colours import plain_ticks, set_range
from .errors import PlotError
from .figures import Picture, set_title
from .quantities import check_drawable
from .sweep_labels import Labels
from .tables import Table

MOST_CURVES = 12
MOST_PANELS = 6
MARKERS = "osv^Dx"  # by which curves that lie on one another are told apart
SIZE, PLACE = "problem.subvolume.shape", "problem.subvolume.from"  # of parts of an image
MANY_WORDS = 6  # on an axis before they are turned


def draw_sweep(path, outcomes=None, against=None, *, logarithmic=False, limits=None, title=None, size=None):
    """A panel for each outcome, over the key `against`; a curve for each combination of the other keys.

    `path`: a table, or its name. `outcomes`: columns, with or without `outcome.` in front, attributes of the report, or names of what was watched. `against`: a swept key,
    by default the one with most different values. Over the size of subvolumes, a curve is the mean of those of a size, with its standard deviation.
    `limits`: the ends of the axes of outcomes. All rows are drawn in the units of the first result.
    """
    table = path if isinstance(path, Table) else Table(path)
    outcomes = [table.full_name(outcome) for outcome in outcomes or table.default_outcome()]
    if len(outcomes) > MOST_PANELS:
        raise PlotError(f"--outcome: {len(outcomes)} panels would be too small, at most {MOST_PANELS} are drawn; choose some with --outcome: "
                        + ", ".join(outcomes))
    against = against or default_key(table)
    labels = Labels(table)
    places, words = places_of(table, labels, against)
    averaged = against == SIZE and PLACE in table.swept
    curves = curves_of(table, labels, [key for key in table.swept if key != against and not (averaged and key == PLACE) and not follows(table, key, against)])
    if len(curves) > MOST_CURVES:
        raise PlotError(f"the other keys of the sweep make {len(curves)} curves, at most {MOST_CURVES} are drawn; choose another key with --against")
    figure = Picture(*(size or (7.0, 1.2 + 3.2 * len(outcomes))))
    panels = figure.subplots(len(outcomes), 1, sharex=True, squeeze=False)[:, 0]
    for axes, outcome in zip(panels, outcomes):
        values = labels.in_units(outcome, table.outcome(outcome))
        check_drawable(values, outcome)
        for (name, rows), marker in zip(curves, itertools.cycle(MARKERS)):
            rows = rows[numpy.argsort(places[rows], kind="stable")]
            look = {"marker": marker, "markersize": 5, "fillstyle": "none", "label": name}
            if averaged:
                axes.errorbar(*means_of(places[rows], values[rows]), capsize=3, **look)
            else:
                axes.plot(places[rows], values[rows], **look)
        axes.set_ylabel(labels.label(outcome) + (",\nmean and standard deviation" if averaged else ""))
        axes.grid(alpha=0.3)
        if logarithmic:
            axes.set_yscale("log")
        else:
            plain_ticks(axes.yaxis)
        set_range(axes, limits)
        if len(curves) > 1:
            axes.legend(fontsize="small")
    label_places(panels[-1], labels.label(against), places, words)
    set_title(figure, title if title is not None else labels.title or f"Sweep {table.name}")
    return figure


def default_key(table):
    if not table.swept:
        raise PlotError(f"'{table.path}' is the table of a batch without a sweep; choose a column with --against")
    return max(table.swept, key=lambda key: (not isinstance(table.columns[key], list), len(set(map(str, table.columns[key])))))


def places_of(table, labels, key):
    """Where the rows stand along the axis, and the words below it: none where the values are numbers."""
    values = labels.in_units(key, table.column(key))
    if not isinstance(values, list):
        return values, None
    words = list(dict.fromkeys(values))
    return numpy.array([float(words.index(value)) for value in values]), words


def follows(table, key, other):
    """Whether a key has one value for each value of the other, as a spacing has for each shape."""
    pairs = set(zip(map(str, table.columns[key]), map(str, table.column(other))))
    return len(pairs) == len({value for _, value in pairs})


def curves_of(table, labels, keys):
    """A name and the rows of each combination of values."""
    columns = {key: labels.in_units(key, table.columns[key]) for key in keys}
    rows = {}
    for row in range(table.rows):
        rows.setdefault(labels.setting(row, columns), []).append(row)
    return [(name, numpy.array(members)) for name, members in rows.items()]


def means_of(places, values):
    """The different places, and mean and standard deviation of the values there; one value deviates by 0, and none is NaN."""
    where = numpy.unique(places)
    groups = [values[(places == place) & numpy.isfinite(values)] for place in where]
    means = [group.mean() if group.size else numpy.nan for group in groups]
    return where, means, [group.std(ddof=1) if group.size > 1 else 0.0 for group in groups]


def label_places(axes, label, places, words):
    axes.set_xlabel(label)
    finite = places[numpy.isfinite(places)]
    if words is not None:
        turned = len(words) > MANY_WORDS or max(map(len, words)) > 12
        axes.set_xticks(range(len(words)), words, rotation=30 if turned else 0, ha="right" if turned else "center")
    elif finite.size and finite.min() > 0.0 and finite.max() > 50.0 * finite.min():
        axes.set_xscale("log")
    else:
        plain_ticks(axes.xaxis, 8)
