"""What is in a folder of results: which run wrote each, whole or not, and what else lies there."""

import json

import h5py
import numpy as np


class Unreadable(Exception):
    pass


def read_snapshots(file):
    """Title, and {time: values of all fields} of a static or temporal file."""
    try:
        with h5py.File(file, "r") as opened:
            title = opened.attrs["title"]
            title = title.decode() if isinstance(title, bytes) else title
            times = np.atleast_1d(opened["time"][()])
            fields = {name: item[()] for name, item in opened.items() if isinstance(item, h5py.Dataset) and item.ndim > 1}
            static = opened["time"].ndim == 0
            missing = {"title", "Conventions"} - set(opened.attrs)
            if missing or "report" not in opened or "VTKHDF" not in opened:
                raise Unreadable(f"{file}: without {missing or 'report or VTKHDF'}")
    except (OSError, KeyError, RuntimeError) as error:
        raise Unreadable(f"{file}: {error}") from error
    snapshots = {}
    for index, time in enumerate(times):
        snapshots[float(time)] = b"".join(
            name.encode() + np.ascontiguousarray(values if static else values[index]).tobytes()
            for name, values in sorted(fields.items()))
    return title, snapshots


class Found:
    """The state of one output name in `folder`.

    whole: titles of the complete results; snapshots: titles of those in NAME.partial; times: of the latter; faults: (kind, text), of the kinds
    unreadable, mixed, unlisted, incomplete."""

    def __init__(self, folder, name, references):
        self.whole, self.snapshots, self.faults, self.times = [], [], [], set()
        self.references = references
        self._single(folder / f"{name}.vtkhdf")
        self._several(folder / f"{name}.snapshots", name)
        partial = folder / f"{name}.partial"
        for file in sorted(partial.glob("*.vtkhdf")) + sorted((partial / "snapshots").glob("*.vtkhdf")):
            title, times = self._read(file)
            if title:
                self.snapshots.append(title)
                self.times |= set(times)

    def _fault(self, kind, text):
        self.faults.append((kind, str(text)))

    def _read(self, file):
        """Title and times of a file whose every value is that of the run of this title."""
        try:
            title, snapshots = read_snapshots(file)
        except Unreadable as error:
            self._fault("unreadable", error)
            return None, []
        expected = self.references.get(title, {})
        if any(expected.get(time) != values for time, values in snapshots.items()):
            self._fault("mixed", f"{file}: the values are not those of {title}")
        return title, list(snapshots)

    def _is_complete(self, file, title, times):
        if title and sorted(times) != sorted(self.references.get(title, {})):
            self._fault("incomplete", f"{file}: has the times {times}")
            return False
        return bool(title)

    def _single(self, file):
        if file.exists():
            title, times = self._read(file)
            if self._is_complete(file, title, times):
                self.whole.append(title)

    def _several(self, folder, name):
        if not folder.exists():
            return
        files = sorted(folder.glob("*.vtkhdf"))
        read = [self._read(file) for file in files]
        titles = {title for title, _ in read}
        if len(titles) != 1:
            self._fault("mixed", f"{folder}: {[(file.name, title) for file, (title, _) in zip(files, read)]}")
        series = folder / f"{name}.vtkhdf.series"
        try:
            listed = {entry["name"] for entry in json.loads(series.read_text(encoding="utf-8"))["files"]}
        except (OSError, ValueError) as error:
            self._fault("unreadable", f"{series}: {error}")
            listed = set()
        if listed != {file.name for file in files}:
            self._fault("unlisted", f"{series}: lists {sorted(listed)}; there are {[file.name for file in files]}")
        if len(titles) == 1 and self._is_complete(folder, titles.pop(), [time for _, times in read for time in times]):
            self.whole.append(read[0][0])


def left_over(folder, names, tables=()):
    """What lies in the folder of results that belongs to none of the output names, nor to a table."""
    known = {f"{name}{end}" for name in names for end in (".vtkhdf", ".snapshots", ".partial")}
    known |= {f"{table}{end}" for table in tables for end in (".csv", ".h5", ".partial")}
    if not folder.exists():
        return []
    return sorted(entry.name for entry in folder.iterdir() if entry.name not in known)
