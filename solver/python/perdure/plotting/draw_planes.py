"""Pictures of planes through fields, side by side, with contours, arrows and streamlines."""
import dataclasses
import math
import os

import numpy
from matplotlib import colors, patheffects, ticker

from . import colours
from .draw_lines import draw_line
from .errors import PlotError
from .figures import Picture, set_title
from .quantities import LARGEST, SMALLEST, Plane, Quantity, check_drawable, limits_of, planes_of
from .units import open_alike

MOST_PANELS = 16
MOST_COLUMNS = 4
MOST_CELLS = 4000  # of a picture along an axis; of more, which no screen shows, some are left out
ROOM = 0.2  # inches at each side of a panel, so that the label of a colour bar stands clear of the next panel's axis
THINNEST = 8.0  # times as long as wide; thinner domains are stretched to this


@dataclasses.dataclass
class Look:
    """How planes are drawn. `limits`: two numbers, "field" for those of all cells, or None for those of what is drawn."""

    scale: str = "linear"
    colours: str = None
    middle: float = 0.0
    limits: object = None
    own_scales: bool = False
    contours: object = None  # a number of lines, or a list of values
    arrows: str = None  # a vector field
    streamlines: str = None
    title: object = None  # None: that of the result; "": none
    size: tuple = None  # width and height in inches
    long_side: float = 5.6  # of a single plane, in inches, where there is no size


@dataclasses.dataclass
class Panel:
    """One plane of one quantity; `values` instead of what the quantity has there, such as a difference."""

    quantity: Quantity
    plane: Plane
    values: numpy.ndarray = None
    title: str = ""
    label: str = ""
    scale: str = None  # None: that of the look

    def __post_init__(self):
        if self.values is None:
            self.values = self.plane.values(self.quantity)
        self.label = self.label or self.quantity.label


def draw_slices(paths, fields=None, *, axes=None, slices=None, at=None, component=None, snapshots=None, note=lambda text: None, **look):
    """A figure with each field in each plane at each snapshot of each result; results of one dimension are curves.

    `paths`: names of files or open results, one or a list. `axes`, `slices`, `at`: see planes_of(). Others are those of Look.
    """
    results = open_alike(paths, lengths=bool(at))
    if all(len(result.axes) == 1 for result in results):
        refuse_of_curves(results[0], {"axis": axes, "slice": slices, "at": at, **look})
        return draw_line(results, "x", fields, component=component, snapshots=snapshots, logarithmic=look.get("scale") == "log",
                         limits=look.get("limits"), title=look.get("title"), size=look.get("size"), note=note)
    panels = [Panel(quantity, plane)
              for result in results
              for field in fields or [None]
              for snapshot in snapshots or [None]
              for quantity in [Quantity(result, field, component, snapshot, note)]
              for plane in planes_of(result, axes, slices, at)]
    return draw_panels(panels, Look(**look))


def refuse_of_curves(result, options):
    """Of a result without planes: what a curve would ignore."""
    taken = {"title", "size", "long_side", "limits"} | ({"scale"} if options.get("scale") in ("linear", "log") else set())
    if options.get("limits") == "field":
        raise PlotError(f"--range field belongs to planes, but '{result.path}' has 1 dimension and is drawn as a curve; give two numbers")
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value and name not in taken]
    if given:
        belong = "belongs" if len(given) == 1 else "belong"
        raise PlotError(f"{', '.join(given)} {belong} to planes, but '{result.path}' has 1 dimension and is drawn as a curve")


