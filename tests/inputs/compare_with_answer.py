"""compare_with_answer.py CASE FOLDER: compares the last field that CASE left in FOLDER with the answer its file states.

Exits with 1 when they differ by more than the bound, with 77 (skipped) when h5py is not there.
"""
import pathlib
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    print("no h5py")
    sys.exit(77)

sin, cos, pi = np.sin, np.cos, np.pi


def centres(file):
    """Coordinates of the cell centres as arrays that broadcast over the field, x first."""
    names = [name for name in "zyx" if name in file]
    grids = np.meshgrid(*(file[name][()] for name in names), indexing="ij")
    return dict(zip(names, grids))


def manufactured_poisson_2d(file):
    at = centres(file)
    return sin(pi * at["x"]) * cos(pi * at["y"] / 2)


def manufactured_poisson_3d(file):
    at = centres(file)
    return sin(pi * at["x"]) * sin(2 * pi * at["y"]) * cos(pi * at["z"] / 2)


def heated_plate(file):
    at = centres(file)
    end = np.ravel(file["time"][()])[-1]
    assert np.isclose(end, 60.0, rtol=1e-12), end
    rate = 1.172e-5 * pi**2 * (1 / 0.2**2 + 1 / 0.1**2)
    return 100 * sin(pi * at["x"] / 0.2) * sin(pi * at["y"] / 0.1) * np.exp(-60.0 * rate)


def standing_wave(file):
    at = centres(file)
    shape = sin(pi * at["x"]) * sin(2 * pi * at["y"])
    omega, end = np.sqrt(2.0) * pi * np.sqrt(5.0), np.ravel(file["time"][()])[-1]
    difference = np.abs(file["v"][-1] + omega * sin(omega * end) * shape).max()
    assert difference < 0.09, difference
    return cos(omega * end) * shape


def composite_layers(file):
    """In series the flux is the same everywhere: u falls by flux * thickness / a."""
    x = centres(file)["x"]
    resistance = np.interp(x, [0.0, 0.1, 0.2, 0.3, 0.4], np.cumsum([0.0, 0.1, 1.0, 0.1, 1.0]))
    return 20.0 - 20.0 / 2.2 * resistance


def checkerboard(file):
    """No closed form: turned by half a turn the board is itself, so u + u turned is 1."""
    u = file["u"][()]
    assert u.min() >= 0.0 and u.max() <= 1.0, (u.min(), u.max())
    return 1.0 - u[::-1, ::-1]


def convected_boundary_layer(file):
    return np.expm1(20 * centres(file)["x"]) / np.expm1(20)


def recirculating_flow(file):
    """No closed form: upwind differences keep u between its boundary values, and the wind warms the upper half first."""
    u = file["u"][()]
    assert u.min() >= 0.0 and u.max() <= 1.0, (u.min(), u.max())
    assert np.ptp(u, axis=0).max() < 1e-6
    half = u.shape[1] // 2
    assert abs(u[:, half:].mean() - u[:, :half].mean()) > 0.05, (u[:, half:].mean(), u[:, :half].mean())
    return u


def straight_bounds(file):
    """No closed form: the concentration lies between its boundary values and falls along z in every plane's mean."""
    u = file["u"][()]
    means = np.nanmean(u, axis=(1, 2))
    iterated = 1.0e-7  # what rtol 1e-8 leaves open: dead ends beside z+ are all but 0
    assert np.nanmin(u) >= -iterated and np.nanmax(u) <= 1.0 + iterated, (np.nanmin(u), np.nanmax(u))
    assert means[0] > 0.9 and means[-1] < 0.1, means
    return u


def effective_tensor(file):
    """No closed form: what the report says of each direction follows from the field and the image alone."""
    report = file["report/effective"].attrs
    porosity = report["conducting_fraction"]
    assert list(report["direction"]) == ["x", "y", "z"] and report["percolates"].all()
    assert report["wiener"][0] == 0.0 and np.isclose(report["wiener"][1], porosity, rtol=1e-12)
    for i, name in enumerate(report["direction"]):
        u = np.moveaxis(file[f"u_{name}"][()], "zyx".index(name), 0)
        inflow = np.nansum(2.0 * (1.0 - u[0])) / u[0].size
        middle = np.nansum(u[len(u) // 2 - 1] - u[len(u) // 2]) / u[0].size  # pores alone conduct: a is 1
        assert np.isclose(middle, inflow, rtol=1e-6), (name, middle, inflow)
        assert np.isclose(report["coefficient"][i], inflow * len(u), rtol=1e-6), (name, report["coefficient"][i])
        assert np.isclose(report["tortuosity"][i], porosity / (inflow * len(u)), rtol=1e-6)
        assert 0.0 < report["coefficient"][i] < report["hashin_shtrikman"][1] * 1.2
        assert np.nanmin(u) >= -1e-6 and np.nanmax(u) <= 1.0 + 1e-6
    return file["u_z"][()]


# Largest difference that the coarse grid allows: about twice the discretisation error, so that a wrong order shows.
CASES = {
    "manufactured_poisson_2d": (manufactured_poisson_2d, 1.4e-3),
    "manufactured_poisson_3d": (manufactured_poisson_3d, 2e-2),
    "heated_plate": (heated_plate, 0.22),
    "standing_wave": (standing_wave, 5.5e-3),
    "composite_layers": (composite_layers, 1e-7),
    "convected_boundary_layer": (convected_boundary_layer, 2.4e-2),
    "checkerboard": (checkerboard, 1.0e-6),
    "recirculating_flow": (recirculating_flow, 0.0),
    "effective_diffusivity": (straight_bounds, 0.0),
    "effective_tensor": (effective_tensor, 0.0),
}


def main(case, folder):
    path = pathlib.Path(folder) / f"{case}.vtkhdf"
    answer, bound = CASES[case]
    with h5py.File(path, "r") as file:
        field = file["u" if "u" in file else "u_z"]
        field = field[-1] if "VTKHDF/Steps" in file else field[()]  # the last of several snapshots
        difference = np.nanmax(np.abs(field - answer(file)))
    print(f"{path.name}: largest difference {difference:.3g}, bound {bound:.3g}")
    return 0 if difference <= bound else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
