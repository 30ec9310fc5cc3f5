// Integrals of what flows through sides and planes: balances, known solutions, the reference, and what is wrong with a case.
#include <cmath>

#include "solver/reference/compare_watched.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::watched_fluxes_test {
namespace {

class WatchedFluxes : public SystemsOnHostThreads {
  protected:
    static double at(const Series &series, const std::string &name, std::size_t row) {
        for (const SeriesVariable &variable : series.variables) {
            if (variable.name == name) {
                return variable.values.at(row);
            }
        }
        ADD_FAILURE() << "no column " << name;
        return 0.0;
    }

    /// How far each step's gain of `content` is from what the sides and sources of its end bring, relative to the largest of these.
    static double imbalance(const Series &series, const std::vector<std::string> &gains) {
        double largest = 0.0, size = 0.0;
        for (std::size_t row = 1; row < series.times.size(); ++row) {
            double sum = 0.0;
            for (const std::string &name : gains) {
                sum += at(series, name, row);
                size = std::max(size, std::abs(at(series, name, row)));
            }
            const double rate = (at(series, "content", row) - at(series, "content", row - 1)) /
                                (series.times[row] - series.times[row - 1]);
            largest = std::max(largest, std::abs(rate - sum));
        }
        EXPECT_GT(size, 0.1);
        return largest / size;
    }

    void expect_agreement_with_the_reference(const std::string &text) const {
        Case of = read_case(text);
        const PreparedCase prepared = prepare_as_read(of, host_device());
        const Solution found = run_all(of, host_device()).back();
        const WatchedDifference difference =
            compare_watched(of.problem, *found.series,
                            prepared.plan.method->reference(of.problem, step_sizes(time_segments(prepared))));
        EXPECT_LT(difference.largest, 1.0e-9) << difference.name;
    }
};

const std::string heat = R"yaml(
problem: {type: heat, a: "0.5 + x*y", sigma: 0.3, capacity: "2 + sin(y)", f: "y - 1", initial: "x + y"}
boundary: {x-: {exchange: {coefficient: 2, ambient: {number: 3, factor: "1 + t"}}}, x+: {value: {expression: "y", factor: "cos(t)"}}, y-: {flux: 0.2}}
grid: {shape: [9, 13], spacing: [0.5, 0.25]}
)yaml";
const std::string all_sides = R"yaml(
watch:
  every_steps: 1
  integrals:
    content: {sum: capacity*u}
    west: {flux: x-}
    east: {flux: x+}
    south: {flux: y-}
    north: {flux: y+}
    source: {sum: f - sigma*u}
    part: {flux: x-, where: y > 2}
    inner: {flux: {x: 1.2}}
)yaml";

TEST_F(WatchedFluxes, OfHeatAreWhatItsContentChangesBy) {
    for (const char *const solver : {"{method: cg, rtol: 1e-13}", "{method: multigrid, rtol: 1e-13}"}) {
        const std::string text = heat + all_sides + "solver: " + solver +
                                 "\ntime: {method: backward_euler, dt: 0.05, end: 0.5, snapshots: [0.23]}\n";
        const Solution found = run_all(read_case(text), host_device()).back();
        EXPECT_LT(imbalance(*found.series, {"west", "east", "south", "north", "source"}), 1.0e-10);
        EXPECT_NEAR(at(*found.series, "south", 3), 0.2 * 13 * 0.25, 1.0e-12);
        EXPECT_EQ(at(*found.series, "north", 3), 0.0);
        expect_agreement_with_the_reference(text);
    }
}

/// A wall of two layers between two airs, once nothing changes: through all that lies one behind the other the same flows.
TEST_F(WatchedFluxes, ThroughAWallAreThoseOfResistancesInSeries) {
    const Solution found = run_all(read_case(R"yaml(
problem: {type: heat, a: "x < 0.1 ? 0.77 : 0.04", initial: 15}
grid: {shape: [3, 30], spacing: [0.5, 0.005]}
boundary: {x-: {exchange: {coefficient: 25, ambient: 2}}, x+: {exchange: {coefficient: 7.7, ambient: 20}}}
time: {method: backward_euler, dt: 1000, end: 20000}
solver: {rtol: 1e-13, preconditioner: multigrid}
watch: {every_steps: 5, integrals: {inside: {flux: x+}, outside: {flux: x-}, between: {flux: {x: 0.1}}, in_brick: {flux: {x: 0.031}, of: a*grad(u)}}}
)yaml"),
                                   host_device())
                               .back();
    const double flow = 1.5 * (20.0 - 2.0) / (1.0 / 25.0 + 0.1 / 0.77 + 0.05 / 0.04 + 1.0 / 7.7);
    const std::size_t last = found.series->times.size() - 1;
    EXPECT_NEAR(at(*found.series, "inside", last), flow, 1.0e-8 * flow);
    EXPECT_NEAR(at(*found.series, "outside", last), -flow, 1.0e-8 * flow);
    EXPECT_NEAR(at(*found.series, "between", last), flow, 1.0e-8 * flow);
    EXPECT_NEAR(at(*found.series, "in_brick", last), flow, 1.0e-8 * flow);
}

