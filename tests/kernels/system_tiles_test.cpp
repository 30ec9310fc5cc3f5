// Systems of equations in tiles of shared memory (kernels/resident/system_tiles_2d.h): the bits of the phases.
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::system_tiles_test {
namespace {

struct TiledSystem {
    const char *name;
    const char *text;  // of the problem
    double step;
    const char *method = "euler";
};

/// Problems for tiles: all sides periodic; one to four fields, cells and their neighbours' neighbours, places and times.
const std::vector<TiledSystem> tiled_systems{
    {"reaction", R"yaml(
problem:
  type: system
  fields: {u: "1 - 0.5*random(3)", v: "0.25*random(4)"}
  parameters: {Du: 0.2, Dv: 0.1, F: 0.04, k: 0.06}
  let: {r: u*v^2}
  equations: {u: "Du*lap(u) - r + F*(1 - u) + 0.01*t*random(6)", v: "Dv*lap(v) + r - (F + k*x/200)*v"}
)yaml",
     0.5},
    {"fourth_order", R"yaml(
problem:
  type: system
  fields: {c: {initial: "0.1*(random(1) - 0.5)"}}
  let: {mu: c^3 - c - 0.5*lap(c)}
  equations: {c: lap(mu)}
)yaml",
     0.01},
    {"three_fields", R"yaml(
problem:
  type: system
  fields: {h: "if(x < 40 or y > 50, 1, 0.3)", p: 0, q: "0.1*random(5)"}
  equations:
    h: "-dx(p) - dy(q) + 0.1*lap(h)"
    p: "-9.81*dx(h) - 0.3*h*p"
    q: "-9.81*dy(h) + 0.1*lap(q)"
)yaml",
     0.02},
    {"two_strings", R"yaml(
problem:
  type: system
  fields: {u: "random(1)", v: 0, p: "random(2)", q: "0.1*random(5)"}
  equations:
    u: v
    v: "div((1 + x/900)*grad(u)) - 0.3*(u - p)"
    q: "0.7*lap(p) - 0.3*(p - u) - p^3 + 0.01*t"
    p: q
)yaml",
     0.2, "leapfrog"},
};

class SystemTiles : public CaseFileTest {};

TEST_F(SystemTiles, HaveTheBitsOfPhases) {
    if (usable_devices(BackendChoice::cuda).devices.empty()) {
        GTEST_SKIP() << "no device: " << usable_devices(BackendChoice::cuda).why_none;
    }
    for (const std::unique_ptr<Device> &device : usable_devices(BackendChoice::cuda).devices) {
        for (const TiledSystem &system : tiled_systems) {
            // tiles that stay on the chip; more tiles than multiprocessors, which float64 does not hold
            for (const char *const shape : {"[131, 157]", "[1203, 1501]"}) {
                for (const Precision precision : {Precision::float64, Precision::float32}) {
                    SCOPED_TRACE(fmt::format("{}, {}, {} on {}", system.name, shape, name(precision),
                                             device->description().name));
                    Case read{load(fmt::format("{}grid: {{shape: {}}}\nboundary: {{all: periodic}}\n"
                                               "time: {{end: {}, dt: {}, method: {}, snapshots: [{}]}}\n"
                                               "solver: {{check_every: 3}}\n",
                                               system.text, shape, 50.0 * system.step, system.step,
                                               system.method, 18.5 * system.step)),
                              {}};
                    read.problem = make_problem(read.config);
                    read.config.execution.precision = precision;
                    read.config.execution.model = ExecutionModel::persistent;
                    const std::vector<Solution> expected = run_all(read, *device);
                    read.config.execution.model = ExecutionModel::resident;
                    const std::vector<Solution> tiles = run_all(read, *device);
                    ASSERT_EQ(tiles.size(), 2U);
                    ASSERT_EQ(expected.size(), 2U);
                    for (std::size_t i = 0; i < expected.size(); ++i) {
                        EXPECT_EQ(tiles[i].report.stop, expected[i].report.stop);
                        EXPECT_TRUE(same_bits(expected[i], tiles[i])) << "snapshot " << i;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace perdure::tests::system_tiles_test
