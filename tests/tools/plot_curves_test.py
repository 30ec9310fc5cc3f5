"""Pictures of lines, histories, series, sweeps and orders: plot_curves_test.py. Exits with 77 without matplotlib or h5py."""
import sys
import unittest

try:
    import numpy
    from plot_samples import InFolder, add_history, add_series, write_result, write_table
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

import plotting
from plotting import command

TIME = numpy.array([0.0, 1.0, 4.0])


def curves(axes):
    """Of each curve its places and values, by the name in the legend."""
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines}


class Curves(InFolder):
    def slope(self, name="slope.vtkhdf", factor=1.0):
        """u = factor (10 y + x) at cell centres, in two dimensions of spacing 0.5."""
        y, x = numpy.meshgrid(numpy.arange(4) * 0.5 + 0.25, numpy.arange(6) * 0.5 + 0.25, indexing="ij")
        return write_result(self.path(name), {"u": factor * (10.0 * y + x)}, units={"u": "K"}, length="m", spacing=0.5)

    def test_a_line_along_an_axis(self):
        axes, = plotting.draw_line(self.slope(), "x", at=[("y", 0.3)]).axes
        (x, u), = curves(axes).values()
        numpy.testing.assert_allclose(x, [0.25, 0.75, 1.25, 1.75, 2.25, 2.75])
        numpy.testing.assert_allclose(u, [2.75, 3.25, 3.75, 4.25, 4.75, 5.25])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel(), axes.get_title()), ("x [m]", "u [K]", "y = 0.25 m"))

    def test_results_of_one_dimension_are_curves(self):
        path = write_result(self.path("rod.vtkhdf"), {"u": numpy.array([3.0, 2.0, 1.0])}, units={"u": "K"}, length="mm", spacing=2.0)
        axes, = plotting.draw_slices(path, scale="log").axes
        self.assertEqual(list(curves(axes).values()), [([1.0, 3.0, 5.0], [3.0, 2.0, 1.0])])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel(), axes.get_title(), axes.get_yscale()), ("x [mm]", "u [K]", "", "log"))
        with self.assertRaisesRegex(plotting.PlotError, "has one dimension, and no planes: --line x draws it"):
            plotting.draw_difference([path, path])

    def test_a_line_between_two_points_of_several_files(self):
        figure = plotting.draw_line([self.slope("a.vtkhdf"), self.slope("b.vtkhdf", 2.0)], "0.5,0.5:2.5,1.5")
        drawn = curves(figure.axes[0])
        self.assertEqual(list(drawn), ["a", "b"])
        along, values = drawn["b"]
        self.assertAlmostEqual(along[-1], 5.0 ** 0.5)
        numpy.testing.assert_allclose(values, 2.0 * numpy.linspace(5.5, 17.5, len(values)))
        self.assertEqual(figure.axes[0].get_xlabel(), "distance [m]")

    def test_a_curve_takes_no_options_of_planes(self):
        rod = write_result(self.path("rod.vtkhdf"), {"u": numpy.array([1.0, 2.0])})
        for options, words in ((["--axis", "y"], "--axis belongs to planes, but '.*rod.vtkhdf' has 1 dimension and is drawn as a curve"),
                               (["--at", "0.5"], "--at belongs"), (["--slice", "0"], "--slice belongs"), (["--streamlines", "flux"], "--streamlines belongs"),
                               (["--arrows", "flux", "--contours", "3"], "--contours, --arrows belong to planes"), (["--range", "field"], "--range field belongs to planes"),
                               (["--scale", "symlog"], "--scale belongs"), (["--own-scales"], "--own-scales belongs"),
                               (["--line", "0,0:1,1"], "has 1 dimension, the points have 2 coordinates")):
            given = command.read_options([rod, *options])
            with self.subTest(words), self.assertRaisesRegex(plotting.PlotError, words):
                command.figure_of(given)
        for options in ([], ["--scale", "log"], ["--size", "7,4"]):
            self.assertEqual(len(command.figure_of(command.read_options([rod, *options])).axes), 1)
        self.assertEqual(command.figure_of(command.read_options([rod, "--range", "0,5"])).axes[0].get_ylim(), (0.0, 5.0))

    def test_a_line_over_cells_without_a_value_has_a_gap(self):
        values = numpy.ones((4, 6))
        values[:, 3] = numpy.nan
        path = write_result(self.path("gap.vtkhdf"), {"u": values})
        along, drawn = curves(plotting.draw_line(path, "0,1:6,1").axes[0])["_child0"]
        missing = numpy.array(along)[numpy.isnan(drawn)]
        self.assertTrue(2.5 <= missing.min() <= 2.52 and 4.48 <= missing.max() <= 4.5, missing)
        self.assertEqual(set(numpy.array(drawn)[numpy.isfinite(drawn)]), {1.0})

    def test_lines_refused(self):
        for line, at, words in [("w", None, "give an axis"), ("0,0:9,0", None, "x = 9 lies outside; x goes from 0 to 3"), ("0,0,0:1,1,1", None, "has 2 dimensions"),
                                ("x", [("x", 1.0)], "name places on the other axes"), ("0,0:1,1", [("x", 1.0)], "--at belongs to a line along")]:
            with self.subTest(words), self.assertRaisesRegex(plotting.PlotError, words):
                plotting.draw_line(self.slope(), line, at=at)

    def test_a_history_and_its_tolerance(self):
        path = self.slope()
        add_history(path, [0, 10, 20], [1.0, 1e-3, 1e-7], tolerance=1e-6)
        axes, = plotting.draw_history(path).axes
        drawn = curves(axes)
        self.assertEqual(drawn["residual"], ([0, 10, 20], [1.0, 1e-3, 1e-7]))
        self.assertEqual(drawn["tolerance 1e-06"][1], [1e-6, 1e-6])
        self.assertEqual((axes.get_yscale(), axes.get_xlabel(), axes.get_ylabel()), ("log", "iteration", "residual, L2 norm"))
        with self.assertRaisesRegex(plotting.PlotError, "has no history"):
            plotting.draw_history(self.slope("none.vtkhdf"))

    def test_a_history_in_time_has_the_words_of_its_norm(self):
        path = write_result(self.path("time.vtkhdf"), {"u": numpy.ones((2, 3))}, problem="system")
        add_history(path, [100, 200], [1.0, 1.5], norm="max |u|")
        axes, = plotting.draw_history(path).axes
        self.assertEqual((axes.get_yscale(), axes.get_xlabel(), axes.get_ylabel()), ("linear", "time step", "max |u|"))

    def watched(self, name="run.vtkhdf"):
        path = write_result(self.path(name), {"u": numpy.ones((2, 3))}, problem="system", title="A run")
        add_series(path, TIME, {"mass": TIME ** 2, "step": TIME, "rake_v": numpy.outer(TIME, [1.0, 2.0, 3.0])}, ("rake", [0.0, 0.5, 1.0]), {"mass": "kg"})
        return path

    def test_a_panel_for_each_variable(self):
        panels = plotting.draw_series(self.watched()).axes
        self.assertEqual([panel.get_ylabel() for panel in panels], ["mass [kg]", "distance", "rake_v"])
        self.assertEqual(curves(panels[0])["run"], (list(TIME), list(TIME ** 2)))
        numpy.testing.assert_array_equal(panels[1].collections[0].get_array().reshape(3, 3), numpy.outer([1.0, 2.0, 3.0], TIME))
        self.assertEqual(panels[1].get_xlabel(), "time")

    def test_series_of_several_runs_on_a_logarithmic_axis(self):
        axes, = plotting.draw_series([self.watched("a.vtkhdf"), self.watched("b.vtkhdf")], ["mass"], logarithmic=True).axes
        self.assertEqual((list(curves(axes)), axes.get_yscale()), (["a", "b"], "log"))

    def test_together_in_one_panel_for_each_unit(self):
        path = self.slope("run.vtkhdf")
        add_series(path, TIME, {"left_u": TIME, "right_u": 2.0 * TIME, "mass": TIME}, units={"left_u": "K", "mass": "kg"},
                   meanings={"right_u": "u at right", "mass": "sum of u"})  # the field has the units of its value at a probe
        kelvin, mass = plotting.draw_series(path, together=True).axes
        self.assertEqual(curves(kelvin), {"left_u": (list(TIME), list(TIME)), "right_u": (list(TIME), list(2.0 * TIME))})
        self.assertEqual([words.get_text() for words in kelvin.get_legend().get_texts()], ["left_u", "right_u"])
        self.assertEqual((kelvin.get_ylabel(), mass.get_ylabel(), mass.get_legend()), ("value [K]", "mass [kg]", None))

    def test_no_logarithm(self):
        path = self.slope(factor=-1.0)
        add_series(path, TIME, {"mass": -TIME})
        for draw, name in ((lambda: plotting.draw_line(path, "x", logarithmic=True), "u .K."), (lambda: plotting.draw_series(path, logarithmic=True), "mass")):
            with self.assertRaisesRegex(plotting.PlotError, f"--log: no value of {name} is above 0"):
                draw()

    def test_too_large_for_a_picture(self):
        large = self.slope("large.vtkhdf", 1e306)
        add_history(large, [1, 2], [1.0, 1e308])
        add_series(large, TIME, {"mass": TIME * 1e307})
        for draw in (lambda: plotting.draw_line(large, "x"), lambda: plotting.draw_history(large), lambda: plotting.draw_series(large)):
            with self.assertRaisesRegex(plotting.PlotError, "has values such as .*e[+]30[78], which are too large for a picture"):
                draw()
        page = plotting.write_report(self.path("page.html"), [large, self.slope()])
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual((text.count("not drawn. "), text.count("<img ")), (3, 1))
        self.assertIn("u [K]: all cells: not drawn. u [K] has values such as ", text)

    def test_series_refused(self):
        with self.assertRaisesRegex(plotting.PlotError, "nothing named 'rake' was watched; the names are: mass, rake_v"):
            plotting.draw_series(self.watched(), ["rake"])
        with self.assertRaisesRegex(plotting.PlotError, "nothing was watched"):
            plotting.draw_series(self.slope())

    def sweep(self):
        """Two keys; the result of the first row lies beside the table."""
        path = self.slope("case-001.vtkhdf")
        add_series(path, TIME, {"mass": TIME ** 2})
        return write_table(self.path("case_summary.csv"), {
            "case": ["case.yaml"] * 4, "member": [1, 2, 3, 4], "problem.a": [3.0, 1.0, 3.0, 1.0], "solver.norm": ["l2", "l2", "max", "max"],
            "outcome": ["converged (rtol)"] * 3 + ["iteration limit"], "iterations": [30, 10, 33, 11],
            "output": ["elsewhere/case-001.vtkhdf", "", "", ""]})

    def test_an_outcome_against_a_swept_value(self):
        figure = plotting.draw_sweep(self.sweep())
        axes, = figure.axes
        self.assertEqual(curves(axes), {"solver norm = l2": ([1.0, 3.0], [10.0, 30.0]), "solver norm = max": ([1.0, 3.0], [11.0, 33.0])})
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel(), figure._suptitle.get_text()), ("a", "iterations", "A test"))
        axes, = plotting.draw_sweep(self.sweep(), against="solver.norm").axes
        self.assertEqual(curves(axes)["a = 3"], ([0.0, 1.0], [30.0, 33.0]))
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["l2", "max"])

    def test_effective_coefficients_are_what_a_sweep_is_for(self):
        table = write_table(self.path("pores_summary.csv"), {
            "case": ["case.yaml"] * 2, "member": [1, 2], "problem.a": [1.0, 200.0], "outcome": ["converged (rtol)"] * 2, "iterations": [30, 10],
            "effective.x.coefficient": [0.5, 0.25], "effective.y.coefficient": [0.6, 0.3], "effective.x.tortuosity": [1.5, 1.5],
            "effective.mean_coefficient": [1.0, 1.0], "effective.x.iterations": [30, 10]})
        panels = plotting.draw_sweep(table).axes
        self.assertEqual([panel.get_ylabel() for panel in panels], ["effective coefficient along x", "effective coefficient along y"])
        self.assertEqual([list(values) for _, values in curves(panels[1]).values()], [[0.6, 0.3]])
        self.assertEqual(panels[1].get_xscale(), "log")

    def test_subvolumes_are_averaged_over_their_places(self):
        table = write_table(self.path("rve_summary.csv"), {
            "case": ["rve.yaml"] * 6, "member": [1, 2, 3, 4, 5, 6], "problem.subvolume.shape": [20, 10, 10, 10, 20, 30],
            "problem.subvolume.from": [f"'[0; {i}; 0]'" for i in range(6)], "outcome": ["converged (rtol)"] * 6,
            "effective.x.coefficient": [0.5, 1.0, 2.0, 3.0, "", 0.75]})
        axes, = plotting.draw_sweep(table).axes
        bars, = axes.containers
        middle, _, (lines,) = bars
        self.assertEqual((list(middle.get_xdata()), list(middle.get_ydata())), ([10.0, 20.0, 30.0], [2.0, 0.5, 0.75]))
        self.assertEqual([tuple(line[:, 1]) for line in lines.get_segments()], [(1.0, 3.0), (0.5, 0.5), (0.75, 0.75)])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("cells along an edge of the subvolume", "effective coefficient along x,\nmean and standard deviation"))

    def test_an_outcome_of_what_was_watched(self):
        axes, = plotting.draw_sweep(self.sweep(), ["mass"]).axes
        numpy.testing.assert_array_equal(curves(axes)["solver norm = l2"][1], [numpy.nan, 16.0])

    def test_a_dataset_is_drawn_as_a_file_is(self):
        try:
            import xarray
        except ImportError as missing:
            self.skipTest(str(missing))
        space = {"y": ("y", [0.25, 0.75], {"units": "m"}), "x": ("x", [0.25, 0.75, 1.25], {"units": "m"})}
        data = xarray.Dataset({"u": (("time", "y", "x"), numpy.arange(12.0).reshape(2, 2, 3), {"units": "K"}),
                               "flux": (("time", "y", "x", "component"), numpy.ones((2, 2, 3, 2))),
                               "mass": ("series_time", TIME ** 2, {"units": "kg"}), "history_residual": ("check", [1.0, 0.5])},
                              {**space, "time": ("time", [0.0, 2.0]), "series_time": ("series_time", TIME),
                               "history_iteration": ("check", [10, 20])}, {"title": "In memory", "norm": "max |u|"})
        axes = plotting.draw_slices(data, snapshots=[0]).axes[0]
        self.assertEqual(list(axes.images[0].get_extent()), [0.0, 1.5, 0.0, 1.0])
        numpy.testing.assert_array_equal(axes.images[0].get_array(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual((axes.get_xlabel(), axes.get_title()), ("x [m]", "time 0"))
        axes, = plotting.draw_line(data, "x", at=[("y", 0.1)]).axes
        self.assertEqual([list(values) for _, values in curves(axes).values()], [[6.0, 7.0, 8.0]])
        axes, = plotting.draw_line(data, "y", ["flux"]).axes
        self.assertEqual([list(values) for _, values in curves(axes).values()], [[2.0 ** 0.5] * 2])
        axes, = plotting.draw_series(data).axes
        self.assertEqual((list(curves(axes).values()), axes.get_ylabel()), ([(list(TIME), list(TIME ** 2))], "mass [kg]"))
        axes, = plotting.draw_history(data).axes
        self.assertEqual((curves(axes)["residual"], axes.get_ylabel()), (([10, 20], [1.0, 0.5]), "max |u|"))

    def test_sweeps_refused(self):
        for outcomes, against, words in [(["weight"], None, "--outcome weight: neither a column"), (["outcome"], None, "that column has texts"),
                                         (None, "problem.b", "has no column 'problem.b'; it has: case, member, problem.a")]:
            with self.subTest(words), self.assertRaisesRegex(plotting.PlotError, words):
                plotting.draw_sweep(self.sweep(), outcomes, against)
        with self.assertRaisesRegex(plotting.PlotError, "is not a table of perdure"):
            plotting.draw_sweep(write_table(self.path("other.csv"), {"a": [1], "b": [2]}))

    def test_observed_orders(self):
        paths = [write_result(self.path(f"grid-{n}.vtkhdf"), {"u": numpy.ones((2, 3))}, spacing=1.0 / n,
                              report={"error_L2_u": 3.0 / n ** 2, "error_Linf_u": 2.0 / n}) for n in (4, 8, 16)]
        figure = plotting.draw_orders(paths)
        axes, = figure.axes
        drawn = curves(axes)
        self.assertEqual(list(drawn), ["L2: order 2.00, 2.00", "Linf: order 1.00, 1.00", "slope 2"])
        numpy.testing.assert_allclose(drawn["L2: order 2.00, 2.00"], [[0.25, 0.125, 0.0625], [3.0 / 16, 3.0 / 64, 3.0 / 256]])
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["0.0625", "0.125", "0.25"])
        self.assertEqual(axes.get_ylabel(), "error of u")
        table = write_table(self.path("grid_summary.csv"), {"case": ["c"] * 3, "outcome": ["complete"] * 3, "output": paths})
        self.assertEqual(list(curves(plotting.draw_orders(table).axes[0])), list(drawn))
        with self.assertRaisesRegex(plotting.PlotError, "give results on two grids or more that have an exact solution"):
            plotting.draw_orders(paths[:1])


if __name__ == "__main__":
    unittest.main()
