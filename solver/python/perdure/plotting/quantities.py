"""What is drawn of a result: a field, or the magnitude or a component of a vector, at a snapshot; and planes through it."""
import numpy

from .errors import PlotError
from .results import Result, choose_field, with_units


LARGEST, SMALLEST = 1e300, 1e-300  # of which matplotlib can make a picture: it computes with differences and powers of ten beyond them


def check_drawable(values, name, advice=""):
    """Refuses values that are too large for a picture."""
    low, high = limits_of([values])
    if low is not None and max(-low, high) > LARGEST:
        raise PlotError(f"{name} has values such as {max(low, high, key=abs):g}, which are too large for a picture: at most {LARGEST:g} can be drawn{advice}")


class Quantity:
    """Numbers, one for each cell, of a result at a snapshot."""

    def __init__(self, result: Result, field, component=None, snapshot=None, note=lambda text: None):
        self.result, self.field = result, choose_field(result, field, note)
        self.component, self.snapshot = component, result.check_snapshot(snapshot)
        name = self.field
        if result.is_vector(self.field):
            name = f"magnitude of {name}" if component is None else f"{component} component of {name}"
        elif component is not None:
            raise PlotError(f"--component: {self.field} is not a vector")
        self.name, self.units = name, result.units(self.field)
        self.label = with_units(name, self.units)
        self.shape = result.shape(self.field)

    def at(self, place):
        """Values at an index or slice for each axis."""
        values = self.result.read(self.field, self.snapshot, place)
        if not self.result.is_vector(self.field):
            return values
        return numpy.hypot.reduce(values, axis=-1) if self.component is None else values[..., "xyz".index(self.component)]

    def limits(self):
        """Smallest and largest value of all cells, read slab by slab."""
        rest = (slice(None),) * (len(self.shape) - 1)
        return limits_of(self.at((slab,) + rest) for slab in range(self.shape[0]))


def limits_of(arrays):
    """Smallest and largest finite value; None, None where there is none."""
    finite = [values[numpy.isfinite(values)] for values in map(numpy.asarray, arrays)]
    ends = [end for values in finite if values.size for end in (values.min(), values.max())]
    return (float(min(ends)), float(max(ends))) if ends else (None, None)


class Plane:
    """A plane of cells: its axes, where it lies, and the values of quantities in it."""

    def __init__(self, result: Result, axis=None, index=None):
        """Normal to `axis` through the cells `index` of a result in 3D; the whole of one in 2D."""
        self.result, self.where = result, ""
        self.place, axes = [slice(None)] * len(result.axes), list(result.axes)
        if len(axes) == 3:
            position = axes.index(axis)
            self.place[position] = index
            units = result.axis_units(axis)
            self.where = f"{axis} = {result.centres(axis)[index]:g}" + (f" {units}" if units else "") + f" (slice {index})"
            axes.remove(axis)
        self.row, self.column = axes

    def values(self, quantity):
        return quantity.at(self.place)

    def vector(self, field, snapshot):
        """The two components of a vector field along the columns and the rows."""
        if field not in self.result.fields or not self.result.is_vector(field):
            vectors = [name for name in self.result.fields if self.result.is_vector(name)]
            raise PlotError(f"'{field}' is not a vector field of '{self.result.path}'; vectors there: {', '.join(vectors) or 'none'}")
        values = self.result.read(field, snapshot, self.place)
        return values[..., "xyz".index(self.column)], values[..., "xyz".index(self.row)]

    @property
    def extent(self):
        return (*self.result.edges(self.column), *self.result.edges(self.row))


def index_at(result, axis, position):
    """The cells in which a position along an axis lies."""
    low, high = result.edges(axis)
    if not low <= position <= high:
        raise PlotError(f"--at {axis}={position:g}: {axis} goes from {low:g} to {high:g} in '{result.path}'")
    return min(int((position - low) / result.spacing(axis)), result.centres(axis).size - 1)


def planes_of(result, axes=None, slices=None, positions=None):
    """Planes normal to each of `axes` through each of `slices` (indices), and at `positions`, pairs of an axis or None and a place along it.

    Without slices and positions one plane through the middle, normal to each axis.
    """
    if len(result.axes) == 1:
        raise PlotError(f"'{result.path}' has one dimension, and no planes: --line x draws it")
    if len(result.axes) == 2:
        for option, given in (("--axis", axes not in (None, ["z"])), ("--slice", slices), ("--at", positions)):
            if given:
                raise PlotError(f"{option}: this result has two dimensions")
        return [Plane(result)]
    chosen = []
    for axis in axes or ([] if any(named for named, _ in positions or []) else ["z"]):
        cells = result.centres(axis).size
        for index in slices or []:
            if not 0 <= index < cells:
                raise PlotError(f"--slice {index}: slices along {axis} are 0 to {cells - 1}")
            chosen.append((axis, index))
        along = [place for named, place in positions or [] if named is None]
        chosen += [(axis, index_at(result, axis, place)) for place in along]
        if not slices and not along:
            chosen.append((axis, cells // 2))
    chosen += [(named, index_at(result, named, place)) for named, place in positions or [] if named is not None]
    return [Plane(result, axis, index) for axis, index in chosen]
