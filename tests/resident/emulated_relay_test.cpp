// Streamed stepping without a GPU: the text of the relays on emulated items (emulated_cuda.hpp) gives the bits of the phases.
#include "tests/resident/emulated_cuda.hpp"

#include <map>
#include <random>

#define DELAY_HERE()

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/row.h"
#include "kernels/resident/split_barrier.h"
#include "kernels/stencil_formula.h"
#include "tests/kernels/sample_problems.hpp"
#include "tests/resident/emulated_device.hpp"

namespace perdure::tests {

#define PERDURE_PROGRAM "tests/resident/emulated_relay_program.h"
#include "solver/backends/both_precisions.hpp"

namespace {

template <typename Real>
using Kernel = void (*)(run_parameters_t, control_t *, grid_sync_t *, run_state_t *, double *, double *,
                        const Real *, const Real *, const Real *, const Real *, const Real *, const Real *,
                        Real *, Real *, const Real *);

/// Without the arguments at the end that other forms of Jacobi have.
template <typename Real, auto Jacobi>
void jacobi_of(run_parameters_t parameters, control_t *control, grid_sync_t *sync, run_state_t *state,
               double *partials, double *history, const Real *diagonal, const Real *inverse,
               const Real *face_x, const Real *face_y, const Real *face_z, const Real *b, Real *u_even,
               Real *u_odd, const Real *none) {
    Jacobi(parameters, control, sync, state, partials, history, diagonal, inverse, face_x, face_y, face_z, b,
           u_even, u_odd, none, none, none);
}

#define PERDURE_KERNEL_OF(form, Real)                                                                     \
    Kernel<Real> kernel_of(const std::string &name, Real) {                                               \
        return name == "heat_streamed_3d"            ? &form::heat_streamed_3d                            \
               : name == "heat_streamed_2d"          ? &form::heat_streamed_2d                            \
               : name == "heat_streamed_2d_varied"   ? &form::heat_streamed_2d_varied                     \
               : name == "jacobi_streamed_3d"        ? &jacobi_of<Real, &form::jacobi_streamed_3d>        \
               : name == "jacobi_streamed_2d"        ? &jacobi_of<Real, &form::jacobi_streamed_2d>        \
               : name == "jacobi_streamed_2d_varied" ? &jacobi_of<Real, &form::jacobi_streamed_2d_varied> \
                                                     : nullptr;                                           \
    }
PERDURE_KERNEL_OF(float32, float)
PERDURE_KERNEL_OF(float64, double)
#undef PERDURE_KERNEL_OF

template <typename Real>
std::function<void()> item_of(const KernelCall &call, const run_parameters_t &parameters,
                              EmulatedMemory &memory) {
    const Kernel<Real> kernel = kernel_of(call.kernel, Real{});
    if (kernel == nullptr) {
        ADD_FAILURE() << "no such kernel: " << call.kernel;
        return [] {};
    }
    return [&memory, &parameters, kernel] {
        const auto real = [&](std::size_t buffer) { return memory.at<Real>(buffer); };
        kernel(parameters, memory.at<control_t>(0), memory.at<grid_sync_t>(1), memory.at<run_state_t>(2),
               memory.at<double>(3), memory.at<double>(4), real(5), real(6), real(7), real(8), real(9),
               real(10), real(11), real(12), real(13));
    };
}

class EmulatedRelays : public testing::Test {
  protected:
    static std::unique_ptr<Device> device(int groups, std::int64_t registers) {
        return emulated_device(
            {groups, 232448, registers},
            [](const KernelCall &call, const run_parameters_t &parameters, EmulatedMemory &memory) {
                return call.precision == Precision::float32 ? item_of<float>(call, parameters, memory)
                                                            : item_of<double>(call, parameters, memory);
            });
    }
    /// Fewer than fields in two dimensions are held in, of uniform problems and of others.
    static std::int64_t registers_2d(bool uniform) { return uniform ? 32767 : 40000; }

