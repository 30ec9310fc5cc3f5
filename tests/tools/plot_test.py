"""Pictures of planes, their differences and films: plot_test.py. Exits with 77 without matplotlib or h5py."""
import sys
import unittest
import unittest.mock

try:
    import matplotlib.image
    import numpy
    from plot_samples import InFolder, write_result
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

import plotting
from plotting import film, figures
from plotting.options import read_options

GREY = 0.7


class Planes(InFolder):
    def box(self, name="box.vtkhdf", shape=(3, 2, 4)):
        """u is 100 z + 10 y + x in cells; flux has the lengths 5 to 6 along x, y component 4, z component 0."""
        values = sum(numpy.indices(shape) * numpy.array([100.0, 10.0, 1.0])[-len(shape):].reshape((-1,) + (1,) * len(shape)))
        flux = numpy.zeros(shape + (3,))
        flux[..., 1], flux[..., 0] = 4.0, numpy.linspace(3.0, 20.0 ** 0.5, shape[-1])
        return write_result(self.path(name), {"u": values, "flux": flux}, units={"u": "K", "flux": "W/m2"}, length="m", title="A box")

    def panels(self, *arguments, **options):
        """The panels that have a picture of cells, and the figure."""
        figure = plotting.draw_slices(*arguments, **options)
        return [axes for axes in figure.axes if axes.images], figure

    def bars(self, figure):
        return [axes for axes in figure.axes if axes.get_label() == "<colorbar>"]

    def test_the_middle_of_a_box_with_units_everywhere(self):
        (axes,), figure = self.panels(self.box())
        numpy.testing.assert_array_equal(axes.images[0].get_array(), [[100, 101, 102, 103], [110, 111, 112, 113]])
        self.assertEqual(axes.images[0].get_clim(), (100.0, 113.0))
        self.assertEqual(list(axes.images[0].get_extent()), [0.0, 4.0, 0.0, 2.0])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("x [m]", "y [m]"))
        self.assertEqual(axes.get_title(), "z = 1.5 m (slice 1)")
        self.assertEqual([bar.get_ylabel() for bar in self.bars(figure)], ["u [K]"])
        self.assertEqual(figure._suptitle.get_text(), "A box")

    def test_planes_in_any_number_share_their_colours(self):
        panels, figure = self.panels(self.box(), axes=["x", "y"], slices=[0, 1])
        self.assertEqual([axes.get_title().split(" (")[0] for axes in panels], ["x = 0.5 m", "x = 1.5 m", "y = 0.5 m", "y = 1.5 m"])
        numpy.testing.assert_array_equal(panels[1].images[0].get_array(), [[1, 11], [101, 111], [201, 211]])
        self.assertEqual({axes.images[0].get_clim() for axes in panels}, {(0.0, 213.0)})
        self.assertEqual(len(self.bars(figure)), 1)
        panels, figure = self.panels(self.box(), at=[("z", 2.9), ("x", 0.0)], own_scales=True)
        self.assertEqual([axes.images[0].get_clim() for axes in panels], [(200.0, 213.0), (0.0, 210.0)])
        self.assertEqual(len(self.bars(figure)), 2)

    def test_a_vector_is_drawn_as_its_magnitude_or_a_component(self):
        for path in (self.box(), self.box("plane.vtkhdf", (2, 4))):
            (axes,), figure = self.panels(path, ["flux"])
            numpy.testing.assert_allclose(axes.images[0].get_array()[:, [0, -1]], [[5.0, 6.0]] * 2)
            self.assertEqual(self.bars(figure)[0].get_ylabel(), "magnitude of flux [W/m2]")
            (axes,), figure = self.panels(path, ["flux"], component="y", limits=(-1.0, 9.0))
            numpy.testing.assert_allclose(axes.images[0].get_array(), 4.0)
            self.assertEqual(axes.images[0].get_clim(), (-1.0, 9.0))
            self.assertEqual(self.bars(figure)[0].get_ylabel(), "y component of flux [W/m2]")

    def test_limits_of_the_whole_field(self):
        (axes,), _ = self.panels(self.box(), axes=["x"], slices=[0], limits="field")
        self.assertEqual(axes.images[0].get_clim(), (0.0, 213.0))

    def test_scales(self):
        path = write_result(self.path("scales.vtkhdf"), {"u": numpy.array([[0.01, 1.0], [10.0, numpy.nan]]), "v": numpy.array([[-1.0, 0.0], [1.0, 3.0]])})
        (axes,), _ = self.panels(path, ["u"], scale="log")
        numpy.testing.assert_allclose(axes.images[0].norm([0.01, 10.0, 10.0 ** -0.5]), [0.0, 1.0, 0.5])
        (axes,), _ = self.panels(path, ["v"], scale="diverging")
        self.assertEqual(axes.images[0].get_clim(), (-3.0, 3.0))
        (axes,), _ = self.panels(path, ["v"], scale="diverging", middle=2.0)
        self.assertEqual(axes.images[0].get_clim(), (-1.0, 5.0))
        (axes,), _ = self.panels(path, ["v"], scale="symlog", colours="coolwarm")
        self.assertEqual((axes.images[0].get_clim(), axes.images[0].cmap.name), ((-3.0, 3.0), "coolwarm"))
        with self.assertRaisesRegex(plotting.PlotError, "--scale log: values begin at -1"):
            plotting.draw_slices(path, ["v"], scale="log")

    def test_a_cell_without_a_value_is_grey(self):
        values = numpy.arange(12.0).reshape(3, 4)
        values[1, 1] = numpy.nan
        figure = plotting.draw_slices(write_result(self.path("hole.vtkhdf"), {"u": values}))
        figures.save(figure, self.path("hole.png"), dpi=60)
        picture = matplotlib.image.imread(self.path("hole.png"))[:, :, :3]
        self.assertGreater((abs(picture - GREY) < 0.003).all(axis=2).mean(), 0.02)

    def test_contours_arrows_and_streamlines(self):
        x = numpy.linspace(0.5, 7.5, 8)
        path = write_result(self.path("lines.vtkhdf"), {"flux": numpy.ones((6, 8, 3)) * [2.0, 1.0, 0.0], "u": numpy.tile(x, (6, 1))})
        (axes,), _ = self.panels(path, ["u"], contours=[2.0, 5.0])
        crossed = sorted({round(float(vertices[0, 0]), 9) for lines in axes.collections for vertices in segments(lines) if len(vertices)})
        numpy.testing.assert_allclose(crossed, [2.0, 5.0])
        (axes,), _ = self.panels(path, ["u"], contours=3)
        self.assertEqual(sorted({text.get_text() for text in axes.texts}), ["2", "4", "6"])
        (axes,), _ = self.panels(path, ["u"], arrows="flux")
        arrows = axes.collections[0]
        self.assertEqual((arrows.N, set(arrows.U), set(arrows.V)), (48, {2.0}, {1.0}))
        self.assertEqual(arrows.scale, 5.0 ** 0.5)  # the longest arrow is as long as the cells are apart
        (axes,), _ = self.panels(path, ["u"], streamlines="flux")
        self.assertEqual(axes.get_xlim(), (0.0, 8.0))
        with self.assertRaisesRegex(plotting.PlotError, "'u' is not a vector field of .*; vectors there: flux"):
            plotting.draw_slices(path, ["u"], arrows="u")

    def test_a_thin_domain_is_stretched_and_says_so(self):
        path = write_result(self.path("thin.vtkhdf"), {"u": numpy.tile(numpy.arange(400.0), (4, 1))})
        (axes,), figure = self.panels(path)
        self.assertEqual(axes.get_title(), "y is stretched 12.5 times")
        figure.draw_without_rendering()
        box = axes.get_window_extent()
        self.assertAlmostEqual(box.width / box.height, 8.0, places=2)
        self.assertGreater(box.height / figure.dpi, 0.6)  # inches
        (axes,), _ = self.panels(write_result(self.path("tall.vtkhdf"), {"u": numpy.zeros((400, 4))}))
        self.assertEqual(axes.get_title(), "x is stretched 12.5 times")

    def test_without_u_the_first_scalar_field(self):
        said = []
        path = write_result(self.path("other.vtkhdf"), {"flux": numpy.ones((2, 3, 3)), "u_x": numpy.zeros((2, 3))})
        _, figure = self.panels(path, note=said.append)
        self.assertEqual((self.bars(figure)[0].get_ylabel(), said), ("u_x", ["drawing u_x; --field draws another of: flux, u_x"]))

    def reaction(self):
        """v in three snapshots: snapshot + x / 10."""
        values = numpy.arange(3.0)[:, None, None] + numpy.arange(5) / 10.0 + numpy.zeros((3, 4, 5))
        return write_result(self.path("reaction.vtkhdf"), {"v": values}, times=[0.0, 2.5, 5.0], problem="system", length="m")

    def test_snapshots_say_their_time(self):
        panels, _ = self.panels(self.reaction(), snapshots=[1, -1])
        self.assertEqual([axes.get_title() for axes in panels], ["time 2.5 s", "time 5 s"])
        numpy.testing.assert_allclose(panels[0].images[0].get_array()[0], [1.0, 1.1, 1.2, 1.3, 1.4])

    def test_several_files_are_named(self):
        panels, figure = self.panels([self.box("a.vtkhdf", (2, 4)), self.box("b.vtkhdf", (2, 4))], title="")
        self.assertEqual([axes.get_title() for axes in panels], ["a", "b"])
        self.assertIsNone(figure._suptitle)

    def test_before_and_after(self):
        figure = plotting.draw_difference(self.reaction())
        before, after, change = [axes for axes in figure.axes if axes.images]
        self.assertEqual([axes.get_title() for axes in (before, after, change)], ["time 0 s", "time 5 s", "after less before"])
        self.assertEqual(before.images[0].get_clim(), (0.0, 2.4))
        self.assertEqual(before.images[0].get_clim(), after.images[0].get_clim())
        numpy.testing.assert_allclose(change.images[0].get_array(), 2.0)
        self.assertEqual(change.images[0].get_clim(), (-2.0, 2.0))
        self.assertEqual([bar.get_ylabel() for bar in self.bars(figure)], ["v", "change of v"])
        of_two = plotting.draw_difference([self.box("a.vtkhdf", (2, 4)), self.box("b.vtkhdf", (2, 4))])
        self.assertEqual([axes.get_title() for axes in of_two.axes if axes.images], ["a", "b", "b less a"])
        with self.assertRaisesRegex(plotting.PlotError, "different grids: 4 x 5 and 2 x 4 cells"):
            plotting.draw_difference([self.reaction(), self.box("b.vtkhdf", (2, 4))], snapshots=[0], field=None)

    def test_a_film_has_a_frame_of_each_snapshot_in_the_same_colours(self):
        path, limits, said = self.reaction(), [], []
        draw = film.draw_panels

        def watched(panels, look):
            limits.append(look.limits)
            return draw(panels, look)

        with unittest.mock.patch.object(film, "draw_panels", watched), unittest.mock.patch.object(film.shutil, "which", lambda name: None):
            written = plotting.draw_film(path, self.path("reaction"), note=said.append, size=(3.0, 2.0))
        self.assertEqual((limits, written), ([(0.0, 2.4)] * 3, [self.path("reaction.frames")]))
        self.assertIn("ffmpeg", said[-1])
        frames = [matplotlib.image.imread(self.path(f"reaction.frames/{i:05d}.png")) for i in range(3)]
        self.assertEqual({frame.shape for frame in frames}, {(300, 450, 4)})
        self.assertGreater(abs(frames[0] - frames[2]).max(), 0.1)

    def test_values_that_overflow_in_pictures(self):
        values = numpy.linspace(0.0, 1.0, 48).reshape(6, 8)
        values[0, :3] = [-1e308, 1e308, 5e-324]
        values[1, :3] = [numpy.nan, numpy.inf, -numpy.inf]
        large = write_result(self.path("large.vtkhdf"), {"u": values})
        for options in ({}, {"scale": "symlog"}, {"scale": "diverging"}, {"contours": 5}):
            with self.subTest(**options):
                with self.assertRaisesRegex(plotting.PlotError, "u has values such as -?1e[+]308, which are too large for a picture: .*--range LOW HIGH"):
                    plotting.draw_slices(large, **options)
                figures.to_bytes(plotting.draw_slices(large, limits=(-1.0, 1.0), **options), "png", 50)
        with self.assertRaisesRegex(plotting.PlotError, "too large for a picture"):
            plotting.draw_difference([large, large])
        small = write_result(self.path("small.vtkhdf"), {"u": numpy.full((6, 8), 5e-324)})
        for scale in ("linear", "symlog", "diverging"):
            figures.to_bytes(plotting.draw_slices(small, scale=scale), "png", 50)
        with self.assertRaisesRegex(plotting.PlotError, "--scale log: values up to 4.94066e-324 are too small for it"):
            plotting.draw_slices(small, scale="log")
        flux = write_result(self.path("flux.vtkhdf"), {"flux": numpy.full((6, 8, 3), 1e308)})
        with self.assertRaisesRegex(plotting.PlotError, "magnitude of flux has values such as 1.73205e[+]308"):
            plotting.draw_slices(flux, ["flux"])
        figures.to_bytes(plotting.draw_slices(flux, ["flux"], limits=(0.0, 1.0), arrows="flux", streamlines="flux"), "png", 50)

    def test_refused(self):
        box, plane = self.box(), self.box("plane.vtkhdf", (2, 4))
        for path, options, words in [(box, {"slices": [3]}, "--slice 3: slices along z are 0 to 2"),
                                     (box, {"at": [("z", 3.5)]}, "--at z=3.5: z goes from 0 to 3 in"),
                                     (box, {"fields": ["v"]}, "has no field 'v'; it has: flux, u"),
                                     (box, {"component": "x"}, "u is not a vector"),
                                     (box, {"snapshots": [1]}, "--snapshot 1: .* has snapshots 0 to 0"),
                                     (box, {"axes": ["x", "y", "z"], "slices": [0, 1] * 3}, "18 pictures would be too small, at most 16"),
                                     (box, {"colours": "pink panther"}, "matplotlib has no such colour map"),
                                     (plane, {"slices": [0]}, "--slice: this result has two dimensions"),
                                     (plane, {"axes": ["x"]}, "--axis: this result has two dimensions"),
                                     (self.path("missing.vtkhdf"), {}, "no file '"),
                                     (__file__, {}, "is not an HDF5 file; expected a result")]:
            with self.subTest(words), self.assertRaisesRegex(plotting.PlotError, words):
                plotting.draw_slices(path, **options)
        with self.assertRaisesRegex(plotting.PlotError, "it has only one snapshot|has only one snapshot"):
            plotting.draw_film(box, self.path("film"))

    def test_options(self):
        given = read_options(["a.vtkhdf", "--at", "-0.5,z=2", "--range", "-1", "2", "--contours", "0.5", "--axis", "x,y", "--no-title"])
        self.assertEqual((given.at, given.range, given.contours, given.axis, given.title, given.kind),
                         ([(None, -0.5), ("z", 2.0)], (-1.0, 2.0), [0.5], ["x", "y"], "", "slices"))
        given = read_options(["a", "--range", "-1e-3", "-1e-4", "--middle", "-1e-3"])
        self.assertEqual((given.range, given.middle), ((-1e-3, -1e-4), -1e-3))
        self.assertEqual(read_options(["a", "--range", "field", "--contours", "8"]).contours, 8)
        for words, message in [(["a", "--range", "2", "1"], "the lower one first"), (["a", "--contours", "no"], "give a number of lines"),
                               (["a", "--feild", "u"], "unknown option '--feild'; did you mean '--field'?"),
                               (["a", "--size", "7"], "--size: give width and height"), (["a", "--history", "--series"], "different pictures"),
                               ([], "give a FILE"), (["a", "--axis", "w"], "'w' is not an axis"),
                               (["a", "--size", "1e9,1e9"], "at most 65535 along a side"), (["a", "--size", "nan,2"], "'nan' is not a finite number"),
                               (["a", "--dpi", "0"], "--dpi: give a number from 10"), (["a", "--film", "--rate", "0"], "--rate: give a number from"),
                               (["a", "--middle", "nan"], "'nan' is not a finite number"), (["a", "--field", ","], "',' holds no value"),
                               (["a", "--range", "-1e308", "1"], "--range -1e308,1: at most 1e+300"), (["a", "--only", ","], "names are missing"),
                               (["a", "--contours", "nan,"], "give a number of lines")]:
            with self.subTest(message), self.assertRaises(plotting.PlotError) as refused:
                read_options(words)
            self.assertIn(message, str(refused.exception))


def segments(lines):
    """Vertices of contour lines, which are one collection a level in older versions of matplotlib and one for all in newer ones."""
    return [part for path in lines.get_paths() for part in path.to_polygons(closed_only=False)]


if __name__ == "__main__":
    unittest.main()
