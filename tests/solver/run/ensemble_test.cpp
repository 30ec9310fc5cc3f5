// Cases that run together have the answers that they have alone, and harm each other in nothing. On every back end with ensembles.
#include "solver/run/ensemble.hpp"

#include <future>

#include "solver/problem/in_parallel.hpp"
#include "solver/run/case_solves.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::ensemble_test {
namespace {

constexpr Progress::Style quiet = Progress::Style::quiet;

/// Cases as `perdure run` prepares and runs those of one batch.
class Ensembles : public CaseFileTest, public testing::WithParamInterface<BackendChoice> {
  protected:
    void SetUp() override {
        CaseFileTest::SetUp();
        if (GetParam() == BackendChoice::cuda) {
            std::string why;
            if (cuda_devices(why).empty()) {
                GTEST_SKIP() << why;
            }
        }
    }

    [[nodiscard]] Config config(const std::string &text, const std::string &execution = "") {
        return load(text + "execution: {backend: " + name(GetParam()) + execution + "}\n");
    }

    [[nodiscard]] static Solution solve(PreparedCase &prepared, std::vector<Solution> &snapshots) {
        return run_prepared(prepared, quiet,
                            {[&](Solution snapshot) { snapshots.push_back(std::move(snapshot)); }, {}});
    }

    struct Outcome {
        std::vector<Solution> snapshots;
        Solution last;
        std::string failure;
        std::string ensemble;  // how many groups and members the plan has
    };

    /// Each with its outcome, in order.
    std::vector<Outcome> run(const std::vector<std::string> &cases, const std::string &execution) {
        OpenDevices devices;
        std::vector<std::unique_ptr<PreparedCase>> prepared;
        for (const std::string &text : cases) {
            prepared.push_back(std::make_unique<PreparedCase>(prepare_case(
                config(text, execution), devices, [] {}, cases.size())));
        }
        std::vector<std::future<Outcome>> running;
        std::vector<std::unique_ptr<Ensemble::NoMoreMembers>> nobody_adds;
        for (auto &one : prepared) {
            std::unique_ptr<Ensemble::Membership> membership;
            if (one->ensemble) {
                membership = std::make_unique<Ensemble::Membership>(*one->ensemble);
                nobody_adds.push_back(std::make_unique<Ensemble::NoMoreMembers>(*one->ensemble));
            }
            auto run_one = [one = one.get(), membership = std::move(membership)]() mutable {
                const std::unique_ptr<Ensemble::Membership> until_the_end = std::move(membership);
                Outcome outcome;
                try {
                    outcome.last = solve(*one, outcome.snapshots);
                } catch (const Failure &failure) {
                    outcome.failure = failure.what();
                }
                return outcome;
            };
            running.push_back(
                std::async(one->ensemble ? std::launch::async : std::launch::deferred, std::move(run_one)));
        }
        std::vector<Outcome> outcomes;
        for (std::size_t i = 0; i < running.size(); ++i) {
            outcomes.push_back(running[i].get());
            if (prepared[i]->ensemble) {
                const EnsemblePlan &plan = prepared[i]->ensemble->plan();
                outcomes.back().ensemble = std::to_string(plan.groups) + " x " + std::to_string(plan.at_once);
            }
        }
        return outcomes;
    }

    static void expect_equal(const Solution &together, const Solution &alone, const std::string &what) {
        EXPECT_EQ(together.step, alone.step) << what;
        EXPECT_EQ(together.report.stop, alone.report.stop) << what;
        ASSERT_EQ(together.fields.size(), alone.fields.size()) << what;
        for (std::size_t i = 0; i < alone.fields.size(); ++i) {
            EXPECT_TRUE(together.fields[i].values == alone.fields[i].values)
                << what << ", " << alone.fields[i].name;
        }
        ASSERT_EQ(together.report.history.size(), alone.report.history.size()) << what;
        for (std::size_t i = 0; i < alone.report.history.size(); ++i) {
            EXPECT_EQ(together.report.history[i].residual, alone.report.history[i].residual)
                << what << ", entry " << i;
        }
    }