    static std::vector<std::int64_t> draw_shape_2d(std::mt19937_64 &random) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const std::int64_t columns = below(3) == 0 ? 4 * (1 + below(40)) : 128 + below(250);
        return {1 + below(below(4) == 0 ? 12 : 150), columns};
    }
    /// No boxes of held fields, or more than three multiprocessors have room for.
    static std::vector<std::int64_t> draw_shape_3d(std::mt19937_64 &random) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const bool narrow = below(3) == 0;
        const std::int64_t columns = narrow          ? 1 + below(31)
                                     : below(2) == 0 ? 68 + 4 * below(12)
                                                     : 65 + below(60);
        return {3 + below(9), narrow ? 1 + below(75) : 40 + below(40), columns};
    }

    static Case draw(std::mt19937_64 &random, const std::vector<std::int64_t> &shape, bool uniform, bool heat,
                     Precision precision) {
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        const Kinds kinds = random_sides(random);
        Case drawn;
        drawn.problem =
            random_problem(shape, kinds, uniform ? Coefficients::uniform : Coefficients::variable, random());
        if (below(3) != 0) {
            drawn.problem.f = {};
            drawn.problem.sigma = {};
        }
        if (!uniform) {
            drawn.config.a.kind = ValueSource::Kind::dataset;
        }
        drawn.config.execution.precision = precision;
        drawn.config.solver.method = SolverMethod::jacobi;
        drawn.config.solver.check_every = 1 + below(12);
        drawn.config.solver.max_iterations = 1 + below(shape.size() == 3 ? 8 : 18);
        drawn.config.solver.rtol = 1.0e-12;
        if (heat) {
            drawn.problem.type = ProblemType::heat;
            drawn.config.time = some_steps(drawn.problem, 0.5 + below(shape.size() == 3 ? 8 : 18));
        }
        return drawn;
    }

    static void compare(Case test_case, Device &emulated, int depth) {
        test_case.config.execution.model = ExecutionModel::resident;
        const ResidentPlan plan = prepare(test_case, emulated).plan.resident;
        EXPECT_EQ(plan.depth, depth) << describe_case(test_case);
        if (test_case.problem.grid.dimensions == 3) {
            const bool single = test_case.config.execution.precision == Precision::float32;
            EXPECT_GE(static_cast<std::size_t>(plan.shared_bytes),
                      single ? sizeof(float32::planes_chip_t) : sizeof(float64::planes_chip_t))
                << "phases would make the steps";
        }
        const Solution relayed = run(test_case, emulated);
        test_case.config.execution.model = ExecutionModel::persistent;
        const Solution phases = run(test_case, host_device());
        EXPECT_EQ(relayed.report.stop, phases.report.stop) << describe_case(test_case);
        EXPECT_EQ(relayed.u, phases.u) << describe_case(test_case);
    }

    static void draw_and_compare(bool uniform, bool heat, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < 12; ++i) {
            const Precision precision = i % 2 == 0 ? Precision::float32 : Precision::float64;
            const int groups = 1 + i % 3;
            compare(draw(random, draw_shape_2d(random), uniform, heat, precision),
                    *device(groups, registers_2d(uniform)), 8);
        }
    }
    static void draw_and_compare_3d(bool heat, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < 6; ++i) {
            const Precision precision = i % 2 == 0 ? Precision::float32 : Precision::float64;
            compare(draw(random, draw_shape_3d(random), true, heat, precision), *device(1 + i % 3, 65536), 3);
        }
    }
};

TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInHeat) {
    draw_and_compare(true, true, 41);
}
TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInHeatWithCoefficientsThatVary) {
    draw_and_compare(false, true, 42);
}
TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInHeatIn3d) {
    draw_and_compare_3d(true, 45);
}
TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInJacobiIn3d) {
    draw_and_compare_3d(false, 46);
}
TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInJacobi) {
    draw_and_compare(true, false, 43);
}
TEST_F(EmulatedRelays, HaveTheBitsOfThePhasesInJacobiWithCoefficientsThatVary) {
    draw_and_compare(false, false, 44);
}

