"""What goes wrong with files and options, in words for the person who gave them."""


class PlotError(ValueError):
    """A file or an option that cannot be drawn: what, and what to do."""

    exit_code = 2  # of the command, as perdure has them: the command line is wrong


class FileError(PlotError):
    """A file that is not there, or is none of perdure."""

    exit_code = 6
