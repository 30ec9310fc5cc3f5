// How long steps may be that go beyond explicit diffusion: of Runge-Kutta-Legendre, and with some terms implicit.
#include <cmath>
#include <functional>

#include "solver/integrators/integrator.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/run/stable_system_step.hpp"
#include "solver/run/time_steps.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::long_steps_test {
namespace {

class LegendreRuns : public SystemsOnHostThreads {
  protected:
    [[nodiscard]] static std::string text(const std::string &problem, const std::string &grid,
                                          const std::string &time) {
        return fmt::format("problem: {}\ngrid: {}\nboundary: {{all: periodic}}\ntime: {{{}, method: rkl2}}\n",
                           problem, grid, time);
    }
    /// The case with what its stages follow from; `found`: what is said of it.
    [[nodiscard]] Case with_stable_step(const std::string &text, Texts &found) const {
        Case read = read_case(text);
        ProblemFindings findings(read.config);
        read.problem.stable_time_step = stable_system_step(read.config, read.problem, findings);
        for (const Diagnostic &warning : findings.warnings()) {
            found.push_back(warning.message);
        }
        try {
            findings.throw_if_any();
        } catch (const Failure &failure) {
            found.emplace_back(failure.what());
        }
        return read;
    }
    /// The largest difference of field 0 from `exact` at the end, after comparing with the reference.
    [[nodiscard]] double error(const std::string &text,
                               const std::function<double(double x, double y)> &exact) const {
        Texts found;
        const Case read = with_stable_step(text, found);
        PreparedCase prepared = prepare_as_read(read, host_device());
        prepared.longest_automatic_step = longest_automatic_step(read.config, read.problem);
        const Solution last = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
        const reference::Answers answers =
            prepared.plan.method->reference(prepared.problem, step_sizes(time_segments(prepared)));
        EXPECT_LT(compare(last.fields[0].values, answers[0].values).max_relative, 1.0e-10) << text;
        const Grid &grid = read.problem.grid;
        double largest = 0.0;
        for (std::int64_t i = 0; i < grid.count(); ++i) {
            const double x =
                (static_cast<double>(i % grid.cells[0]) + 0.5) / static_cast<double>(grid.cells[0]);
            const double y =
                (static_cast<double>(i / grid.cells[0]) + 0.5) / static_cast<double>(grid.cells[1]);
            largest = std::max(largest, std::abs(value_at(last.fields[0].values, i) - exact(x, y)));
        }
        return largest;
    }
};

TEST_F(LegendreRuns, AreStableWhereTransportLimitsThem) {
    const double turn = 2.0 * std::acos(-1.0);
    const std::string heat = R"yaml({type: heat, a: 1e-4, velocity: [1], initial: "1+sin(2*pi*x)"})yaml";
    for (const char *const time : {"end: 2", "end: 2, dt: 0.004"}) {
        EXPECT_LT(error(text(heat, "{shape: [128], length: 1}", time),
                        [&](double x, double) {
                            return 1.0 + std::exp(-2.0e-4 * turn * turn) * std::sin(turn * x);
                        }),
                  0.02)
            << time;
    }
    const std::string in_plane = R"yaml({type: system, fields: {u: "1 + sin(2*pi*(x + y))"},
  equations: {u: 0.001*lap(u) - dx(u) - 0.5*dy(u)}})yaml";
    EXPECT_LT(error(text(in_plane, "{shape: [32, 32], spacing: 0.03125}", "end: 2"),
                    [&](double x, double y) {
                        return 1.0 + std::exp(-0.004 * turn * turn) * std::sin(turn * (x + y - 3.0));
                    }),
              0.2);
}

