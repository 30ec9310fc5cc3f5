"""Runs as `python3 FOLDER/plotting` and as `python3 -m perdure.plotting`."""
import os
import sys

INSTALL = "sudo apt-get install python3-h5py python3-matplotlib, or: pip install h5py matplotlib"


def main():
    try:
        import h5py  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as missing:
        print(f"error: perdure plot needs the Python package {missing.name}, which {sys.executable} does not have; install it with: {INSTALL}",
              file=sys.stderr)
        return 6
    if __package__:
        from .command import main as run
    else:
        folder = os.path.dirname(os.path.abspath(__file__))
        sys.path = [os.path.dirname(folder)] + [path for path in sys.path if os.path.abspath(path or ".") != folder]
        from plotting.command import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
