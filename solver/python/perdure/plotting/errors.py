"""What goes wrong with files and options, in words for the person who gave them."""


class PlotError(ValueError):
    """A file or an option that cannot be drawn: what, and what to do."""

    exit_code = 2  # of the command, as perdure has them: the command line is wrong


class FileError(PlotError):
    """A file that is not there, or is none of perdure."""

    exit_code = 6


def why_not_hdf5(path, error):
    """What a file is that h5py cannot open, and what to give in its place."""
    if path.lower().endswith((".yaml", ".yml")):
        return f"'{path}' is a case file; run it with `perdure run {path}`, and draw the result that it writes, such as results/NAME.vtkhdf"
    with open(path, "rb") as file:
        if file.read(8) != b"\x89HDF\r\n\x1a\n":
            return f"'{path}' is not an HDF5 file; expected a result of perdure (*.vtkhdf) or the table of a sweep (*.csv or *.h5)"
    return f"'{path}' cannot be read as HDF5: {error}"
