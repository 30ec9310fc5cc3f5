"""Figures without matplotlib.pyplot, so that drawing changes nothing in a notebook; how they are saved."""
import io
import os

import matplotlib
from matplotlib.figure import Figure

from .errors import PlotError

FORMATS = ("png", "pdf", "svg")
# Letters stay letters in PDF and SVG, so that a journal can replace the font. The same data give the same file.
SAVED = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "perdure", "savefig.facecolor": "white"}
UNDATED = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}


class Picture(Figure):
    """A figure that notebooks show."""

    def __init__(self, width, height, layout="constrained"):
        super().__init__(figsize=(width, height), layout=layout)

    def _repr_png_(self):
        return to_bytes(self, "png", dpi=100)


def set_title(figure, title):
    """The title above all panels, in lines that fit; none where it is empty."""
    if title:
        figure.suptitle(title, fontsize="large", wrap=True)


def set_labels(figure, x=None, y=None):
    """Labels of the axes in place of their own; not of colour bars."""
    for option, direction, label in (("--x-label", "x", x), ("--y-label", "y", y)):
        axes = [one for one in figure.axes if one.get_visible() and one.get_label() != "<colorbar>" and getattr(one, f"get_{direction}label")()]
        if label is None:
            continue
        own = list(dict.fromkeys(getattr(one, f"get_{direction}label")() for one in axes))
        if len(own) > 1:
            raise PlotError(f"{option}: the panels have different labels: {', '.join(own)}; draw one of them alone, with --only, --outcome or --axis")
        for one in axes:
            getattr(one, f"set_{direction}label")(label)


def format_of(path):
    """By the end of the name."""
    kind = os.path.splitext(path)[1].lstrip(".").lower()
    if kind not in FORMATS:
        raise PlotError(f"--output {path}: pictures are written as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; "
                        "end the name with one of these, as in figure.pdf")
    return kind


def save(figure, path, dpi=150, tight=True):
    """Writes a PNG, PDF or SVG, by the name's end."""
    kind = format_of(path)
    with matplotlib.rc_context(SAVED):
        figure.savefig(path, format=kind, dpi=dpi, metadata=UNDATED[kind], bbox_inches="tight" if tight else None)


def to_bytes(figure, kind, dpi=150):
    memory = io.BytesIO()
    with matplotlib.rc_context(SAVED):
        figure.savefig(memory, format=kind, dpi=dpi, metadata=UNDATED[kind], bbox_inches="tight")
    return memory.getvalue()
