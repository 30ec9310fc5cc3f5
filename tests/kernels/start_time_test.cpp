// Runs that begin at another time than 0, by every method of steps.
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::start_time_test {
namespace {

constexpr double begin = 1.25;

class StartTime : public SystemsOnHostThreads {
  protected:
    [[nodiscard]] std::vector<Solution> snapshots_of(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        return run_all(read, host_device());
    }

    /// A run from `begin` on, and one from 0 whose formulas know the time by `begin` more.
    void expect_equal_runs(const std::string &problem, const std::string &method, double bound) const {
        SCOPED_TRACE(method);
        const auto text = [&](double start) {
            const std::string t = start == 0.0 ? fmt::format("(t + {})", begin) : "t";
            return fmt::format(
                "{}grid: {{shape: [6, 5]}}\ntime: {{start: {}, end: {}, snapshots: {{every: 0.5}}, {}}}\n",
                fmt::format(fmt::runtime(problem), fmt::arg("t", t)), start, start + 1.2, method);
        };
        const std::vector<Solution> from_begin = snapshots_of(text(begin)),
                                    from_zero = snapshots_of(text(0.0));
        ASSERT_EQ(from_begin.size(), 3U);
        ASSERT_EQ(from_zero.size(), 3U);
        for (std::size_t i = 0; i < from_zero.size(); ++i) {
            EXPECT_NEAR(from_begin[i].time, from_zero[i].time + begin, 1.0e-12);
            EXPECT_EQ(from_begin[i].step, from_zero[i].step);
            for (std::size_t field = 0; field < from_zero[i].fields.size(); ++field) {
                const FieldValues &found = from_begin[i].fields[field].values;
                const FieldValues &expected = from_zero[i].fields[field].values;
                for (int cell = 0; cell < 30; ++cell) {
                    ASSERT_NEAR(value_at(found, cell), value_at(expected, cell), bound)
                        << "snapshot " << i << ", field " << field << ", cell " << cell;
                }
            }
        }
    }
};

TEST_F(StartTime, IsWhereEachMethodOfSystemsBegins) {
    const std::string forced = R"yaml(
problem:
  type: system
  fields: {{u: "1 + 0.1*x", v: 0.5}}
  equations: {{u: "0.1*lap(u) + cos(2*{t})", v: "-v + 0.1*u*{t}"}}
boundary: {{all: {{flux: 0}}, x-: {{value: "sin({t})"}}}}
)yaml";
    for (const char *const method :
         {"method: euler, dt: 0.1", "method: rk4, dt: 0.1", "method: rkl2, dt: 0.1",
          "method: rk45, rtol: 1.0e-6", "method: backward_euler, dt: 0.1", "method: crank_nicolson, dt: 0.1",
          "method: bdf2, dt: 0.1", "method: imex, implicit: [v], dt: 0.1"}) {
        expect_equal_runs(forced, method, 1.0e-9);
    }
    expect_equal_runs(R"yaml(
problem:
  type: system
  fields: {{u: "0.1*x", v: 0}}
  equations: {{u: v, v: "0.1*lap(u) + cos(2*{t})"}}
boundary: {{all: periodic}}
)yaml",
                      "method: leapfrog, dt: 0.1", 1.0e-12);
    expect_equal_runs(R"yaml(
problem:
  type: system
  fields: {{u: "1 + 0.1*sin(x)"}}
  equations: {{u: "conserve(0.5*u^2, 0; abs(u)) + 0.1*{t}"}}
boundary: {{all: periodic}}
)yaml",
                      "method: ssprk3, dt: {cfl: 0.4}", 1.0e-12);
}

TEST_F(StartTime, IsWhereHeatBegins) {
    const std::string heated = R"yaml(
problem: {{type: heat, a: 0.1, f: {{number: 1, factor: "cos(2*{t})"}}, initial: "0.1*x"}}
boundary: {{x-: {{value: {{number: 1, factor: "sin({t})"}}}}}}
)yaml";
    for (const char *const method : {"method: euler, dt: 0.1", "method: backward_euler, dt: 0.1",
                                     "method: crank_nicolson, dt: 0.1", "method: bdf2, dt: 0.1"}) {
        expect_equal_runs(heated, method, 1.0e-9);
    }
}

TEST_F(StartTime, IsThatOfTheReferenceAndOfRows) {
    Case read{load(R"yaml(
problem:
  type: system
  fields: {u: 0}
  equations: {u: "cos(t)"}
grid: {shape: [4, 4]}
boundary: {all: periodic}
time: {start: -1, end: 2, dt: 0.01, method: rk4}
watch: {every: 0.75, integrals: {mean: {mean: u}}}
)yaml"),
              {}};
    read.problem = make_problem(read.config);
    const PreparedCase prepared = prepare_as_read(read, host_device());
    const Solution last = run_all(read, host_device()).back();
    const double exact = std::sin(2.0) + std::sin(1.0);
    EXPECT_NEAR(value_at(last.fields[0].values, 3), exact, 1.0e-9);
    const reference::Answers answers =
        prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
    EXPECT_NEAR(value_at(answers[0].values, 3), exact, 1.0e-9);
    ASSERT_TRUE(last.series);
    EXPECT_EQ(last.series->times.front(), -1.0);
    EXPECT_EQ(last.series->times.back(), 2.0);
    EXPECT_NEAR(last.series->times.at(1), -0.75, 0.011);
}

TEST_F(StartTime, MistakesAreShown) {
    const auto time = [&](const std::string &text) {
        return errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {" + text + "}\n");
    };
    EXPECT_EQ(time("start: 2, end: 1"),
              Texts{"3:23 time.end: expected a time after time.start = 2, found 1"});
    EXPECT_EQ(
        time("start: 2, end: 3, snapshots: [1, 2.5]"),
        Texts{"3:38 time.snapshots[0]: expected a time > 2, found 1: snapshots begin after the start, where "
              "the fields are the initial ones that the case gives; leave 1 out"});
    EXPECT_EQ(time("start: soon, end: 3"), Texts{"3:15 time.start: expected a number, found 'soon'"});
}

}  // namespace
}  // namespace perdure::tests::start_time_test