/// Rows and planes of grids on a GPU like the H100 and on smaller ones, dealt out.
class Deals : public testing::Test {
  protected:
    static run_parameters_t grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz,
                                 std::uint32_t periodic = 0) {
        run_parameters_t made{};
        made.nx = nx;
        made.ny = ny;
        made.nz = nz;
        made.periodic_x = periodic & 1U;
        made.periodic_y = periodic >> 1U & 1U;
        return made;
    }
    /// Of what the workers' budgets are good for, what they have to do; every line is one worker's.
    template <typename Deal, typename Tiles>
    static double dealt_out(const Tiles &tiles, int workers) {
        Deal deal;
        static_cast<Tiles &>(deal) = tiles;
        int budget = deal.cost_of_each(workers);
        while (!deal.leaves_nothing(budget, workers)) {
            budget += Deal::APART;
        }
        std::map<std::pair<int, int>, int> owners;  // of a line of a tile
        double spent = 0.0;
        for (int worker = 0; worker < workers; ++worker) {
            int cost = 0;
            deal.in_ranges(deal.share_of(worker), [&](const auto &range) {
                cost += deal.cost_of(range);
                for (int line = range.first; line < range.end; ++line) {
                    ++owners[{range.tile, line}];
                }
            });
            EXPECT_LE(cost, budget) << "worker " << worker;
            spent += cost;
        }
        std::size_t lines = 0;
        for (int i = 0; i < deal.stretches(); ++i) {
            const auto stretch = deal.stretch(i);
            lines += static_cast<std::size_t>(std::max(stretch.end - stretch.first, 0));
        }
        EXPECT_EQ(owners.size(), lines);
        EXPECT_TRUE(
            std::all_of(owners.begin(), owners.end(), [](const auto &line) { return line.second == 1; }));
        return spent / (static_cast<double>(budget) * workers);
    }
    static double rows(const run_parameters_t &of, int workers) {
        return dealt_out<float64::deal_t<float64::strips_t<true>>>(float64::make_strips<true>(&of), workers);
    }
    static double planes(const run_parameters_t &of, int workers) {
        return dealt_out<float64::deal_3d_t>(float64::make_tiles(&of), workers);
    }
};

TEST_F(Deals, KeepWorkersBusy) {
    EXPECT_GT(rows(grid(4096, 4096, 1), 528), 0.98);
    EXPECT_GT(rows(grid(8192, 8192, 1), 528), 0.97);
    EXPECT_GT(rows(grid(3000, 5000, 1), 528), 0.98);
    EXPECT_GT(planes(grid(256, 256, 256), 132), 0.95);
    EXPECT_GT(planes(grid(512, 512, 512), 132), 0.98);
    EXPECT_GT(planes(grid(700, 600, 500), 132), 0.98);
}
TEST_F(Deals, GiveEveryLineToOneWorker) {
    std::mt19937_64 random(47);
    const auto below = [&](std::uint32_t n) {
        return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
    };
    for (int i = 0; i < 60; ++i) {
        const int workers = static_cast<int>(1 + below(below(2) == 0 ? 8 : 600));
        const run_parameters_t of =
            grid(1 + below(1500), 1 + below(below(3) == 0 ? 30 : 900), 1 + below(300), below(4));
        EXPECT_GT(rows(of, workers), 0.0);
        EXPECT_GT(planes(of, workers), 0.0);
    }
}
/// Whole tiles first, so that those beside each other are marched through together.
TEST_F(Deals, BeginTilesAtTheSameLine) {
    const run_parameters_t of = grid(512, 512, 512);
    float64::deal_3d_t deal;
    static_cast<float64::tiles_3d_t &>(deal) = float64::make_tiles(&of);
    int budget = deal.cost_of_each(132);
    while (!deal.leaves_nothing(budget, 132)) {
        budget += float64::deal_3d_t::APART;
    }
    for (int worker = 0; worker < 132; ++worker) {
        const auto first = deal.share_of(worker).ranges[0];
        EXPECT_EQ(first.tile, worker);
        EXPECT_EQ(first.first, 0);
    }
}

}  // namespace
}  // namespace perdure::tests
