"""Reads what scanners and programs for images write: TIFF and PNG slices, NRRD files, raw values. For tools/import_image."""
import math
import os
import re
import sys
import warnings
from xml.etree import ElementTree

import numpy
from PIL import Image, ImageSequence

Image.MAX_IMAGE_PIXELS = None  # slices of large scans are no attack
warnings.simplefilter("ignore")  # about what scanners write beside the pixels
ENDINGS = (".tif", ".tiff", ".png")
# Tags of TIFF.
BITS, COMPRESSION, PHOTOMETRIC, DESCRIPTION, X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT, SAMPLE_FORMAT = 258, 259, 262, 270, 282, 283, 296, 339
NUMBER = re.compile(r"([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
UNSIGNED, SIGNED = 1, 2  # sample formats
MILLIMETRES_OF = {2: 25.4, 3: 10.0}  # inch and centimetre, as numbers of the unit of resolutions
OF_PRINT = (72, 75, 96, 100, 150, 200, 300, 600, 1200)  # points an inch that programs write for screens and paper
# How many bytes of pixels a byte of the file can hold at most, by the compression of a TIFF; that of 8 is Deflate, which PNG has, too.
LZW, DEFLATE, OLD_DEFLATE, PACKBITS = 5, 8, 32946, 32773
MOST_COMPRESSED = {1: 1, LZW: 2000, DEFLATE: 2000, OLD_DEFLATE: 2000, PACKBITS: 2000}
MOST_OF_OTHERS = 100000
METRES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "\u00b5m": 1e-6, "\u03bcm": 1e-6, "micron": 1e-6, "microns": 1e-6, "nm": 1e-9, "pm": 1e-12,
          "\u00c5": 1e-10, "inch": 0.0254, "in": 0.0254}


def refuse(message):
    sys.exit(f"error: {message}")


