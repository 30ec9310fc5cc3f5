"""Units of lengths and times: several results are drawn in those of the first."""
from fractions import Fraction

from .errors import PlotError
from .results import Grid, Watched, open_results

LENGTHS = {"nm": Fraction(1, 10 ** 9), "um": Fraction(1, 10 ** 6), "mm": Fraction(1, 1000), "cm": Fraction(1, 100), "m": Fraction(1), "km": Fraction(1000)}
TIMES = {"ns": Fraction(1, 10 ** 9), "us": Fraction(1, 10 ** 6), "ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60), "h": Fraction(3600),
         "d": Fraction(86400)}


def ratio_of(units, to):
    """By which numbers in `units` are multiplied; None where they cannot be converted."""
    for known in (LENGTHS, TIMES):
        if units in known and to in known:
            return known[units] / known[to]
    return Fraction(1) if units == to else None


def converted(values, units, to):
    """Rounded as seldom as the two units allow."""
    ratio = ratio_of(units, to)
    return values if ratio == 1 else values * ratio.numerator / ratio.denominator


def shared(units, others):
    """`others` where numbers can be converted to them, else the units themselves."""
    return units if ratio_of(units, others) is None else others


def named(units):
    return f"in {units}" if units else "without a unit"


class InUnits(Grid):
    """A result as it would be in the units of another one, as far as its own can be converted."""

    def __init__(self, result, other):
        self.result, self.other = result, other

    def __getattr__(self, name):
        return getattr(self.result, name)

    def close(self):
        self.result.close()

    def axis_units(self, axis):
        return shared(self.result.axis_units(axis), self.other.axis_units(self.other.axes[-1]))

    def centres(self, axis):
        return converted(self.result.centres(axis), self.result.axis_units(axis), self.axis_units(axis))

    def edges(self, axis):
        return tuple(converted(end, self.result.axis_units(axis), self.axis_units(axis)) for end in self.result.edges(axis))

    def spacing(self, axis):
        return converted(self.result.spacing(axis), self.result.axis_units(axis), self.axis_units(axis))

    @property
    def time_units(self):
        return shared(self.result.time_units, self.other.time_units)

    @property
    def times(self):
        return converted(self.result.times, self.result.time_units, self.time_units)

    def watch_times(self):
        return converted(self.result.watch_times(), self.result.time_units, self.time_units)

    def units(self, field):
        own = self.result.units(field)
        return shared(own, self.other.units(field)) if field in self.other.fields else own

    def read(self, field, snapshot, place):
        return converted(self.result.read(field, snapshot, place), self.result.units(field), self.units(field))

    def watched(self):
        """Values in the units that the other result has under the same name, and distances in its units of length."""
        others, found = self.other.watched(), {}
        for name, one in self.result.watched().items():
            units = shared(one.units, others[name].units) if name in others else one.units
            distance_units = shared(one.distance_units, self.other.axis_units(self.other.axes[-1]))
            along = () if one.distance is None else (converted(one.distance, one.distance_units, distance_units), distance_units)
            found[name] = Watched(converted(one.values, one.units, units), units, *along)
        return found

    def errors(self):
        """L1 and L2 norms are integrals over the grid, so they have units of length as well."""
        axis = self.axes[-1]
        ratio = float(ratio_of(self.result.axis_units(axis), self.axis_units(axis)))
        power = {"L1": len(self.axes), "L2": 0.5 * len(self.axes)}

        def in_units(field, norm, value):
            value *= ratio ** power.get(norm, 0)
            return converted(value, self.result.units(field), self.units(field)) if field in self.fields else value

        return [(field, norm, in_units(field, norm, value)) for field, norm, value in self.result.errors()]


def in_units_of(other, result, *, lengths=False, times=False):
    """The result, in the units of the other one. `lengths`, `times`: whether both are drawn along one axis, so that they must have common units."""
    result = result if result is other else InUnits(result, other)
    for quantity, needed, own, others in (("length", lengths, result.axis_units(result.axes[-1]), other.axis_units(other.axes[-1])),
                                          ("time", times, result.time_units, other.time_units)):
        if needed and own != others:
            raise PlotError(f"{quantity}s are {named(others)} in '{other.path}' and {named(own)} in '{result.path}', and one picture cannot show both; "
                            f"write units: {{{quantity}: UNIT}} in both cases and run them again")
    return result


def open_alike(sources, **needed):
    """Several results in the units of the first one; see in_units_of()."""
    results = open_results(sources)
    try:
        return [in_units_of(results[0], result, **needed) for result in results]
    except PlotError:
        for result in results:
            result.close()
        raise
