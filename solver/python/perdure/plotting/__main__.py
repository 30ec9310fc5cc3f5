"""Runs as `python3 FOLDER/plotting` and as `python3 -m perdure.plotting`."""
import os
import sys

INSTALL = "sudo apt-get install python3-h5py python3-matplotlib, or: pip install h5py matplotlib"


def main():
    if not __package__:  # the folder was named: its modules belong to a package, and may not hide others of the same name
        folder = os.path.dirname(os.path.abspath(__file__))
        sys.path = [os.path.dirname(folder)] + [path for path in sys.path if os.path.abspath(path or ".") != folder]
    for package in ("h5py", "matplotlib"):
        try:
            __import__(package)
        except ImportError as missing:
            print(f"error: perdure plot needs the Python package {package}, which {sys.executable} cannot load ({missing}); "
                  f"install it with: {INSTALL}", file=sys.stderr)
            return 6
    if __package__:
        from .command import main as run
    else:
        from plotting.command import main as run
    return run()


if __name__ == "__main__":
    sys.exit(main())