TEST_F(LegendreRuns, AreRefusedWhereTheyAmplify) {
    const std::string rotation = R"yaml({type: system, fields: {u: "sin(2*pi*x)", v: "cos(2*pi*x)"},
  equations: {u: 0.001*lap(u) + 40*v, v: 0.001*lap(v) - 40*u}})yaml";
    const std::string transport = "{type: system, fields: {u: random(1)}, equations: {u: -dx(u)}}";
    for (const std::string &problem : {rotation, transport}) {
        for (const char *const time : {"end: 2", "end: 2, dt: 0.01"}) {
            Texts found;
            (void)with_stable_step(text(problem, "{shape: [32], spacing: 0.03125}", time), found);
            ASSERT_EQ(found.size(), 1U) << problem << time;
            EXPECT_NE(found[0].find("time.method: rkl2 is for diffusion, and amplifies oscillations"),
                      std::string::npos)
                << found[0];
        }
    }
    const std::string heat = R"yaml({type: heat, a: 1e-4, velocity: [1], initial: "1+sin(2*pi*x)"})yaml";
    Texts found;
    const Case read = with_stable_step(text(heat, "{shape: [128], length: 1}", "end: 2, dt: 0.1"), found);
    EXPECT_TRUE(found.empty());
    EXPECT_LT(integrator_of(read.config).stable_time_step({read.problem.stable_time_step}), 0.012);
}

TEST_F(LegendreRuns, TakeAllTheirStagesWhereDiffusionLimitsThem) {
    const std::string heat = "{type: system, fields: {u: random(1)}, equations: {u: lap(u)}}";
    for (const auto &[time, stages] : {std::pair{"end: 90", 15},
                                       {"end: 90, dt: 1.24", 3},
                                       {"end: 90, dt: 1.26", 5},
                                       {"end: 90, dt: 29.7", 15}}) {
        Texts found;
        const Case read = with_stable_step(text(heat, "{shape: [16]}", time), found);
        EXPECT_TRUE(found.empty()) << time;
        const double step = read.config.time->step.value_or(0.9 * 59.5 * 0.5);
        EXPECT_EQ(integrator_of(read.config).stages_of_step(step, read.problem.stable_time_step), stages)
            << time;
    }
}

/// Up to snapshots that are a little further apart than a step of 15 stages, two steps of 11 are enough. Four steps to 90 take 15 stages each,
/// and need not be the longest of these.
TEST_F(LegendreRuns, ChooseAutomaticStepsByTheirStages) {
    const std::string heat = "{type: system, fields: {u: random(1)}, equations: {u: lap(u)}}";
    for (const auto &[time, in_euler] : {std::pair{"end: 90", 52.0},
                                         {"end: 90, snapshots: {every: 27}", 32.5},
                                         {"end: 1", 2.5 / 0.9},
                                         {"end: 90, snapshots: {every: 26.7}", 59.5}}) {
        Texts found;
        const Case read = with_stable_step(text(heat, "{shape: [16]}", time), found);
        const double step = choose_time_step(read.config, {read.problem.stable_time_step},
                                             longest_automatic_step(read.config, read.problem));
        EXPECT_NEAR(step, std::min(0.9 * in_euler * 0.5, read.config.time->end), 1.0e-9) << time;
    }
}

/// What is left without diffusion, at the values of a cell: reactions by their Jacobian matrix, transport by speed / h.
TEST_F(LegendreRuns, AutomaticStepsFollowReactionsAndTransport) {
    const auto longest = [&](const std::string &rates, const char *grid = "{shape: [16, 8], spacing: 0.5}") {
        const Case read =
            read_case(text("{type: system, fields: {u: 1 + 0.5*random(1), v: 1}, equations: {" + rates + "}}",
                           grid, "end: 9"));
        return longest_automatic_step(read.config, read.problem);
    };
    constexpr double rounding = 1.0e-9;  // of the rates of the grid
    EXPECT_GT(longest("u: lap(u) + 3, v: 0.1*lap(v - lap(v))"), 1.0 / rounding);
    EXPECT_GT(longest("u: \"if(x < 3, 1, 100)*lap(u^3)\", v: 0"), 1.0 / rounding)
        << "no reaction, though cells differ";
    EXPECT_NEAR(longest("u: lap(u) - 4*u, v: lap(v) + 2*v"), 0.25, 1.0e-12);
    EXPECT_NEAR(longest("u: lap(u) + 0.5*v, v: lap(v) - 2*u"), 1.0, 1.0e-12) << "the mean of both";
    EXPECT_NEAR(longest("u: lap(u), v: lap(v) - 5*v^2"), 0.1, 1.0e-12) << "d/dv of 5 v^2 where v = 1";
    EXPECT_NEAR(longest("u: 10*lap(u) - 3*dx(u), v: 0"), 0.5 / 3.0, 1.0e-12);
    EXPECT_NEAR(longest("u: \"10*lap(u) - upwind((3, 1), u)\", v: 0"), 0.5 / 4.0, 1.0e-12);
    EXPECT_NEAR(longest("u: lap(u) - 3*dx(u) - 2*u, v: 0", "{shape: [16], spacing: 0.5}"),
                1.0 / std::hypot(2.0, 6.0), 1.0e-12);
}

