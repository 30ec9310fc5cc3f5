"""Before and after: two states of a field, and what changed, on a scale with its middle at 0."""
import numpy

from .draw_planes import Look, Panel, draw_panels
from .errors import PlotError
from .quantities import Quantity, planes_of
from .results import with_units
from .units import named, open_alike


def draw_difference(paths, field=None, *, axes=None, slices=None, at=None, component=None, snapshots=None, note=lambda text: None, **look):
    """A figure with both states and the second less the first, in each plane.

    Two results, each at its last snapshot or that of `snapshots`; or two snapshots of one result, by default its first and its last.
    """
    results = open_alike(paths, lengths=True)
    before, after = states_of(results, snapshots)
    before, after = (Quantity(result, field, component, snapshot, note) for result, snapshot in (before, after))
    check_same_grid(before, after)
    if before.units != after.units:
        raise PlotError(f"--difference: {after.name} is {named(before.units)} in '{before.result.path}' and {named(after.units)} in "
                        f"'{after.result.path}', so these values cannot be subtracted; give both cases the same output.units")
    look = Look(**look)
    look.scale = "linear" if look.scale == "diverging" else look.scale
    panels = []
    change_of = "after less before" if before.result is after.result else f"{after.result.name} less {before.result.name}"
    planes = planes_of(before.result, axes, slices, at)
    for plane in planes:
        with numpy.errstate(over="ignore", invalid="ignore"):  # no difference of infinite values; too large ones are refused below
            change = plane.values(after) - plane.values(before)
        where = f"{plane.where}, " if len(planes) > 1 else ""
        panels += [Panel(before, plane), Panel(after, plane),
                   Panel(after, plane, change, title=where + change_of, scale="diverging",
                         label=with_units(f"change of {after.name}", after.units))]
    return draw_panels(panels, look)


def states_of(results, snapshots):
    """Two pairs of a result and a snapshot."""
    if len(results) == 1:
        if snapshots is None and not results[0].is_temporal:
            raise PlotError("--difference: give two results, or one with several snapshots")
        snapshots = snapshots or [0, None]
        results = results * 2
    snapshots = snapshots or [None]
    if len(results) != 2 or len(snapshots) > 2:
        raise PlotError("--difference: give two results, or one with two snapshots, as in --snapshot 0,5")
    return list(zip(results, snapshots * 2 if len(snapshots) == 1 else snapshots))


def are_same(ends, others):
    """But for rounding, whatever the unit."""
    return numpy.allclose(ends, others, rtol=0.0, atol=1e-6 * abs(ends[1] - ends[0]))


def check_same_grid(before, after):
    same = before.shape == after.shape and all(are_same(before.result.edges(axis), after.result.edges(axis))
                                               for axis in before.result.axes)
    if not same:
        raise PlotError(f"--difference: '{before.result.path}' and '{after.result.path}' have different grids: "
                        f"{' x '.join(map(str, before.shape))} and {' x '.join(map(str, after.shape))} cells; "
                        "--line compares values of different grids")