/// Where a side is solid nothing flows through it: what an exchange says there is the flux of no conductivity.
TEST_F(WatchedFluxes, StopAtSolids) {
    const Solution found = run_all(read_case(R"yaml(
problem: {type: heat, a: "if(y > 2, 0, 1)", initial: 1}
grid: {shape: [4, 5]}
boundary: {x-: {exchange: {coefficient: 2, ambient: 3}}, x+: {value: 0}}
time: {method: backward_euler, dt: 0.5, end: 1}
solver: {rtol: 1e-13}
watch: {every_steps: 1, integrals: {content: {sum: u}, west: {flux: x-}, east: {flux: x+}, up: {flux: {y: 2}}}}
)yaml"),
                                   host_device())
                               .back();
    EXPECT_LT(imbalance(*found.series, {"west", "east"}), 1.0e-11);
    EXPECT_NEAR(at(*found.series, "west", 0), 2 * (3.0 - 1.0) / (1.0 / 2.0 + 0.5), 1.0e-13);
    EXPECT_EQ(at(*found.series, "up", 2), 0.0);
}

/// Of a system, in explicit steps whose rate is that of their beginning; a gradient and what is carried along, in 3D.
TEST_F(WatchedFluxes, OfASystemAreWhatItsContentChangesBy) {
    const std::string text = R"yaml(
problem:
  type: system
  fields: {u: "1 + x*y + z", w: "x"}
  parameters: {D: 0.3}
  let: {flow: "D*(1 + w)*grad(u) - (0.5 + y, 0.2*x, z)*u"}
  equations: {u: div(flow) + 0.1, w: 0}
grid: {shape: [4, 5, 6], spacing: [0.5, 0.25, 0.3]}
boundary: {x-: {value: 2}, x+: {flux: 0.4}, y-: {exchange: {coefficient: 3, ambient: 1}}, z-: periodic, z+: periodic}
time: {method: euler, dt: 0.01, end: 0.1}
watch:
  every_steps: 1
  integrals:
    content: {sum: u}
    west: {flux: x-, of: flow}
    east: {flux: x+, of: flow}
    south: {flux: y-, of: flow}
    north: {flux: y+, of: flow}
    below: {flux: z-, of: flow}
    above: {flux: z+, of: flow}
    part: {flux: {z: 1.0}, of: -flow/(1 + w), where: x > 1}
)yaml";
    expect_agreement_with_the_reference(text);
    const std::shared_ptr<const Series> series = run_all(read_case(text), host_device()).back().series;
    for (std::size_t row = 0; row + 1 < series->times.size(); ++row) {
        double gain = 0.1 * 4 * 5 * 6 * 0.5 * 0.25 * 0.3;
        for (const char *const side : {"west", "east", "south", "north", "below", "above"}) {
            gain += at(*series, side, row);
        }
        EXPECT_NEAR((at(*series, "content", row + 1) - at(*series, "content", row)) / 0.01, gain, 1.0e-11);
        EXPECT_GT(std::abs(at(*series, "below", row)), 0.01);
    }
}

/// On a grid of one axis what flows is a scalar, or grad(u).
TEST_F(WatchedFluxes, OfOneAxis) {
    const std::string text = R"yaml(
problem: {type: system, fields: {u: "1 + x", w: "x^2"}, equations: {u: "div(u*w)", w: "div(0.1*grad(w)) - 0"}}
grid: {shape: [10], spacing: 0.1}
boundary: {x-: {value: 1}, x+: {value: 2}}
time: {method: euler, dt: 0.001, end: 0.01}
watch: {every_steps: 1, integrals: {content: {sum: u}, out: {flux: x+, of: u*w}, in: {flux: x-, of: w*u}, heat: {flux: {x: 0.5}, of: 0.1*grad(w)}}}
)yaml";
    expect_agreement_with_the_reference(text);
    const std::shared_ptr<const Series> series = run_all(read_case(text), host_device()).back().series;
    EXPECT_NEAR((at(*series, "content", 1) - at(*series, "content", 0)) / 0.001,
                at(*series, "out", 0) + at(*series, "in", 0), 1.0e-12);
    EXPECT_NEAR(at(*series, "heat", 0), 0.1 * (0.55 * 0.55 - 0.45 * 0.45) / 0.1, 1.0e-13);
}

TEST_F(WatchedFluxes, SaysWhatIsWrong) {
    const auto of_heat = [&](const std::string &integral) {
        return errors(
            "problem: {type: heat, a: 1}\ngrid: {shape: [8, 8]}\ntime: {end: 1, dt: 0.1, method: bdf2}\n"
            "watch: {integrals: {q: " +
            integral + "}}\n");
    };
    EXPECT_EQ(of_heat("{flux: left}"),
              Texts{"4:31 watch.integrals.q.flux: expected a side, such as x+, or a plane, such as {x: 0.1}, "
                    "found 'left'"});
    EXPECT_EQ(
        of_heat("{flux: {x: 9}}"),
        Texts{"4:31 watch.integrals.q.flux: the plane x = 9 does not lie between two cells; the grid extends "
              "from x = 0 to 8, whose sides are x- and x+"});
    const Texts scalar = of_heat("{flux: x+, of: u}");
    ASSERT_EQ(scalar.size(), 1U);
    EXPECT_TRUE(scalar[0].find("a vector") != std::string::npos) << scalar[0];
    EXPECT_EQ(of_heat("{flux: z+}").size(), 1U);
    EXPECT_EQ(of_heat("{sum: u, flux: x+}").size(), 1U);
    EXPECT_EQ(of_heat("{sum: u, of: u}").size(), 1U);
    const Texts system = errors(
        "problem: {type: system, fields: {u: 0}, equations: {u: lap(u)}}\ngrid: {shape: [8, 8]}\n"
        "time: {end: 1}\nwatch: {integrals: {q: {flux: x+}}}\n");
    ASSERT_EQ(system.size(), 1U);
    EXPECT_TRUE(system[0].find("`of` is missing") != std::string::npos) << system[0];
}

}  // namespace
}  // namespace perdure::tests::watched_fluxes_test