def draw_panels(panels, look):
    """A figure of panels. Those of one quantity share their colours, unless the look says otherwise."""
    if len(panels) > MOST_PANELS:
        raise PlotError(f"{len(panels)} pictures would be too small, at most {MOST_PANELS} are drawn; name fewer planes, fields, snapshots or files")
    name_panels(panels)
    ratios = [drawn_ratio(panel.plane)[0] for panel in panels]
    groups = group_panels(panels, look)
    columns = number_of_columns(len(panels), max(ratios), max(ratios) < 0.4)
    if columns > 1 and len(groups) > 1 and {len(members) for members in groups} == {len(groups[0])} and 1 < len(groups[0]) <= MOST_COLUMNS:
        columns = len(groups[0])  # a row with a colour bar for each
    rows = -(-len(panels) // columns)
    below = max(ratios) < 0.4
    figure = Picture(*(look.size or size_of(max(ratios), rows, columns, below, look.long_side)), layout="compressed")
    grid = figure.subplots(rows, columns, squeeze=False)
    drawn = list(grid.flat)
    for axes in drawn[len(panels):]:
        axes.set_visible(False)
    for members in groups:
        scale = panels[members[0]].scale or look.scale
        limits = limits_of_group([panels[i] for i in members], look, scale)
        if limits[0] is not None:
            advice = "; --range LOW HIGH draws what is beyond as its ends" if panels[members[0]].scale is None else ""
            check_drawable(numpy.array(limits), panels[members[0]].label, advice)
        norm = colours.make_norm(scale, limits, look.middle)
        for i in members:
            picture = draw_plane(drawn[i], panels[i], norm, scale, look)
        colours.add_colour_bar(figure, picture, [drawn[i] for i in members], panels[members[0]].label, below, scale)
    figure.get_layout_engine().set(w_pad=ROOM, h_pad=0.5 * ROOM)
    set_title(figure, title_of(panels, look))
    if len(panels) == 1 and look.title == "":
        drawn[0].set_title("")
    return figure


def group_panels(panels, look):
    """Indices of panels that share a scale and a colour bar."""
    if look.own_scales:
        return [[i] for i in range(len(panels))]
    kinds = {}
    for i, panel in enumerate(panels):
        kinds.setdefault((panel.label, panel.scale), []).append(i)
    return list(kinds.values())


def limits_of_group(panels, look, scale):
    if look.limits == "field":
        ends = limits_of([numpy.array([end for panel in panels for end in panel.quantity.limits() if end is not None])])
    elif look.limits is not None and panels[0].scale is None:
        return look.limits
    else:
        ends = limits_of(panel.values for panel in panels)
    if scale == "log" and ends[0] is not None and ends[0] == 0.0:
        return colours.smallest_positive(panel.values for panel in panels) or 0.0, ends[1]
    return ends


def drawn_ratio(plane):
    """Height over width as it is drawn, and how many times the short side is stretched for it."""
    left, right, bottom, top = plane.extent
    ratio = (top - bottom) / (right - left)
    drawn = min(max(ratio, 1.0 / THINNEST), THINNEST)
    return drawn, max(drawn / ratio, ratio / drawn)


def number_of_columns(count, ratio, wide):
    return 1 if wide else count if count <= 3 or ratio > 2.5 and count <= 6 else math.ceil(math.sqrt(count))


def size_of(ratio, rows, columns, below, long_side):
    """Of a figure in inches: room for titles, ticks and bars around the pictures."""
    side = long_side if columns == 1 else max(2.6, 8.5 / columns)
    width, height = (side, side * ratio) if ratio < 1.0 else (side / min(ratio, 3.0), side * ratio / min(ratio, 3.0))
    if below:
        return columns * side * 1.25 + 0.8, rows * (width * 1.25 * ratio + 0.8) + 1.1
    return columns * (width + 0.7 + 2.0 * ROOM) + 1.1, rows * (height + 0.65) + 0.6


def name_panels(panels):
    """Above each what tells it from the others: file, place, time."""
    many_files = len({panel.quantity.result.path for panel in panels}) > 1
    for panel in panels:
        result = panel.quantity.result
        words = [os.path.basename(result.name) if many_files else "", panel.plane.where, result.time_text(panel.quantity.snapshot)]
        panel.title = panel.title or ", ".join(filter(None, words))


def title_of(panels, look):
    if look.title is not None:
        return look.title
    titles = {panel.quantity.result.title for panel in panels}
    return titles.pop() if len(titles) == 1 else ""


def draw_plane(axes, panel, norm, scale, look):
    """Cells as colours. Returns the picture, for a colour bar."""
    plane = panel.plane
    values = cells_of(panel.values, scale)
    stretched = drawn_ratio(plane)[1]
    left, right, bottom, top = plane.extent
    coarse = [slice(count // 2, None, count) for count in (-(-size // MOST_CELLS) for size in values.shape)]
    picture = axes.imshow(values[tuple(coarse)], origin="lower", extent=plane.extent, cmap=colours.colour_map(look.colours, scale), norm=norm,
                          interpolation="nearest", interpolation_stage="data")
    axes.set_aspect(1.0 if stretched == 1.0 else drawn_ratio(plane)[0] * (right - left) / (top - bottom))
    axes.set_xlabel(plane.result.axis_label(plane.column))
    axes.set_ylabel(plane.result.axis_label(plane.row))
    few_ticks(axes, drawn_ratio(plane)[0])
    note = "" if stretched == 1.0 else stretched_text(plane, stretched)
    axes.set_title("\n".join(filter(None, [panel.title, note])), fontsize="medium")
    if look.contours:
        draw_contours(axes, plane, values, norm, look)
    if look.arrows:
        draw_arrows(axes, plane, panel.quantity, look.arrows)
    if look.streamlines:
        draw_streamlines(axes, plane, panel.quantity, look.streamlines)
    return picture


def cells_of(values, scale):
    """Cells that have a colour; what matplotlib cannot compute with is beyond the ends of the colours, or not to be told from 0."""
    values = numpy.ma.masked_invalid(values).astype(float).clip(-LARGEST, LARGEST)
    if scale == "log":
        values = numpy.ma.masked_less_equal(values, 0.0)
    values[numpy.ma.filled(abs(values) < SMALLEST, False)] = SMALLEST if scale == "log" else 0.0
    return values


def stretched_text(plane, times):
    left, right, bottom, top = plane.extent
    short = plane.row if top - bottom < right - left else plane.column
    return f"{short} is stretched {times:.3g} times"


def few_ticks(axes, ratio):
    """As many as have room: a narrow picture has few along its short side."""
    colours.plain_ticks(axes.xaxis, 5 if ratio <= 1.5 else 3 if ratio < 4.0 else 1)
    colours.plain_ticks(axes.yaxis, 5 if ratio >= 0.4 else 3 if ratio > 0.2 else 2)


def draw_contours(axes, plane, values, norm, look):
    """Lines of equal value through cell centres, in the colours' limits."""
    x, y = plane.result.centres(plane.column), plane.result.centres(plane.row)
    if len(x) < 2 or len(y) < 2:
        raise PlotError("--contours: the plane is one cell wide; --line draws values along it")
    low, high = limits_of([values.filled(numpy.nan)])
    levels = [] if low is None else levels_between(norm, look.contours) if isinstance(look.contours, int) else sorted(look.contours)
    levels = [level for level in levels if low <= level <= high]
    if not levels or low == high:
        return
    lines = axes.contour(x, y, values, levels=levels, colors="black", linewidths=0.8)
    halo = [patheffects.withStroke(linewidth=2.0, foreground="white")]
    for label in axes.clabel(lines, fontsize="x-small", fmt="%.3g"):
        label.set_path_effects(halo)


def levels_between(norm, count):
    """About as many round numbers between the ends of the colours; of a logarithmic scale, equally far apart as colours are."""
    if isinstance(norm, (colors.LogNorm, colors.SymLogNorm)):
        return numpy.asarray(norm.inverse(numpy.linspace(*norm([norm.vmin, norm.vmax]), count + 2)[1:-1]))
    levels = ticker.MaxNLocator(count + 1, steps=[1, 2, 2.5, 5, 10]).tick_values(norm.vmin, norm.vmax)
    return levels[(levels > norm.vmin) & (levels < norm.vmax)]


def draw_arrows(axes, plane, quantity, field, across=20):
    """An arrow for a square of cells, so that some twenty stand along the longer side."""
    x, y, along, up = vectors(plane, quantity, field)
    step = -(-max(len(x), len(y)) // across)
    at = slice(step // 2, None, step)
    along, up = along[at, at], up[at, at]
    longest = limits_of([numpy.hypot(along, up)])[1]
    room = step * max(plane.result.spacing(plane.column), plane.result.spacing(plane.row))  # of an arrow
    axes.quiver(x[at], y[at], along, up, color="black", edgecolor="white", linewidth=0.3, pivot="mid", width=0.004, headwidth=4,
                angles="xy", scale_units="xy", scale=(longest or 1.0) / room)


def draw_streamlines(axes, plane, quantity, field):
    x, y, along, up = vectors(plane, quantity, field)
    if len(x) < 2 or len(y) < 2:
        raise PlotError("--streamlines: the plane is one cell wide")
    ratio = drawn_ratio(plane)[0]
    axes.streamplot(x, y, numpy.ma.masked_invalid(along), numpy.ma.masked_invalid(up), color="black", linewidth=0.7, arrowsize=0.8,
                    density=(min(1.2, 1.2 / ratio), min(1.2, 1.2 * ratio)))
    axes.set_xlim(*plane.extent[:2])
    axes.set_ylim(*plane.extent[2:])


def vectors(plane, quantity, field):
    """Centres of cells, and there the two components; very large or small ones as parts of the largest, as pictures have no scale of lengths."""
    along, up = plane.vector(field, quantity.snapshot)
    largest = limits_of([abs(along), abs(up)])[1] or 1.0
    if not 1e-150 < largest < 1e150:
        along, up = along / largest, up / largest
    return plane.result.centres(plane.column), plane.result.centres(plane.row), along, up
