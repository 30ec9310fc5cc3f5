"""What goes wrong with files and options, in words for the person who gave them."""


class PlotError(ValueError):
    """A file or an option that cannot be drawn: what, and what to do."""
