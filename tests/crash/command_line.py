"""kill_test.py [--long] [arguments of unittest] PERDURE SHIM: PERDURE is the program, SHIM the library of fault_shim.c.
In short form (without --long) each scenario is disturbed at some of its system calls, at all of them in long form."""

import os
import sys
import unittest

LONG = False
PERDURE = SHIM = None


def read_command_line():
    """Takes its words from sys.argv; returns the others, which are for unittest."""
    global LONG, PERDURE, SHIM
    words = [word for word in sys.argv if word != "--long"]
    LONG = len(words) < len(sys.argv)
    if len(words) < 3:
        sys.exit(__doc__)
    PERDURE, SHIM = (os.path.abspath(word) for word in words[-2:])
    return words[:-2]


def main():
    unittest.main(argv=read_command_line(), module="__main__")


def some_of(calls, most):
    """In short form at most `most` of the calls, the first and the last among them: first those that write no data, since
    writes are many and alike."""
    if LONG or len(calls) <= most:
        return calls
    rare = [call for call in calls if call.name not in ("pwrite", "write")]
    writes = [call for call in calls if call.name in ("pwrite", "write")]
    rare = evenly(rare, max(most - 4, most * 3 // 4))
    return sorted(rare + evenly(writes, most - len(rare)))


def evenly(items, count):
    if len(items) <= count:
        return items
    return [items[index * (len(items) - 1) // max(count - 1, 1)] for index in range(count)]
