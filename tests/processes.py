"""Tests wait for what a process does, not for some seconds: a machine may be busy."""

import os
import time


def wait_until(condition, process=None, limit=120.0):
    """Until the condition holds; not beyond the end of the process, if one is given, nor for more seconds than the limit. Returns
    whether it holds."""
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end and (process is None or process.poll() is None):
        time.sleep(0.002)
    return condition()


def processor_seconds(process):
    """That the process has had; infinitely many where it is gone."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
    except OSError:
        return float("inf")
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def wait_until_busy(process, seconds):
    """Until it has had so many seconds of a processor: what it does first is behind it then."""
    return wait_until(lambda: processor_seconds(process) >= seconds, process)


def catches(process, number):
    """Whether the process handles the signal now; None where it is gone."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            caught = next(line for line in file if line.startswith("SigCgt"))
    except (OSError, StopIteration):
        return None
    return int(caught.split()[1], 16) >> (number - 1) & 1 == 1
