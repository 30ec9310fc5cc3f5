"""Scales of colours: linear, logarithmic, or diverging from a middle; cells without a value are grey."""
import matplotlib
import numpy
from matplotlib import colors, ticker

from .errors import PlotError
from .quantities import SMALLEST

GREY = "0.7"


def colour_map(name, scale):
    name = name or ("RdBu_r" if scale in ("diverging", "symlog") else "viridis")
    if name not in matplotlib.colormaps:
        raise PlotError(f"--colours {name}: matplotlib has no such colour map; some of its maps are: viridis, magma, cividis, gray, RdBu_r, coolwarm")
    return matplotlib.colormaps[name].with_extremes(bad=GREY)


def make_norm(scale, limits, middle=0.0):
    """What turns values between `limits` into colours. The middle of a diverging scale has the neutral colour."""
    low, high = limits
    if low is None:
        return colors.Normalize()
    if scale == "log":
        if low <= 0.0:
            raise PlotError(f"--scale log: values begin at {low:g}, but only positive values have a logarithm; "
                            "use --scale symlog, or give --range two positive numbers")
        low = max(low, SMALLEST)
        if high < SMALLEST:
            raise PlotError(f"--scale log: values up to {high:g} are too small for it, at least {SMALLEST:g} is needed; use --scale linear")
        return colors.LogNorm(low, high if high > low else 10.0 * low)
    low, high = (0.0 if abs(end) < SMALLEST else end for end in limits)  # a picture does not tell them from 0
    if scale == "symlog":
        reach = max(abs(low), abs(high)) or 1.0
        return colors.SymLogNorm(10.0 ** numpy.ceil(numpy.log10(1e-3 * reach)), vmin=-reach, vmax=reach)
    if scale == "diverging":
        reach = max(abs(low - middle), abs(high - middle)) or 1.0
        return colors.Normalize(middle - reach, middle + reach)
    return colors.Normalize(low, high)


def smallest_positive(arrays):
    values = [array[numpy.isfinite(array) & (array > 0.0)] for array in map(numpy.asarray, arrays)]
    return min((float(array.min()) for array in values if array.size), default=None)


def make_logarithmic(axes):
    """The axis of values of curves."""
    if smallest_positive(line.get_ydata() for line in axes.lines) is None:
        raise PlotError(f"--log: no value of {axes.get_ylabel()} is above 0, but only positive values have a logarithm")
    axes.set_yscale("log")


def set_range(axes, limits):
    """The ends of the axis of values of curves; None: those of the values."""
    if limits is not None:
        if axes.get_yscale() == "log" and limits[0] <= 0.0:
            raise PlotError(f"--range {limits[0]:g} {limits[1]:g}: a logarithmic axis begins above 0; give two positive numbers")
        axes.set_ylim(*limits)


def add_colour_bar(figure, picture, axes, label, below, scale):
    """Right of the axes, or below them where they are wide."""
    places = {"location": "bottom", "aspect": 40, "pad": 0.03} if below else {"location": "right", "aspect": 25, "pad": 0.02}
    bar = figure.colorbar(picture, ax=axes, label=label, shrink=0.9 if below else 1.0, **places)
    if scale == "symlog" and isinstance(picture.norm, colors.SymLogNorm):
        powers = 10.0 ** numpy.arange(numpy.log10(picture.norm.linthresh), numpy.log10(picture.norm.vmax) + 1e-9)
        bar.set_ticks([*-powers[::-1], 0.0, *powers], labels=[*map(power_of_ten, -powers[::-1]), "0", *map(power_of_ten, powers)])
    elif scale != "log":
        plain_ticks(bar.ax.xaxis if below else bar.ax.yaxis)
    return bar


def power_of_ten(value):
    return f"${'-' if value < 0.0 else ''}10^{{{round(numpy.log10(abs(value)))}}}$"


def plain_ticks(axis, most=6):
    """Ticks as numbers that can be read alone; a power of ten stands at the end of the axis."""
    formatter = ticker.ScalarFormatter(useOffset=False, useMathText=True)
    formatter.set_powerlimits((-3, 4))
    axis.set_major_formatter(formatter)
    axis.set_major_locator(ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