    /// As members of ensembles of this kind, against each alone.
    void expect_bits_of_alone(const std::vector<std::string> &cases, const std::string &ensemble) {
        const std::vector<Outcome> together = run(cases, ", ensemble: " + ensemble);
        const std::vector<Outcome> alone = run(cases, ", ensemble: off");
        for (std::size_t i = 0; i < cases.size(); ++i) {
            EXPECT_NE(together[i].ensemble, "") << "case " << i << " ran alone";
            EXPECT_EQ(alone[i].ensemble, "");
            EXPECT_EQ(together[i].failure, "");
            ASSERT_EQ(together[i].snapshots.size(), alone[i].snapshots.size());
            for (std::size_t k = 0; k < alone[i].snapshots.size(); ++k) {
                expect_equal(together[i].snapshots[k], alone[i].snapshots[k],
                             fmt::format("case {}, snapshot {}", i, k));
            }
            expect_equal(together[i].last, alone[i].last, fmt::format("case {}", i));
        }
    }
};

std::string heat(double f, int nx = 24, const std::string &more = "") {
    return fmt::format(
        "problem: {{type: heat, a: \"1 + x\", f: {}, initial: \"sin(5*x)*cos(3*y)\"}}\n"
        "grid: {{shape: [17, {}], spacing: 0.05}}\n"
        "boundary: {{x-: {{value: 1}}, y+: {{exchange: {{coefficient: 2, ambient: 0.5}}}}}}\n"
        "time: {{dt: 2.5e-4, end: 0.05{}}}\n",
        f, nx, more);
}

std::string poisson(double rtol, const std::string &preconditioner) {
    return fmt::format(
        "problem: {{type: diffusion, a: \"1 + 5*(x > 0.4)\", f: \"1 + z\"}}\n"
        "grid: {{shape: [12, 10, 14], spacing: 0.07}}\n"
        "boundary: {{z-: {{value: 1}}, x+: {{flux: 0.5}}}}\n"
        "solver: {{method: cg, preconditioner: {}, rtol: {}}}\n",
        preconditioner, rtol);
}

std::string gray_scott(double feed, const std::string &method) {
    return fmt::format(
        "problem:\n"
        "  type: system\n"
        "  fields: {{u: {{initial: \"1 - 0.5*(abs(x - 0.5) < 0.1)\"}}, v: {{initial: \"0.25*(abs(x - 0.5) < "
        "0.1)*(1 + y)\"}}}}\n"
        "  parameters: {{F: {}, k: 0.06}}\n"
        "  let: {{r: u*v^2}}\n"
        "  equations: {{u: \"2e-5*lap(u) - r + F*(1 - u)\", v: \"1e-5*lap(v) + r - (F + k)*v\"}}\n"
        "grid: {{shape: [20, 30], spacing: 0.02}}\n"
        "boundary: {{all: periodic}}\n"
        "time: {{method: {}, dt: 1.0, end: 60, snapshots: [20, 40]}}\n",
        feed, method);
}

TEST_P(Ensembles, MembersHaveTheBitsOfRunsThatAreAlone) {
    expect_bits_of_alone({heat(0), heat(1), heat(2), heat(3), heat(4)}, "2");
    expect_bits_of_alone(
        {heat(0, 24, ", snapshots: [0.02, 0.04]"), heat(1), heat(2, 31), heat(3, 31), heat(4)}, "64");
    expect_bits_of_alone({poisson(1e-4, "jacobi"), poisson(1e-6, "jacobi"), poisson(1e-9, "jacobi")}, "3");
    expect_bits_of_alone({poisson(1e-4, "multigrid"), poisson(1e-6, "multigrid"), poisson(1e-9, "jacobi")},
                         "3");
    expect_bits_of_alone({gray_scott(0.03, "rk4"), gray_scott(0.04, "rk4"), gray_scott(0.05, "rk23")},
                         "auto");
}

TEST_P(Ensembles, AMemberThatDivergesHarmsNoOther) {
    const std::string bad =
        "problem: {type: system, fields: {u: {initial: 1 + x}}, equations: {u: \"u^2\"}}\n"
        "grid: {shape: [17, 24], spacing: 0.05}\n"
        "boundary: {all: periodic}\n"
        "time: {method: rk4, dt: 0.01, end: 5}\n";
    const std::string good = std::string(bad).replace(bad.find("u^2"), 3, "-u ");
    const std::vector<Outcome> together = run({good, bad, good}, ", ensemble: 3");
    const std::vector<Outcome> alone = run({good, bad, good}, ", ensemble: off");
    EXPECT_EQ(together[1].last.report.stop, StopReason::not_finite);
    EXPECT_EQ(together[1].last.step, alone[1].last.step);
    expect_equal(together[0].last, alone[0].last, "before it");
    expect_equal(together[2].last, alone[2].last, "behind it");
}

TEST_P(Ensembles, WhoRunsAloneDoesSo) {
    const auto ensembles = [&](const std::string &text, const std::string &execution) {
        std::string found;
        for (const Outcome &outcome : run({text, text}, execution)) {
            found += outcome.ensemble.empty() ? "alone " : "together ";
        }
        return found;
    };
    EXPECT_EQ(ensembles(heat(1), ""), "together together ");
    EXPECT_EQ(ensembles(heat(1), ", ensemble: off"), "alone alone ");
    EXPECT_EQ(ensembles(poisson(1e-4, "jacobi"), ""),
              GetParam() == BackendChoice::cuda ? "alone alone " : "together together ");
    EXPECT_EQ(ensembles(heat(1), ", model: launches"), "alone alone ");
    EXPECT_EQ(ensembles(heat(1), ", groups: 2"), "alone alone ");
}

/// Plans are made for it, nothing runs.
class PaperGpu final : public Device {
  public:
    PaperGpu() {
        description_.backend = BackendChoice::cuda;
        description_.gpu = description_.shared_control = true;
        description_.compute_units = 132;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 256; }
    [[nodiscard]] int largest_group_size(const KernelVariant &) override { return 1024; }
    [[nodiscard]] int resident_groups(const KernelVariant &, int) override { return 132; }
    [[nodiscard]] int most_groups(const KernelVariant &, int) override { return 132; }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &, LaunchShape) override { return nullptr; }
    [[nodiscard]] bool has_ensembles() const override { return true; }

