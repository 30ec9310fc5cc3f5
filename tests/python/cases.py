"""Small cases of several tests."""

import numpy

LONG = {  # takes minutes
    "problem": {"type": "heat", "a": 1.0, "initial": 1.0},
    "grid": {"shape": [128, 128]},
    "time": {"end": 1.0e5, "dt": 0.01},
    "execution": {"backend": "host"},
}


def rod(left):
    return {
        "problem": {"type": "diffusion", "a": numpy.linspace(1.0, 2.0, 40).reshape(4, 10)},
        "grid": {"shape": [4, 10]},
        "boundary": {"x-": {"value": left}, "x+": {"value": 0.0}},
        "execution": {"backend": "host"},
    }
