"""What a page says of one result: outcome, case, times, pictures."""
import numpy

from . import html_parts as html
from .draw_history import draw_history, label_of
from .draw_planes import draw_slices
from .draw_series import MOST_PANELS, draw_series, variables_of
from .quantities import Quantity
from .results import text

MOST_FIELDS = 6
CURVES = (5.2, 3.4)  # inches: letters can be read on a phone
GOOD = ("converged", "complete", "stop_when")
WAITED = ("start", "read", "sample", "plan", "compile", "upload", "launch", "download", "compress", "snapshot_wait", "write", "other")


def result_section(result, name, place, shows_case=True):
    parts = [f'<section aria-labelledby="{place}"><h2 id="{place}">{html.escape(name)}</h2>', outcome(result)]
    if result.effective():
        parts.append(effective(result))
    parts += ["<h3>Fields</h3>", *fields(result)] if result.fields else []
    if result.history() is not None:
        parts += ["<h3>History</h3>", history(result)]
    if result.watched() and result.watch_times().size:
        parts += ["<h3>What was watched</h3>", series(result)]
    parts += ["<h3>Where the time went</h3>", times(result)]
    if result.case_text():
        parts += ["<h3>Case</h3>", html.details("The case file", f"<pre tabindex=\"0\">{html.escape(result.case_text())}</pre>", shows_case)]
    parts.append(html.details("Every number of the report", everything(result)))
    return "\n".join(parts) + "\n</section>"


def outcome(result):
    """The stop reason, and what describes the run in a few lines."""
    value = result.report_value
    words = str(value("stop_reason", "unknown"))
    mark = "outcome" if words.startswith(GOOD) else "outcome bad"
    grid = " x ".join(str(result.centres(axis).size) for axis in result.axes) + " cells, " + ", ".join(result.axes)
    steady = result.is_steady
    time_units = "" if steady else result.time_text(result.times.size - 1).removeprefix("time ")
    counted = "iterations" if steady else "time steps"
    tolerance = value("tolerance", 0.0)
    residual = f"{value('residual'):.4g}" + (f" (tolerance {tolerance:.4g})" if tolerance else "") if value("residual") is not None else None
    excluded = value("excluded_cells", 0)
    pairs = [("Grid", grid), ("Solid or cut-off cells", int(excluded) if excluded else None), ("Method", value("method")),
             (counted.capitalize(), value("iterations")), (sentence(label_of([str(value("norm", "l2"))])), residual),
             ("Time reached", time_units), ("Device", f"{value('device')}, {value('precision')}, {value('model')}"),
             ("Wall time", f"{value('total_seconds', 0.0):.4g} s"), ("Program", text(result.file.attrs.get("source", ""))),
             ("File", result.path)]
    pairs += [(f"Error of {field}, {norm}", f"{number:.4g}") for field, norm, number in result.errors()]
    return f'<p class="{mark}">{html.escape(words)}</p>' + html.facts(pairs)


def sentence(words):
    """Residual, not residual; but max |u| stays as it is."""
    return words[0].upper() + words[1:] if words.startswith("residual") else words


def fields(result):
    """Scalars as they are, vectors as magnitudes; the first and the last snapshot where there are several."""
    snapshots = [0, result.times.size - 1] if result.is_temporal and result.times.size > 1 else [None]
    axes = ["z", "y", "x"] if len(result.axes) == 3 else None
    ordered = sorted(result.fields, key=result.is_vector)
    shown = ordered[:MOST_FIELDS]
    for field in shown:
        def draw(field=field):
            return draw_slices(result, [field], axes=axes, snapshots=snapshots, title="", long_side=4.2)

        yield html.picture(draw, field_words(result, field, snapshots), caption(result, field, snapshots), "png",
                           many=axes is not None or len(snapshots) > 1)
    if len(shown) < len(ordered):
        yield f"<p>Further fields: {html.escape(', '.join(ordered[MOST_FIELDS:]))}.</p>"


def caption(result, field, snapshots):
    where = "planes through the middle" if len(result.axes) == 3 else "all cells"
    when = " at the first and the last snapshot" if len(snapshots) > 1 else ""
    return f"{Quantity(result, field).label}: {where}{when}"


def field_words(result, field, snapshots):
    """For those who do not see the picture: between what the values lie."""
    sentences = []
    for snapshot in snapshots:
        quantity = Quantity(result, field, snapshot=snapshot)
        low, high = quantity.limits()
        time = result.time_text(quantity.snapshot)
        reach = "has no values" if low is None else f"lies between {low:.4g} and {high:.4g}"
        sentences.append(f"{quantity.label} {reach}" + (f" at {time}" if time else ""))
    return "Picture of a field: " + "; ".join(sentences)


def effective(result):
    group = result.effective()
    columns = [name for name in ("coefficient", "tortuosity", "inflow", "outflow", "iterations", "percolates") if name in group]
    rows = [[direction] + ["yes" if name == "percolates" and group[name][i] else "no" if name == "percolates" else html.number(group[name][i], 9)
                           for name in columns] for i, direction in enumerate(group["direction"])]
    return "<h3>Effective properties</h3>" + html.table("Effective properties by direction", ["direction", *columns], rows,
                                                        [False] + [True] * len(columns))


def history(result):
    iterations, residuals, norm = result.history()
    finite = residuals[numpy.isfinite(residuals)]
    about = label_of([norm])
    words = f"Curve of {about} at {len(iterations)} checks"
    if finite.size:
        words += f", from {finite[0]:.3g} to {finite[-1]:.3g}"
    return html.picture(lambda: draw_history(result, title="", size=CURVES), words, f"{sentence(about)}, at each check")


def series(result):
    watched = variables_of(result, None)
    shown = list(watched)[:MOST_PANELS]
    words = [f"{name} ends at {watched[name].values[-1]:.4g}" for name in shown if watched[name].distance is None]
    inside = html.picture(lambda: draw_series(result, shown, title=""), "Curves through time. " + "; ".join(words), "What the run watched through time",
                          many=len(shown) > 4)
    left = len(watched) - len(shown)
    return inside + (f"<p>{left} more are in the group /series of the file.</p>" if left else "")


def times(result):
    """What the command waited for; what threads did meanwhile is not part of it."""
    named = [(part.replace("_", " "), float(result.report_value(f"{part}_seconds", 0.0))) for part in WAITED]
    meanwhile = [f"{name.removesuffix('_background_seconds')} {float(result.report[name]):.3g} s" for name in sorted(result.report)
                 if name.endswith("_background_seconds") and result.report[name] > 0.0]
    return (html.bars("Seconds of wall time by part of the run", [(part, seconds) for part, seconds in named if seconds > 0.0])
            + (f"<p>Threads in the background took, meanwhile: {html.escape(', '.join(meanwhile))}.</p>" if meanwhile else ""))


def everything(result):
    pairs = [(name, as_words(result.report[name])) for name in sorted(result.report) if name != "json"]
    return html.facts(pairs)


def as_words(value):
    if isinstance(value, numpy.ndarray):
        return "; ".join(as_words(one) for one in value.ravel())
    return text(value) if isinstance(value, (bytes, str)) else html.number(value, 10)