/// u = exp(-t) while diffusion alone would allow a single step, which would leave 0.62 too much.
TEST_F(LegendreRuns, AutomaticStepsAreAccurateWhereReactionsLimitThem) {
    const std::string decay = "{type: system, fields: {u: 1 + 0*x}, equations: {u: 1e-4*lap(u) - u}}";
    Texts found;
    const Case read = with_stable_step(text(decay, "{shape: [16], length: 1}", "end: 5"), found);
    EXPECT_TRUE(found.empty());
    EXPECT_DOUBLE_EQ(choose_time_step(read.config, {read.problem.stable_time_step},
                                      longest_automatic_step(read.config, read.problem)),
                     1.0);
    EXPECT_LT(error(text(decay, "{shape: [16], length: 1}", "end: 5"),
                    [](double, double) { return std::exp(-5.0); }),
              0.01);
}

/// Steps of order 2 of which v's diffusion is explicit and alone: 3 s^2 - 4 s + 1 = 2 z (2 s - 1) has s = -1 at z = -4/3, and lap has the
/// eigenvalue -64.
TEST_F(SystemsOnHostThreads, ExplicitTermsOfImexLimitSteps) {
    const auto text = [](const std::string &equations, const std::string &implicit, const std::string &dt) {
        return fmt::format(
            "problem: {{type: system, fields: {{u: \"cos(pi*x)\", v: random(1)}}, let: {{d: "
            "lap(u)}}, equations: {{{}}}}}\ngrid: {{shape: [16], spacing: 0.25}}\ntime: {{end: "
            "40, {}method: imex, implicit: [{}]}}\n",
            equations, dt, implicit);
    };
    const auto said = [&](const std::string &equations, const std::string &implicit, double dt) {
        const Case read = read_case(text(equations, implicit, fmt::format("dt: {}, ", dt)));
        ProblemFindings findings(read.config);
        (void)stable_system_step(read.config, read.problem, findings);
        try {
            findings.throw_if_any();
        } catch (const Failure &failure) {
            return "error: " + failure.diagnostics()[0].message;
        }
        return findings.warnings().empty() ? "" : findings.warnings()[0].message;
    };
    const std::string diffusion = "u: d, v: lap(v)";
    EXPECT_EQ(said(diffusion, "u", 0.0207), "");
    const std::string refused = said(diffusion, "u", 0.03);
    EXPECT_NE(
        refused.find("error: time.dt: 0.03 is not stable: the explicit terms of imex need dt <= 0.0208"),
        std::string::npos)
        << refused;
    EXPECT_EQ(said("u: d, v: 1", "u", 30.0), "") << "nothing explicit depends on fields";
    const std::string warned = said("u: d, v: lap(v) - 1e-3*v^3", "u", 0.03);
    EXPECT_NE(warned.find("larger than the largest stable step at time 0: the explicit terms"),
              std::string::npos)
        << warned;
    EXPECT_FALSE(warned.starts_with("error"));
    // implicit diffusion damps a third of itself with steps of any size; of half of it s = -1 where 64 dt = 8
    EXPECT_EQ(said("u: d + 0.3*lap(u), v: 1", "d", 20.0), "");
    EXPECT_EQ(said("u: d + 0.5*lap(u), v: 1", "d", 0.124), "");
    EXPECT_NE(said("u: d + 0.5*lap(u), v: 1", "d", 1.0).find("need dt <= 0.12"), std::string::npos);
    Case automatic = read_case(text(diffusion, "u", ""));
    ProblemFindings findings(automatic.config);
    automatic.problem.stable_time_step = stable_system_step(automatic.config, automatic.problem, findings);
    EXPECT_NEAR(choose_time_step(automatic.config, {automatic.problem.stable_time_step}), 0.9 / 64.0, 1.0e-9);
    EXPECT_EQ(run_all(automatic, host_device()).back().report.stop, StopReason::complete);
}

}  // namespace
}  // namespace perdure::tests::long_steps_test
