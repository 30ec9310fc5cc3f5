"""perdure solves partial differential equations on structured grids; a whole run is one kernel launch.

>>> import perdure
>>> plate = {
...     "problem": {"type": "diffusion", "a": 1.0, "f": 1.0},
...     "grid": {"shape": [16, 16], "spacing": 1 / 16},
...     "boundary": {side: {"value": 0.0} for side in ("x-", "x+", "y-", "y+")},
... }
>>> result = perdure.run(plate, {"solver.rtol": 1e-10, "execution.backend": "host"})
>>> result.attrs["stop_reason"]
'converged (rtol)'
>>> result.u.dims
('y', 'x')
>>> round(float(result.u.max()), 4)
0.0734

A case is a dict, a path of a YAML file or its text. What it can say is described in inputs/README.md of the repository, and every key
in inputs/REFERENCE.md.
"""

from ._effective import effective
from ._errors import (
    CaseError,
    CaseWarning,
    ComputedElsewhere,
    DeviceError,
    DidNotConverge,
    Diverged,
    Error,
    FileError,
    InputDataError,
    InternalError,
    Stopped,
)
from ._progress import Progress
from ._run import built_with, run, version
from ._sweep import sweep

__version__ = version()

for _name in ("CaseError", "CaseWarning", "ComputedElsewhere", "DeviceError", "DidNotConverge", "Diverged", "Error", "FileError",
              "InputDataError", "InternalError", "Progress", "Stopped"):  # fmt: skip
    globals()[_name].__module__ = __name__

__all__ = [
    "CaseError",
    "CaseWarning",
    "ComputedElsewhere",
    "DeviceError",
    "DidNotConverge",
    "Diverged",
    "Error",
    "FileError",
    "InputDataError",
    "InternalError",
    "Progress",
    "Stopped",
    "built_with",
    "effective",
    "run",
    "sweep",
    "version",
]
