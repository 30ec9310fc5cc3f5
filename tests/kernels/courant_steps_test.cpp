// Steps that follow the fastest wave: their sizes, what is refused. With the other methods: systems_of_equations_test.cpp.
#include "solver/run/stable_system_step.hpp"
#include "tests/kernels/system_runs.hpp"

namespace perdure::tests::courant_steps_test {
namespace {

class CourantSteps : public SystemsOnHostThreads {
  protected:
    /// With what other terms need.
    [[nodiscard]] Case with_stable_step(const std::string &text) const {
        Case read = read_case(text);
        ProblemFindings findings(read.config);
        read.problem.stable_time_step = stable_system_step(read.config, read.problem, findings);
        findings.throw_if_any();
        return read;
    }

    [[nodiscard]] std::vector<double> step_sizes(const std::string &text) const {
        const Case read = with_stable_step(text);
        const Solution last = run_all(read, host_device()).back();
        EXPECT_EQ(last.report.stop, StopReason::complete);
        EXPECT_FALSE(last.report.rejected_steps.has_value()) << "they have no error";
        return last.report.step_sizes;
    }
};

/// du/dt = -d(u^2/2)/dx - 3 du/dy: waves of speed |u| in conserve(), 3 across y in upwind().
TEST_F(CourantSteps, AreThePartOfACellThatTheFastestWaveCrosses) {
    const auto sizes = [&](const char *method, const char *rate) {
        return step_sizes(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: "if(x < 1, 8, 1)"}}, equations: {{u: "{}"}}}}
grid: {{shape: [6, 40], spacing: [0.5, 0.1]}}
boundary: {{all: periodic}}
time: {{end: 0.5, dt: {{cfl: 0.25}}, method: {}}}
)yaml",
                                      rate, method));
    };
    for (const char *const method : {"euler", "ssprk3", "rk4"}) {
        const std::vector<double> of_flux = sizes(method, "conserve(u^2/2, 0; abs(u))");
        EXPECT_DOUBLE_EQ(of_flux.front(), 0.25 / (8.0 / 0.1 + 8.0 / 0.5)) << method;
        EXPECT_GT(of_flux[of_flux.size() - 2], 1.2 * of_flux.front()) << "the wave flattens";
        const std::vector<double> of_both = sizes(method, "conserve(u^2/2, 0; abs(u)) - upwind((-9, 3), u)");
        EXPECT_DOUBLE_EQ(of_both.front(), 0.25 / std::max(8.0 / 0.1 + 8.0 / 0.5, 9.0 / 0.1 + 3.0 / 0.5));
        EXPECT_EQ(of_both.size(), static_cast<std::size_t>(std::ceil(0.5 / of_both.front())))
            << "9 stays the fastest";
    }
}

/// dt = C / (w + C / d): d, 0.9 of what diffusion would need alone, whose eigenvalues reach -0.05 (4 / 0.5^2 + 4 / 0.1^2) = -20.8.
TEST_F(CourantSteps, AreStableForAllOtherTermsToo) {
    const auto text = [](double end, const char *method, const char *rate) {
        return fmt::format(R"yaml(
problem: {{type: system, fields: {{u: random(1)}}, equations: {{u: "{}"}}}}
grid: {{shape: [6, 40], spacing: [0.5, 0.1]}}
boundary: {{all: periodic}}
time: {{end: {}, dt: {{cfl: 0.4}}, method: {}}}
)yaml",
                           rate, end, method);
    };
    for (const auto &[method, product] : {std::pair{"euler", 2.0}, {"ssprk3", 2.513}, {"rk4", 2.785}}) {
        const double d = 0.9 * product / 20.8;
        EXPECT_NEAR(step_sizes(text(1.0, method, "0.05*lap(u) - upwind((2, 0), u)")).front() /
                        (0.4 / (20.0 + 0.4 / d)),
                    1.0, 0.002)
            << method;
        for (const char *const speed : {"0.01", "2"}) {
            const std::string rate = fmt::format("0.05*lap(u) - upwind(({}, 0), u) - u/10", speed);
            const Solution last =
                run_all(with_stable_step(text(3.0, method, rate.c_str())), host_device()).back();
            for (std::int64_t i = 0; i < 240; ++i) {
                const double u = value_at(last.fields[0].values, i);
                ASSERT_TRUE(u > 0.0 && u < 1.0) << method << " " << speed << ": " << u;
            }
        }
    }
}

TEST_F(CourantSteps, NeedSomethingThatCarries) {
    const auto message = [&](const char *rate, const char *method = "ssprk3") {
        const Config config =
            load(fmt::format("problem: {{type: system, fields: {{u: x}}, equations: {{u: \"{}\"}}}}\n"
                             "grid: {{shape: [6, 8]}}\ntime: {{end: 1, dt: {{cfl: 0.4}}, method: {}}}\n",
                             rate, method));
        ProblemFindings findings(config);
        (void)stable_system_step(config, make_problem(config), findings);
        try {
            findings.throw_if_any();
        } catch (const Failure &failure) {
            return std::string(failure.what());
        }
        return std::string();
    };
    EXPECT_NE(message("lap(u)").find("no equation has either"), std::string::npos) << message("lap(u)");
    EXPECT_NE(message("upwind(grad(u), u)").find("has a derivative"), std::string::npos);
    EXPECT_EQ(message("upwind((u, t), u)"), "");
    EXPECT_NE(message("upwind((u, t), u) - dx(u)", "euler").find("euler amplifies undamped oscillations"),
              std::string::npos);
    EXPECT_NE(message("upwind((u, t), u)", "rk45").find("with rk45 give a number or auto"),
              std::string::npos);
}

}  // namespace
}  // namespace perdure::tests::courant_steps_test
