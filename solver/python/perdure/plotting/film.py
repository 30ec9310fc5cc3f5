"""A picture of each snapshot, all with the same colours, and a film of them."""
import os
import shutil
import subprocess

from . import figures
from .draw_planes import Look, Panel, draw_panels
from .errors import PlotError
from .quantities import Quantity, limits_of, planes_of
from .units import open_alike

FFMPEG = "a film needs ffmpeg, which is not installed; install it with: sudo apt-get install ffmpeg"


def draw_film(paths, stem, fields=None, *, axes=None, slices=None, at=None, component=None, rate=10.0, x_label=None, y_label=None, note=lambda text: None, **look):
    """Writes STEM.frames/00000.png and so on, and STEM.mp4 where there is ffmpeg. Returns what was written."""
    results = open_alike(paths, lengths=bool(at))
    for result in results:
        if not result.is_temporal:
            raise PlotError(f"--film: '{result.path}' has only one snapshot; use time.snapshots and output.series: temporal to keep several in a file")
    counts = {result.times.size for result in results}
    if len(counts) > 1:
        raise PlotError("--film: the results have different numbers of snapshots: " + ", ".join(map(str, sorted(counts))))

    def panels_of(snapshot):
        return [Panel(quantity, plane)
                for result in results
                for field in fields or [None]
                for quantity in [Quantity(result, field, component, snapshot, note if snapshot == 0 else lambda text: None)]
                for plane in planes_of(result, axes, slices, at)]

    look = Look(**look)
    if look.limits is None and not look.own_scales:
        if len(fields or [None]) > 1:
            raise PlotError("--film: give --range, or one field: every frame has the same colours")
        look.limits = limits_of(panel.values for snapshot in range(counts.copy().pop()) for panel in panels_of(snapshot))
    folder = f"{stem}.frames"
    os.makedirs(folder, exist_ok=True)
    for snapshot in range(counts.pop()):
        figure = draw_panels(panels_of(snapshot), look)
        figures.set_labels(figure, x_label, y_label)
        figures.save(figure, os.path.join(folder, f"{snapshot:05d}.png"), tight=False)
    written = [folder]
    if write_film(os.path.join(folder, "%05d.png"), rate, f"{stem}.mp4"):
        written.append(f"{stem}.mp4")
    else:
        note(FFMPEG)
    return written


def write_film(frames, rate, output):
    """Of frames as ffmpeg counts them. False: there is no ffmpeg."""
    if shutil.which("ffmpeg") is None:
        return False
    even = "scale=trunc(iw/2)*2:trunc(ih/2)*2"  # sides, as H.264 needs them
    made = subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(rate), "-i", frames, "-vf", even, "-pix_fmt", "yuv420p",
                           output], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        raise PlotError(f"ffmpeg could not write {output}: {made.stderr.strip()}; the frames have been written")
    return True