  private:
    DeviceDescription description_;
};

TEST_P(Ensembles, ShortSolvesOfAGpuRunTogetherWhereThreadsPrepareThem) {
    const Config cube = config(
        "problem: {type: diffusion, a: \"1 + x\", f: 1}\ngrid: {shape: [32, 32, 32], spacing: 0.03}\n"
        "boundary: {all: {value: 0}}\n");
    const PaperGpu gpu;
    EXPECT_FALSE(plan_ensemble(cube, gpu, 31));
    const std::optional<EnsemblePlan> plan = plan_ensemble(cube, gpu, 32);
    ASSERT_EQ(plan.has_value(), cores() >= 4);
    if (plan) {
        EXPECT_EQ(plan->groups, 4);
        EXPECT_EQ(plan->at_once, 33U);
    }
    EXPECT_TRUE(plan_ensemble(config(heat(1)), gpu, 2)) << "steps in time take longer";
}

TEST_P(Ensembles, AnEnsembleThatCannotBeIsRefused) {
    try {
        (void)run({heat(1), heat(2)}, ", ensemble: 2, model: launches");
        FAIL() << "accepted";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.code(), ExitCode::case_or_usage);
        EXPECT_NE(std::string(failure.what()).find("execution.ensemble: 2 cases cannot run together"),
                  std::string::npos)
            << failure.what();
    }
}

INSTANTIATE_TEST_SUITE_P(AcrossBackEnds, Ensembles, testing::Values(BackendChoice::host, BackendChoice::cuda),
                         [](const auto &back_end) { return std::string(name(back_end.param)); });

}  // namespace
}  // namespace perdure::ensemble_test
