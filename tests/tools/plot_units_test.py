"""Pictures of results with different units, labels of axes, and ranges of curves: plot_units_test.py. Exits with 77 without matplotlib or h5py."""
import contextlib
import io
import sys
import unittest

try:
    import h5py
    import numpy
    from plot_samples import InFolder, add_series, write_result, write_table
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

import plotting
from plotting import command, units
from plotting.sweep_labels import words_of

TIME = numpy.array([0.0, 1.0, 4.0])


class Units(InFolder):
    def result(self, name, length, time, spacing, value="K", factor=1.0, **more):
        """u = factor (0 to 11) on 3 x 4 cells at two times; mass and front are watched, front in units of length."""
        values = factor * numpy.arange(12.0).reshape(1, 3, 4) * numpy.array([1.0, 2.0]).reshape(2, 1, 1)
        path = write_result(self.path(name), {"u": values}, times=[0.0, 4.0], problem="system", units={"u": value} if value else {}, length=length,
                            time=time, spacing=spacing, title=name, **more)
        add_series(path, TIME, {"mass": TIME ** 2, "front": 3.0 * TIME}, units={"front": length, "mass": value})
        return path

    def pair(self, **of_second):
        return [self.result("A.vtkhdf", "mm", "s", 10.0), self.result("B.vtkhdf", **{"length": "cm", "time": "min", "spacing": 1.0, **of_second})]

    def drawn(self, *words):
        return command.figure_of(command.read_options(list(words)))

    def test_numbers_in_other_units(self):
        for number, own, to, expected in ((10.0, "cm", "mm", 100.0), (3.0, "nm", "um", 0.003), (2.5, "km", "cm", 2.5e5), (90.0, "min", "h", 1.5), (1.0, "d", "s", 86400.0),
                                          (250.0, "us", "ms", 0.25), (7.0, "K", "K", 7.0), (1e9, "ns", "s", 1.0)):
            self.assertEqual(units.converted(number, own, to), expected)
        for own, to in (("mm", "s"), ("", "mm"), ("s", ""), ("degC", "K")):
            self.assertIsNone(units.ratio_of(own, to))

    def test_series_in_the_units_of_the_first(self):
        front, mass = plotting.draw_series(self.pair(), ["front", "mass"]).axes
        self.assertEqual((mass.get_xlabel(), front.get_ylabel()), ("time [s]", "front [mm]"))
        self.assertEqual([list(line.get_xdata()) for line in mass.lines], [[0.0, 1.0, 4.0], [0.0, 60.0, 240.0]])
        self.assertEqual([list(line.get_ydata()) for line in front.lines], [[0.0, 3.0, 12.0], [0.0, 30.0, 120.0]])
        mass, = plotting.draw_series(self.pair()[::-1], ["mass"]).axes
        self.assertEqual((mass.get_xlabel(), list(mass.lines[1].get_xdata())), ("time [min]", [0.0, 1.0 / 60.0, 4.0 / 60.0]))

    def test_series_whose_values_cannot_be_converted_have_their_own_panels(self):
        for options in ({}, {"together": True}):
            panels = plotting.draw_series(self.pair(value="degC"), ["mass"], **options).axes
            self.assertEqual([panel.get_ylabel() for panel in panels], ["mass [K]", "mass [degC]"])
            self.assertEqual([len(panel.lines) for panel in panels], [1, 1])

    def test_lines_in_the_units_of_the_first(self):
        axes, = plotting.draw_line(self.pair(), "x").axes
        for line in axes.lines:
            numpy.testing.assert_allclose(line.get_xdata(), [5.0, 15.0, 25.0, 35.0])
        self.assertEqual((axes.get_xlabel(), axes.get_title()), ("x [mm]", "y = 15 mm"))
        self.assertEqual([line.get_label() for line in axes.lines], ["A, time 4 s", "B, time 240 s"])
        axes, = plotting.draw_line(self.pair(), "x", at=[("y", 29.0)]).axes
        self.assertEqual(([list(line.get_ydata()) for line in axes.lines], axes.get_title()), ([[16.0, 18.0, 20.0, 22.0]] * 2, "y = 25 mm"))
        axes, = plotting.draw_line(self.pair(), "0,5:40,5").axes
        for line in axes.lines:
            self.assertEqual((line.get_xdata()[-1], axes.get_xlabel()), (40.0, "distance [mm]"))

    def test_lines_that_lie_elsewhere_say_where(self):
        axes, = plotting.draw_line(self.pair(spacing=2.0), "x").axes
        self.assertEqual((axes.get_title(), [line.get_label() for line in axes.lines]), ("", ["A, time 4 s, y = 15 mm", "B, time 240 s, y = 30 mm"]))

    def test_planes_in_the_units_of_the_first(self):
        panels = [axes for axes in plotting.draw_slices(self.pair()).axes if axes.images]
        self.assertEqual([(list(axes.images[0].get_extent()), axes.get_xlabel(), axes.get_title()) for axes in panels],
                         [([0.0, 40.0, 0.0, 30.0], "x [mm]", "A, time 4 s"), ([0.0, 40.0, 0.0, 30.0], "x [mm]", "B, time 240 s")])

    def test_before_and_after_in_the_units_of_the_first(self):
        change = [axes for axes in plotting.draw_difference(self.pair(factor=2.0)).axes if axes.images][2]
        numpy.testing.assert_allclose(change.images[0].get_array(), 2.0 * numpy.arange(12.0).reshape(3, 4))
        with self.assertRaisesRegex(plotting.PlotError, "u is in K in '.*A.vtkhdf' and in degC in '.*B.vtkhdf', so these values cannot be subtracted"):
            plotting.draw_difference(self.pair(value="degC"))
        small = [self.result(f"{name}.vtkhdf", "m", "s", spacing) for name, spacing in (("C", 1e-9), ("D", 2e-9))]
        with self.assertRaisesRegex(plotting.PlotError, "have different grids"):
            plotting.draw_difference(small)

    def test_a_picture_changes_no_result(self):
        results = [plotting.Result(path) for path in self.pair()]
        plotting.draw_line(results, "x")
        self.assertEqual((results[1].axis_units("x"), list(results[1].centres("x"))), ("cm", [0.5, 1.5, 2.5, 3.5]))

    def test_units_that_cannot_be_converted_are_refused(self):
        for draw, of_second, words in (
                (lambda paths: plotting.draw_series(paths), {"time": ""}, r"times are in s in '.*A.vtkhdf' and without a unit in '.*B.vtkhdf', .* write units: {time: UNIT}"),
                (lambda paths: plotting.draw_line(paths, "x"), {"length": ""}, r"lengths are in mm in '.*A.vtkhdf' and without a unit in '.*B.vtkhdf'"),
                (lambda paths: plotting.draw_difference(paths), {"length": "ft"}, "lengths are in mm in '.*' and in ft in '"),
                (lambda paths: plotting.draw_orders(paths), {"length": ""}, "lengths are in mm in '.*' and without a unit in '")):
            paths = self.pair(**of_second, report={"error_L2_u": 1.0})
            with self.subTest(words), self.assertRaisesRegex(plotting.PlotError, words):
                draw(paths)
        self.assertEqual(len(plotting.draw_slices(self.pair(length="")).axes), 3)  # each plane has axes of its own

    def test_orders_in_the_units_of_the_first(self):
        """Of one error, 0.5 everywhere; L1 and L2 are integrals over a plane."""
        paths = [write_result(self.path(f"{length}.vtkhdf"), {"u": numpy.ones((2, 3))}, length=length, spacing=spacing,
                              report={"error_L1_u": area * error, "error_L2_u": area ** 0.5 * error, "error_Linf_u": error})
                 for length, spacing, area, error in (("mm", 20.0, 2400.0, 0.5), ("cm", 1.0, 24.0, 0.125))]
        axes, = plotting.draw_orders(paths).axes
        self.assertEqual(axes.get_xlabel(), "spacing h [mm]")
        for line, factor in zip(axes.lines, (2400.0, 2400.0 ** 0.5, 1.0)):
            numpy.testing.assert_allclose([line.get_xdata(), line.get_ydata()], [[20.0, 10.0], [0.5 * factor, 0.125 * factor]])
            self.assertIn("order 2.00", line.get_label())

    def sweep(self, ends=(4.0, 2.0), swept=None, **of_second):
        paths = self.pair(**of_second)
        for path in paths:
            with h5py.File(path, "a") as file:
                file.attrs["title"] = "Cooling"
                file["series/mass"].attrs["long_name"] = "mean of u"
        return write_table(self.path("cool_summary.csv"), {
            "case": ["cool.yaml"] * 2, "member": [1, 2], **(swept or {}), "time.end": ends, "outcome": ["complete"] * 2, "iterations": [30, 10],
            "outcome.mass": [1.0, 2.0], "outcome.mean_u": [5.0, 6.0], "total_seconds": [0.5, 0.25], "output": paths})

    def test_a_sweep_has_words_units_and_the_title_of_its_case(self):
        table = self.sweep(length="mm", time="s")
        figure = plotting.draw_sweep(table)
        self.assertEqual([axes.get_ylabel() for axes in figure.axes], ["mass (mean of u) [K]", "mean of u [K]"])
        self.assertEqual((figure.axes[1].get_xlabel(), figure._suptitle.get_text()), ("end time [s]", "Cooling"))
        axes, = plotting.draw_sweep(table, ["total_seconds"], "iterations").axes
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("iterations", "total time [s]"))
        axes, = plotting.draw_sweep(self.sweep(swept={"problem.sigma": [0.1, 0.2]}), ["iterations"], "problem.sigma").axes
        self.assertEqual(axes.get_xlabel(), "sigma")

    def test_an_outcome_has_the_name_of_the_printed_table(self):
        for name in ("mean_u", "outcome.mean_u"):
            axes, = plotting.draw_sweep(self.sweep(), [name]).axes
            self.assertEqual(sorted(axes.lines[0].get_ydata()), [5.0, 6.0])

    def test_a_sweep_of_units_is_drawn_in_those_of_the_first(self):
        swept = {"units.time": ["s", "min"]}
        axes, = plotting.draw_sweep(self.sweep(swept=swept), ["mean_u"], "time.end").axes
        self.assertEqual((list(axes.lines[0].get_xdata()), axes.get_xlabel()), ([4.0, 120.0], "end time [s]"))
        axes, = plotting.draw_sweep(self.sweep(swept=swept), ["front"], "case").axes
        self.assertEqual({line.get_label(): list(line.get_ydata()) for line in axes.lines},
                         {"units time = s, end time = 4 s": [12.0], "units time = min, end time = 120 s": [120.0]})
        self.assertEqual(axes.get_ylabel(), "front [mm]")
        with self.assertRaisesRegex(plotting.PlotError, "time.end is in s in '.*A.vtkhdf' and without a unit in '.*B.vtkhdf', and one axis cannot show both"):
            plotting.draw_sweep(self.sweep(swept=swept, time=""), ["mean_u"], "time.end")

    def test_an_outcome_that_some_rows_have(self):
        """A result that did not watch it has no units of it, and no number."""
        table = self.sweep(swept={"units.time": ["s", "min"]})
        with h5py.File(self.path("A.vtkhdf"), "a") as file:
            del file["series/front"]
        axes, = plotting.draw_sweep(table, ["front"], "time.end").axes
        numpy.testing.assert_array_equal(axes.lines[0].get_ydata(), [numpy.nan, 12.0])
        self.assertEqual((axes.get_ylabel(), list(axes.lines[0].get_xdata())), ("front [cm]", [4.0, 120.0]))

    def test_keys_in_words(self):
        for key, words in (("boundary.x+.exchange.coefficient", "exchange coefficient at x+"), ("boundary.all.value", "value at all sides"), ("solver.max_iterations", "solver max iterations"),
                           ("problem.parameters.k.value", "k"), ("errors.u.L2", "L2 error of u"), ("effective.x.tortuosity", "effective tortuosity along x")):
            self.assertEqual(words_of(key), words)

    def test_labels_of_every_kind_of_picture(self):
        paths = self.pair()
        for words in ([], ["--line", "x"], ["--series", "--only", "mass"], ["--difference"]):
            figure = self.drawn(*paths, *words)
            plotting.figures.set_labels(figure, "across", "up")
            axes = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
            self.assertEqual({(one.get_xlabel(), one.get_ylabel()) for one in axes}, {("across", "up")})
            bars = {axes.get_ylabel() for axes in figure.axes if axes.get_label() == "<colorbar>"}
            self.assertLessEqual(bars, {"u [K]", "change of u [K]"})
        output = self.path("sweep.svg")
        with contextlib.redirect_stdout(io.StringIO()):
            code = command.main([self.sweep(), "--sweep", "--outcome", "mean_u", "--x-label", "Ende [s]", "--y-label", "Mittel [K]", "--output", output])
        self.assertEqual(code, 0)
        with open(output, encoding="utf-8") as file:
            drawn = file.read()
        self.assertTrue("Ende [s]" in drawn and "Mittel [K]" in drawn and "end time" not in drawn)
        with self.assertRaisesRegex(plotting.PlotError, "--y-label: the panels have different labels: mass .K., front .mm.; draw one of them alone"):
            plotting.figures.set_labels(self.drawn(*paths, "--series", "--only", "mass,front"), y="both")

    def test_ranges_of_curves(self):
        path = self.result("A.vtkhdf", "mm", "s", 10.0)
        for words in (["--line", "x"], ["--series", "--only", "mass"]):
            axes, = self.drawn(path, *words, "--range", "-1", "7").axes
            self.assertEqual(axes.get_ylim(), (-1.0, 7.0))
            with self.assertRaisesRegex(plotting.PlotError, "--range -1 7: a logarithmic axis begins above 0"):
                self.drawn(path, *words, "--log", "--range", "-1", "7")
            with self.assertRaisesRegex(plotting.PlotError, "--range field belongs to planes"):
                command.check_options(command.read_options([path, *words, "--range", "field"]))
        axes, = self.drawn(self.sweep(), "--sweep", "--outcome", "iterations", "--range", "0", "50").axes
        self.assertEqual(axes.get_ylim(), (0.0, 50.0))
        rake = write_result(self.path("rake.vtkhdf"), {"u": numpy.ones((2, 3))}, problem="system")
        add_series(rake, TIME, {"rake_u": numpy.outer(TIME, [1.0, 2.0])}, ("rake", [0.0, 1.0]))
        self.assertEqual(self.drawn(rake, "--series", "--range", "0", "3").axes[0].collections[0].get_clim(), (0.0, 3.0))

    def test_the_label_of_a_colour_bar_stands_clear_of_the_next_panel(self):
        fields = {f"u_{axis}": 1e-6 * (1.0 + values) for axis, values in zip("xyz", numpy.indices((4, 4, 4)).astype(float))}
        path = write_result(self.path("three.vtkhdf"), fields, length="um")
        figure = plotting.draw_slices(path, list(fields))
        figure.draw_without_rendering()
        panels, bars = [axes for axes in figure.axes if axes.images], [axes for axes in figure.axes if axes.get_label() == "<colorbar>"]
        for bar, panel in zip(bars, panels[1:]):
            self.assertGreater((panel.yaxis.label.get_window_extent().x0 - bar.yaxis.label.get_window_extent().x1) / figure.dpi, 0.3)
        panels = [axes for axes in plotting.draw_slices(path, list(fields), axes=["x", "y"]).axes if axes.images]
        self.assertEqual([panel.get_subplotspec().rowspan.start for panel in panels], [0, 0, 1, 1, 2, 2])  # a row for each field


if __name__ == "__main__":
    unittest.main()
