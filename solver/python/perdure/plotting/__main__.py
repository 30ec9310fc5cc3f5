"""Runs as `python3 FOLDER/plotting` and as `python3 -m perdure.plotting`."""
import importlib
import os
import sys

NEEDED = ("h5py", "matplotlib")
SYSTEM = "/usr/bin/python3"  # to which the packages of Debian and Ubuntu belong
TRIED = "PERDURE_PLOT_TRIED"  # the interpreters that lack a package, where this is the second one
INSTALL = "sudo apt-get install python3-h5py python3-matplotlib, or: pip install h5py matplotlib"


def missing_package():
    """The name of the first package that cannot be loaded and why; None where all are there."""
    for package in NEEDED:
        try:
            importlib.import_module(package)
        except ImportError as error:
            return f"{package} ({error})"
    return None


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    if not __package__:  # the folder was named: its modules belong to a package, and may not hide others of the same name
        sys.path = [os.path.dirname(folder)] + [path for path in sys.path if os.path.abspath(path or ".") != folder]
    missing = missing_package()
    if missing is not None:
        tried = os.environ.get(TRIED, "")
        if not __package__ and not tried and os.path.exists(SYSTEM) and not os.path.samefile(SYSTEM, sys.executable):
            os.execve(SYSTEM, [SYSTEM, folder, *sys.argv[1:]], {**os.environ, TRIED: sys.executable})
        interpreters = " and ".join(filter(None, [tried, sys.executable]))
        print(f"error: perdure plot needs the Python package {missing}, which {interpreters} cannot load; install it with: {INSTALL}",
              file=sys.stderr)
        return 6
    if __package__:
        from .command import main as run
    else:
        from plotting.command import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
