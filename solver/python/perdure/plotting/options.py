"""The options of `perdure plot`, as options.json lists them: the program's help and completion are made of the same list."""
import argparse
import difflib
import json
import math
import os
import re

from .errors import PlotError
from .quantities import LARGEST

FOLDER = os.path.dirname(os.path.abspath(__file__))
KINDS = ("line", "history", "series", "sweep", "orders", "difference", "film", "report")
DESCRIPTION = """Draws results of perdure: planes through fields, values along lines, histories, time series, sweeps, orders, differences and films.

Cells without a value (solid, cut off) are grey. A domain more than eight times as long as wide is stretched, with a note in the picture."""
NEGATIVE = re.compile(r"-[.\d]")
LONGEST, MOST_PIXELS = 65535, 2e8  # along a side, and in all


def read_text(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class Parser(argparse.ArgumentParser):
    """Refuses in the words of the program, with the option that was meant."""

    def error(self, message):
        unknown = message.rpartition("unrecognized arguments: ")[2].split() if "unrecognized" in message else []
        names = [name for action in self._actions for name in action.option_strings]
        close = [name for word in unknown if word.startswith("--") for name in difflib.get_close_matches(word.split("=")[0], names, 1)]
        message = f"unknown option '{unknown[0]}'" if unknown else message.removeprefix("argument ").replace("the following arguments are required: FILE", "give a FILE, before options of several words such as --range")
        raise PlotError(message + (f"; did you mean '{close[0]}'?" if close else "") + "\n  perdure plot --help lists the options")


def make_parser():
    parser = Parser(prog="perdure plot", usage="perdure plot FILE... [options]", description=DESCRIPTION, epilog=read_text("examples.txt"), allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="results (*.vtkhdf), or tables for --sweep, --orders and --report")
    group = parser
    for entry in json.loads(read_text("options.json")):
        if "group" in entry:
            group = parser.add_argument_group(entry["group"])
            continue
        words = {"help": entry["help"].replace("%", "%%")}
        if "choices" in entry:
            words["choices"] = entry["choices"]
        elif "value" in entry:
            words["metavar"] = entry["value"]
            if entry.get("several"):
                words["nargs"] = "+"
            if "list" in entry:
                words["type"] = list_of(READERS[entry["list"]])
            elif "type" in entry:
                words["type"] = READERS[entry["type"]]
        else:
            words["action"] = "store_true"
        group.add_argument(entry["name"], **words)
    return parser


def read_options(arguments):
    """What was given, checked as far as that needs no file."""
    parser = make_parser()
    given = parser.parse_args(joined(arguments))
    chosen = [kind for kind in KINDS if getattr(given, kind)]
    if len(chosen) > 1:
        parser.error(f"--{chosen[0]} and --{chosen[1]} draw different pictures; run perdure plot once for each")
    given.kind = chosen[0] if chosen else "slices"
    dpi = 150 if given.dpi is None else given.dpi
    if not 10 <= dpi <= 2000:
        parser.error("--dpi: give a number from 10 to 2000")
    if given.size is not None:
        check_size(parser, given.size, dpi)
    if given.rate is not None and not 0.01 <= given.rate <= 1000.0:
        parser.error("--rate: give a number from 0.01 to 1000")
    if given.middle is not None and abs(given.middle) > LARGEST:
        parser.error(f"--middle {given.middle:g}: at most {LARGEST:g} can be drawn")
    if given.only and not any(word.strip(",") for word in given.only):
        parser.error("--only: names are missing")
    given.range = read_range(given.range)
    given.contours = read_contours(given.contours)
    given.title = "" if given.no_title else given.title
    return given


def check_size(parser, size, dpi):
    if len(size) != 2 or min(size) < 0.5:
        parser.error("--size: give width and height in inches, as in --size 7,4; at least 0.5")
    sides = [side * dpi for side in size]
    if max(sides) > LONGEST or sides[0] * sides[1] > MOST_PIXELS:
        parser.error(f"--size {size[0]:g},{size[1]:g}: at {dpi:g} pixels per inch this is {sides[0]:.3g} x {sides[1]:.3g}; a picture has at most "
                     f"{LONGEST} along a side and {MOST_PIXELS:.0e} in all; sizes are in inches, as in --size 7,4")


def joined(arguments):
    """What begins with a negative number and is a list or has an exponent, as in --at -0.5,0.5, belongs to the option before it."""
    words = []
    for word in arguments:
        if len(words) > 1 and words[-2] == "--range" and NEGATIVE.match(words[-1]) and "," not in words[-1]:
            words[-2:] = [f"--range={words[-1]},{word}"]
        elif words and words[-1] == "--range":
            words.append(word)
        elif NEGATIVE.match(word) and re.search("[,eE]", word) and words and words[-1].startswith("--") and "=" not in words[-1]:
            words[-1] += "=" + word
        else:
            words.append(word)
    return words


def list_of(read):
    def of_words(words):
        found = [read(word) for word in words.split(",") if word]
        if not found:
            raise argparse.ArgumentTypeError(f"'{words}' holds no value; give one, or several separated by commas")
        return found

    return of_words


def read_axis(word):
    if word not in ("x", "y", "z"):
        raise argparse.ArgumentTypeError(f"'{word}' is not an axis; the axes are x, y and z")
    return word


def read_integer(word):
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is not a whole number; give one, or several separated by commas, as in 0,5") from None


def read_number(word):
    try:
        value = float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is not a number") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{word}' is not a finite number")
    return value


def read_place(word):
    """A number, or an axis and a number."""
    axis, equals, place = word.rpartition("=")
    return (read_axis(axis) if equals else None), read_number(place)


READERS = {"text": str, "axis": read_axis, "integer": read_integer, "place": read_place, "number": read_number}


def read_range(words):
    """Two numbers, the word field, or None."""
    if words is None or words == ["field"]:
        return words and "field"
    try:
        low, high = (float(word) for word in (words[0].split(",") if len(words) == 1 else words))
    except ValueError:
        low = high = 0.0
    if not low < high:
        raise PlotError(f"--range {' '.join(words)}: give two numbers, the lower one first, or the word field")
    if max(-low, high) > LARGEST:
        raise PlotError(f"--range {' '.join(words)}: at most {LARGEST:g} can be drawn")
    return low, high


def read_contours(words):
    """How many lines, or at which values; None."""
    if words is None:
        return None
    try:
        if "," not in words and "." not in words:
            levels = int(words)
            valid = 1 <= levels <= 200
        else:
            levels = sorted({float(word) for word in words.split(",") if word})
            valid = bool(levels) and all(map(math.isfinite, levels))
    except ValueError:
        valid = False
    if not valid:
        raise PlotError(f"--contours {words}: give a number of lines, as in 8, or their values, as in 0.1,0.5")
    return levels
