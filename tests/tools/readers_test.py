"""Opens outputs in other readers: readers_test.py h5py|xarray|vtk WRITE_SAMPLES, the program that writes them.

Expects what tests/solver/hdf5/sample_run.hpp says. Exits with 77 where the reader cannot be imported.
"""
import math
import os
import subprocess
import sys
import tempfile

CELLS, SPACING, ORIGIN = (4, 3, 2), (0.5, 0.25, 2.0), (10.0, 20.0, 30.0)
CHUNKED = {2: (907, 701), 3: (29, 83, 61, 3)}  # shapes of fields in several chunks
SAMPLES = [(precision, dimensions) for precision in ("float32", "float64") for dimensions in (2, 3)]


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(77)


def check_values(values, dimensions):
    count = math.prod(CELLS[:dimensions])
    assert len(values) == count, len(values)
    assert math.isnan(values[1]), values[1]
    assert all(values[i] == i + 0.125 for i in range(count) if i != 1), list(values)


def check_in_xarray(path, precision, dimensions):
    import xarray
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        assert data.u.dims == ("z", "y", "x")[-dimensions:], data.u.dims
        assert data.u.dtype == precision, data.u.dtype
        assert data.u.attrs["units"] == "K"
        assert float(data.time) == 0.5
        assert data.attrs["title"] == "Plate"
        for axis, name in enumerate("xyz"[:dimensions]):
            centres = [ORIGIN[axis] + (i + 0.5) * SPACING[axis] for i in range(CELLS[axis])]
            assert list(data[name].values) == centres, name
        check_values(data.u.values.ravel(), dimensions)
    with xarray.open_dataset(path, engine="h5netcdf", group="report/history") as history:
        assert list(history.iteration.values) == [10, 120]
        assert list(history.residual.values) == [1.0, 1.5e-9]
    with xarray.open_dataset(path, engine="h5netcdf", group="report") as report:
        assert report.attrs["stop_reason"] == "complete"


def check_chunks(path, precision, dimensions):
    """Through shuffle, deflate and fletcher32 as h5py's HDF5 has them."""
    import h5py
    import numpy
    with h5py.File(path) as file:
        u = file["u"]
        assert u.shape == CHUNKED[dimensions] and u.dtype == precision, (u.shape, u.dtype)
        assert u.shuffle and u.compression == "gzip" and u.fletcher32
        assert u.id.get_num_chunks() > 1 and any(size % part for size, part in zip(u.shape, u.chunks)), u.chunks
        assert all(u.id.get_chunk_info(i).filter_mask == 0 for i in range(u.id.get_num_chunks()))
        expected = (numpy.arange(u.size, dtype=precision) + numpy.array(0.125, precision)).reshape(u.shape)
        assert numpy.array_equal(u[...], expected)


def check_in_h5py(path, precision, dimensions):
    import h5py
    with h5py.File(path) as file:
        assert file["u"].dtype == precision
        check_values(file["u"][...].ravel(), dimensions)
    check_chunks(os.path.join(os.path.dirname(path), "chunks_" + os.path.basename(path)), precision, dimensions)


def check_in_vtk(path, precision, dimensions):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
    reader = vtkHDFReader()
    reader.SetFileName(path)
    assert reader.CanReadFile(path)
    reader.Update()
    image = reader.GetOutputDataObject(0)
    depth = CELLS[2] if dimensions == 3 else 0
    assert image.GetClassName() == "vtkImageData"
    assert image.GetExtent() == (0, CELLS[0], 0, CELLS[1], 0, depth), image.GetExtent()
    assert image.GetSpacing() == SPACING and image.GetOrigin() == ORIGIN
    values = vtk_to_numpy(image.GetCellData().GetArray("u"))
    assert values.dtype == precision, values.dtype
    check_values(values, dimensions)
    assert image.GetFieldData().GetArray("TimeValue").GetValue(0) == 0.5
    assert image.GetFieldData().GetArray("iteration").GetValue(0) == 120


def import_reader(reader):
    try:
        if reader == "h5py":
            import h5py  # noqa: F401
        elif reader == "xarray":
            import h5netcdf  # noqa: F401
            import xarray  # noqa: F401
        else:
            from vtkmodules.vtkCommonCore import vtkVersion
            from vtkmodules.vtkIOHDF import vtkHDFReader  # noqa: F401
            version = vtkVersion.GetVTKVersion()
            if tuple(map(int, version.split(".")[:2])) < (9, 3):
                skip(f"VTK {version} is older than 9.3")
    except ImportError as missing:
        skip(f"{reader} cannot be imported ({missing})")


def main():
    reader, write_samples = sys.argv[1:]
    import_reader(reader)
    check = {"h5py": check_in_h5py, "xarray": check_in_xarray, "vtk": check_in_vtk}[reader]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([write_samples, folder], check=True)
        for precision, dimensions in SAMPLES:
            check(os.path.join(folder, f"{precision}_{dimensions}d.vtkhdf"), precision, dimensions)
    print(f"{len(SAMPLES)} files opened")


if __name__ == "__main__":
    main()