def natural(name):
    """Numbers in a name count by value: slice_2 comes before slice_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def files_of(path):
    if not os.path.isdir(path):
        return [path]
    names = sorted((name for name in os.listdir(path) if name.lower().endswith(ENDINGS) and not name.startswith(".")), key=natural)
    if not names:
        refuse(f"'{path}' holds no files that end in {' or '.join(ENDINGS)}")
    return [os.path.join(path, name) for name in names]


def warn_of_gaps(names):
    """Where names differ in their last number alone, and those numbers leave some out."""
    matches = [re.fullmatch(r"(.*?)(\d+)(\D*)", os.path.basename(name)) for name in names]
    if len(names) < 3 or not all(matches) or len({(match[1], match[3]) for match in matches}) > 1:
        return
    numbers = [int(match[2]) for match in matches]
    step = min(after - before for before, after in zip(numbers, numbers[1:]))
    missing = sorted(set(range(numbers[0], numbers[-1], step or 1)) - set(numbers))
    if missing:
        listed = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        print(f"warning: slices {numbers[0]} to {numbers[-1]}, but no number {listed}; those that are there are stacked "
              "without a gap", file=sys.stderr)


def stored_numbers(page):
    """What Pillow shows as brightness, and in the types that it has, as the numbers of the file."""
    stored = page.tile[0][3] if page.format == "PNG" and page.tile else ""
    pixels = numpy.array(page) // {"L;2": 85, "L;4": 17}.get(stored, 1)  # 2 and 4 bits are stretched to 8
    tags = getattr(page, "tag_v2", {})
    white_is_zero = tags.get(PHOTOMETRIC) == 0 and page.mode in ("1", "L")
    form = tags.get(SAMPLE_FORMAT, (UNSIGNED,))
    form, bits = (form if isinstance(form, int) else form[0]), 8 * pixels.dtype.itemsize
    if pixels.dtype == bool:
        pixels = pixels.astype(numpy.uint8)
    if white_is_zero:
        pixels = (1 if page.mode == "1" else 255) - pixels
    if form == SIGNED and pixels.dtype == numpy.uint8:
        pixels = pixels.view(numpy.int8)
    if form == UNSIGNED and pixels.dtype == numpy.int32 and tags.get(BITS, (bits,))[0] == 32:
        pixels = pixels.view(numpy.uint32)
    return pixels


def refuse_nan(pixels, place):
    if numpy.issubdtype(pixels.dtype, numpy.floating) and numpy.isnan(pixels).any():
        at = ", ".join(f"{axis} {i}" for axis, i in zip("zyx"[-pixels.ndim:], numpy.argwhere(numpy.isnan(pixels))[0]))
        refuse(f"{place}: the pixel at {at} is NaN, which is no label and no grey value")


def refuse_what_cannot_be_there(page, name, place):
    """A damaged size would keep Pillow busy for long, or take all memory."""
    tags = getattr(page, "tag_v2", {BITS: (1,), COMPRESSION: DEFLATE})
    width, height = page.size
    expected, there = width * height * tags.get(BITS, (1,))[0] // 8, os.path.getsize(name)
    if expected > there * MOST_COMPRESSED.get(tags.get(COMPRESSION, 1), MOST_OF_OTHERS):
        refuse(f"{place} is damaged: it claims {height} x {width} pixels, {expected} bytes, which a file of {there} bytes cannot hold")


def slice_of(page, place):
    """The page as an array of two dimensions."""
    pixels = stored_numbers(page)
    refuse_nan(pixels, place)
    if page.mode == "P":
        refuse(f"{place} has a palette: its numbers stand for colours. Save it as greyscale or as labels")
    if pixels.ndim != 2:
        refuse(f"{place} has {pixels.shape[-1]} channels (mode {page.mode}); a label image has one. Save it as "
               "greyscale or as labels")
    return pixels


def in_first_unit(sizes, units, path):
    """Sizes along the axes in the unit of the first one."""
    units = [str(unit or "") for unit in units]
    if len(set(units)) > 1 and not all(unit in METRES for unit in units):
        listed = ", ".join(f"'{unit}'" for unit in units)
        refuse(f"'{path}' has voxel sizes in the units {listed}, which cannot be converted into one another; give --voxel")
    return [float(size) * (1.0 if unit == units[0] else METRES[unit] / METRES[units[0]]) for size, unit in zip(sizes, units)], units[0]


def voxel_of_imagej(image, description):
    """The size (z, y, x) and its unit, where ImageJ wrote all of it; else nothing."""
    told = dict(line.split("=", 1) for line in description.splitlines() if "=" in line)
    unit = told.get("unit", "pixel")
    if "ImageJ" not in told or "spacing" not in told or unit == "pixel":
        return None
    resolutions = [image.tag_v2.get(tag) for tag in (Y_RESOLUTION, X_RESOLUTION)]
    if not all(resolutions):
        return None
    return [abs(float(told["spacing"]))] + [1.0 / float(resolution) for resolution in resolutions], unit


def voxel_of_resolution(image):
    """The size along y and x from the resolution, unless it is one of screens and paper; none along z."""
    millimetres = MILLIMETRES_OF.get(image.tag_v2.get(RESOLUTION_UNIT))
    resolutions = [float(image.tag_v2.get(tag, 0)) for tag in (Y_RESOLUTION, X_RESOLUTION)]
    if not millimetres or not all(0.0 < resolution < numpy.inf for resolution in resolutions):
        return None
    if any(abs(25.4 * resolution / millimetres - points) < 0.5 for resolution in resolutions for points in (1, *OF_PRINT)):
        return None
    return [None, *(millimetres / resolution for resolution in resolutions)], "mm"


def voxel_of_ome(description, path):
    """The physical size of an OME-TIFF; along z only where it says so."""
    try:
        elements = ElementTree.fromstring(description.encode("latin-1")).iter() if "<OME" in description else []  # Pillow reads it as Latin-1
    except (ElementTree.ParseError, UnicodeError):
        return None
    pixels = next((element.attrib for element in elements if element.tag.rpartition("}")[2] == "Pixels"), {})
    axes = [axis for axis in "ZYX" if NUMBER.fullmatch(pixels.get(f"PhysicalSize{axis}", ""))]
    if axes[-2:] != ["Y", "X"]:
        return None
    sizes, unit = in_first_unit([pixels[f"PhysicalSize{axis}"] for axis in axes],
                                [pixels.get(f"PhysicalSize{axis}Unit", "\u00b5m") for axis in axes], path)
    unit = {"\u00b5m": "um", "\u03bcm": "um"}.get(unit, unit)
    return ([None] * (3 - len(axes)) + sizes, unit) if all(0.0 < size < numpy.inf for size in sizes) else None


def voxel_of_page(image, path):
    if image.format != "TIFF":
        return None
    description = str(image.tag_v2.get(DESCRIPTION, ""))
    return voxel_of_ome(description, path) or voxel_of_imagej(image, description) or voxel_of_resolution(image)


def with_distance_of_slices(voxel, slices, path):
    """A size that a file has along y and x alone holds along z too, where both are equal."""
    if voxel is None or voxel[0][0] is not None:
        return voxel
    (_, along_y, along_x), unit = voxel
    if slices > 1 and not math.isclose(along_y, along_x, rel_tol=1e-6):
        return None
    if slices > 1:
        print(f"warning: '{path}' has the size of a voxel along x and y, {along_x:g} {unit}, which is taken along z, too; "
              "--voxel gives another one", file=sys.stderr)
    return [along_y, along_y, along_x], unit


def read_nrrd(path, wants_voxel):
    try:
        import nrrd
    except ImportError:
        refuse("NRRD files are read by pynrrd, which Debian has no package of. In an environment of your own: python3 -m venv "
               "--system-site-packages nrrd && nrrd/bin/pip install pynrrd; then nrrd/bin/python tools/import_image ...")
    try:
        stack, header = nrrd.read(path, index_order="C")
    except Exception as error:  # whatever pynrrd meets in a damaged file
        refuse(f"cannot read '{path}': it is no NRRD file, or damaged ({error})")
    if stack.ndim not in (2, 3):
        refuse(f"'{path}' has {stack.ndim} axes; a label image has z, y and x, or y and x")
    return stack, 1, voxel_of_nrrd(header, stack.ndim, path) if wants_voxel else None


def voxel_of_nrrd(header, axes, path):
    """The size (z, y, x) and its unit, where the header has them; it lists x first."""
    if "space directions" in header:  # a row for each axis of the image, a column for each axis of space
        directions = numpy.array(header["space directions"], dtype=float)
        factors, unit = in_first_unit([1.0] * directions.shape[1], header.get("space units", [""] * directions.shape[1]), path)
        sizes = numpy.linalg.norm(directions * factors, axis=1)
    else:
        sizes, unit = in_first_unit(header.get("spacings", []), header.get("units", [""] * axes), path)
    known = len(sizes) == axes and numpy.isfinite(sizes).all() and min(sizes) > 0
    return (list(map(float, sizes))[::-1], unit) if known else None


def read_raw(path, shape, kind, skip, big_endian):
    if min(shape) < 1:
        refuse(f"--shape {' '.join(map(str, shape))}: expected three sizes of at least 1")
    if skip < 0:
        refuse(f"--skip {skip}: expected the bytes of a header, 0 or more")
    kind = numpy.dtype(kind).newbyteorder(">" if big_endian else "<")
    there, expected = os.path.getsize(path), skip + kind.itemsize * math.prod(shape)
    if there != expected:
        refuse(f"'{path}' has {there} bytes; {' x '.join(map(str, shape))} values of {kind.name} after --skip {skip} are {expected}. "
               "Check --shape, --type and --skip")
    return numpy.fromfile(path, dtype=kind, offset=skip).reshape(shape).astype(kind.newbyteorder("=")), 1, None


def read(given):
    """An array (z, y, x), the number of files that it came from, and the size of a voxel with its unit where that is known."""
    if given.shape or given.type:
        if not given.shape or not given.type or os.path.isdir(given.input):
            refuse("raw values are one file, with --shape and --type")
        return read_raw(given.input, given.shape, given.type, given.skip, given.big_endian)
    if given.skip or given.big_endian:
        refuse("--skip and --big-endian are for raw values: give --shape and --type, too")
    if given.input.lower().endswith((".nrrd", ".nhdr")):
        return read_nrrd(given.input, wants_voxel=not given.voxel)
    return read_slices(given.input, wants_voxel=not given.voxel)


def read_slices(path, wants_voxel):
    files = files_of(path)
    warn_of_gaps(files)
    slices, voxel = [], None
    for name in files:
        try:
            with Image.open(name) as image:
                if image.format not in ("TIFF", "PNG"):
                    refuse(f"'{name}' is {image.format}, not TIFF or PNG; convert it first")
                refuse_what_cannot_be_there(image, name, f"'{name}'")  # before Pillow makes room for the page to count the others
                pages = getattr(image, "n_frames", 1)
                description = str(getattr(image, "tag_v2", {}).get(DESCRIPTION, ""))
                told = re.search(r"^images=(\d+)", description, re.MULTILINE)
                if wants_voxel and voxel is None:
                    voxel = voxel_of_page(image, name)
                if told and int(told[1]) > pages:
                    refuse(f"'{name}' says that it has {told[1]} images, but lists {pages}: ImageJ writes stacks of more than "
                           "4 GB that way. Save it as a sequence of slices")
                if len(files) > 1 and pages > 1:
                    refuse(f"'{name}' has {pages} pages; a folder holds slices of one page each")
                for number, page in enumerate(ImageSequence.Iterator(image)):
                    place = f"'{name}'" + (f", page {number + 1}" if pages > 1 else "")
                    refuse_what_cannot_be_there(page, name, place)
                    slices.append(slice_of(page, place))
                    if slices[-1].shape != slices[0].shape or slices[-1].dtype != slices[0].dtype:
                        refuse(f"{place} is {describe(slices[-1])}, the slices before are {describe(slices[0])}; all "
                               "slices of a stack are alike")
        except Exception as error:  # whatever Pillow meets in a damaged file
            refuse(f"cannot read '{name}': it is no TIFF or PNG, or damaged ({error}). Raw values need --shape and --type")
    return numpy.stack(slices), len(files), with_distance_of_slices(voxel, len(slices), files[0])


def describe(pixels):
    return f"{pixels.shape[0]} x {pixels.shape[1]} pixels of {pixels.dtype}"
