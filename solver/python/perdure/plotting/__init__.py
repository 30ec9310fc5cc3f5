"""Pictures of results of perdure, from the command line (`perdure plot`) and from notebooks:

    from perdure import plotting
    plotting.draw_slices("results/case.vtkhdf", axes=["x", "y"])

Every function returns a figure of matplotlib, which plotting.save() writes as PNG, PDF or SVG. Nothing here needs the compiled module.
"""
from .draw_difference import draw_difference
from .draw_history import draw_history
from .draw_lines import draw_line
from .draw_orders import draw_orders
from .draw_planes import draw_slices
from .draw_series import draw_series
from .draw_sweep import draw_sweep
from .errors import PlotError
from .figures import save
from .film import draw_film
from .report import write_report
from .results import Result
from .tables import Table

__all__ = ["PlotError", "Result", "Table", "draw_difference", "draw_film", "draw_history", "draw_line", "draw_orders", "draw_series",
           "draw_slices", "draw_sweep", "save", "write_report"]
