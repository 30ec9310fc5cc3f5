"""`perdure plot`: what the options ask for, drawn and written."""
import os
import sys

from . import figures
from .draw_difference import draw_difference
from .draw_history import draw_history
from .draw_lines import draw_line
from .draw_orders import draw_orders
from .draw_planes import draw_slices
from .draw_series import draw_series
from .draw_sweep import draw_sweep
from .errors import PlotError
from .film import draw_film
from .options import read_options

ENDS = {"slices": "", "line": "_line", "history": "_history", "series": "_series", "sweep": "_sweep", "orders": "_orders",
        "difference": "_difference"}
COMMON = {"title", "no_title", "x_label", "y_label", "size", "dpi", "output", "format"}
PLANES = COMMON | {"field", "component", "axis", "slice", "at", "scale", "middle", "colours", "range", "own_scales", "contours", "arrows",
                   "streamlines"}
BELONG = {  # the options that each kind of picture takes
    "slices": PLANES | {"snapshot"},
    "difference": PLANES | {"snapshot"},
    "film": (PLANES | {"rate"}) - {"dpi", "format"},
    "line": COMMON | {"field", "component", "at", "snapshot", "log", "range"},
    "history": COMMON,
    "series": COMMON | {"only", "log", "together", "range"},
    "sweep": COMMON | {"outcome", "against", "log", "range"},
    "orders": COMMON | {"field"},
    "report": {"title"},
}


def note(text):
    print(text, file=sys.stderr)


def main(arguments=None):
    """Returns the exit code: 0, or 2 with a message on standard error."""
    try:
        given = read_options(sys.argv[1:] if arguments is None else arguments)
        check_options(given)
        for written in draw(given):
            print(written)
    except PlotError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"error: '{error.filename}' cannot be read or written: {error.strerror}" if error.filename else f"error: {error}", file=sys.stderr)
        return 6
    return 0


def check_options(given):
    """An option that this kind of picture does not know would be lost without a word."""
    values = {name: value for name, value in vars(given).items() if name not in ("files", "kind", given.kind)}
    for name, value in values.items():
        if value is not None and value is not False and value != "" and name not in BELONG[given.kind]:
            takers = [f"--{kind}" if kind != "slices" else "planes" for kind, names in BELONG.items() if name in names]
            raise PlotError(f"--{name.replace('_', '-')} does not belong to {'planes' if given.kind == 'slices' else '--' + given.kind}; "
                            f"it belongs to {', '.join(takers)}" + ("; planes have --scale log" if name == "log" else ""))
    if given.range == "field" and given.kind in ("line", "series", "sweep"):
        raise PlotError(f"--range field belongs to planes; with --{given.kind} give two numbers, as in --range 0 1")
    if given.kind == "sweep" and len(given.files) > 1:
        raise PlotError("--sweep: give one table; perdure table merges several")


def draw(given):
    """Draws and writes. Returns the names of what was written."""
    stem = os.path.splitext(given.output or given.files[0])[0]
    if given.kind == "film":
        return draw_film(given.files, stem, rate=10.0 if given.rate is None else given.rate, x_label=given.x_label, y_label=given.y_label,
                         **planes(given))
    if given.kind == "report":
        from .report import write_report  # what pictures alone need not load
        return [write_report(given.report, given.files, title=given.title)]
    output = given.output or f"{stem}{ENDS[given.kind]}.{given.format or 'png'}"
    figures.format_of(output)
    figure = figure_of(given)
    figures.set_labels(figure, given.x_label, given.y_label)
    figures.save(figure, output, 150 if given.dpi is None else given.dpi)
    return [output]


def planes(given):
    look = {"scale": given.scale or "linear", "colours": given.colours, "middle": given.middle or 0.0, "limits": given.range,
            "own_scales": given.own_scales, "contours": given.contours, "arrows": given.arrows, "streamlines": given.streamlines}
    return {"fields": given.field, "axes": given.axis, "slices": given.slice, "at": given.at, "component": given.component, "note": note,
            "title": given.title, "size": given.size, **look}


def figure_of(given):
    about = {"title": given.title, "size": given.size}
    if given.kind == "slices":
        return draw_slices(given.files, snapshots=given.snapshot, **planes(given))
    if given.kind == "difference":
        options = planes(given)
        fields = options.pop("fields") or [None]
        if len(fields) > 1:
            raise PlotError("--difference draws one field only")
        return draw_difference(given.files, fields[0], snapshots=given.snapshot, **options)
    if given.kind == "line":
        return draw_line(given.files, given.line, given.field, at=given.at, component=given.component, snapshots=given.snapshot,
                         logarithmic=given.log, limits=given.range, note=note, **about)
    if given.kind == "history":
        return draw_history(given.files, **about)
    if given.kind == "series":
        return draw_series(given.files, [name for words in given.only or [] for name in words.split(",") if name], logarithmic=given.log,
                           together=given.together, limits=given.range, **about)
    if given.kind == "sweep":
        return draw_sweep(given.files[0], given.outcome, given.against, logarithmic=given.log, limits=given.range, **about)
    return draw_orders(given.files, given.field, **about)
