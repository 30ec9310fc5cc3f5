// A grid in two parts, each a launch of its own at the same time, gives the bits of the whole.
#include <array>
#include <memory>

#include "solver/run/run_memory.hpp"
#include "sync/step_flags.h"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::subdomains_test {
namespace {

constexpr std::uint32_t steps = 101;
constexpr int parts = 2;

/// Own cells and ghosts along the axis that is cut: [begin, end) of the whole.
struct Cut {
    int axis = 1;
    std::int64_t begin = 0, end = 0;
    std::int64_t ghosts_before = 0, ghosts_behind = 0;

    [[nodiscard]] std::int64_t first() const { return begin - ghosts_before; }
    [[nodiscard]] std::int64_t count() const { return end + ghosts_behind - first(); }
};

/// Index in the whole of cell i of a part.
std::int64_t in_whole(const Grid &part, const Grid &whole, const Cut &cut, std::int64_t i) {
    std::array<std::int64_t, 3> at{i % part.cells[0], i / part.cells[0] % part.cells[1],
                                   i / (part.cells[0] * part.cells[1])};
    at[cut.axis] += cut.first();
    return at[0] + whole.cells[0] * (at[1] + whole.cells[1] * at[2]);
}

Samples part_of(const Samples &samples, const Grid &part, const Grid &whole, const Cut &cut) {
    if (samples.uniform()) {
        return samples;
    }
    Samples found;
    found.values.clear();
    for (std::int64_t i = 0; i < part.count(); ++i) {
        found.values.push_back(samples[in_whole(part, whole, cut, i)]);
    }
    return found;
}

Problem part_of(const Problem &problem, const Cut &cut) {
    Problem part = problem;
    Field &field = part.only_field();
    part.grid.cells[cut.axis] = cut.count();
    for (Samples Field::*samples : {&Field::a, &Field::sigma, &Field::f, &Field::initial}) {
        field.*samples = part_of(problem.only_field().*samples, part.grid, problem.grid, cut);
    }
    for (int side = 0; side < 6; ++side) {
        Side &of_part = field.sides[side];
        if (side / 2 == cut.axis) {
            if ((side % 2 == 0 ? cut.ghosts_before : cut.ghosts_behind) > 0) {
                of_part = Side{};
            }
            continue;
        }
        const Grid faces = face_grid(part.grid, side), all_faces = face_grid(problem.grid, side);
        of_part.values = part_of(of_part.values, faces, all_faces, cut);
        of_part.coefficient = part_of(of_part.coefficient, faces, all_faces, cut);
    }
    return part;
}

TimeSegment segment_of(const Problem &problem) {
    const double dt = 0.8 * discretise<double>(problem.grid, problem.only_field(),
                                               find_active_cells(problem.grid, problem.only_field()))
                                .stable_time_step;
    return {0, steps, 0.0, dt * steps, dt, 0.5 * dt};
}

/// One launch: of the whole, or of a part.
class Launch {
  public:
    Launch(const Problem &problem, const TimeSegment &segment, int groups)
        : prepared_(prepare(heat_case(problem, segment, groups), host_device())),
          memory_(prepared_.config, prepared_.problem.grid, prepared_.problem.only_field(),
                  prepared_.cells.front(), prepared_.plan,
                  discretise<double>(prepared_.problem.grid, prepared_.problem.only_field(),
                                     prepared_.cells.front()),
                  {segment}),
          call_(memory_.call()),
          parameters_(memory_.segment_parameters(segment)),
          table_(memory_.factor_table({&segment, 1})) {
        parameters_.wait_limit = 60'000'000'000;
    }

    run_parameters_t &parameters() { return parameters_; }

    void take_part(const SharedMemory &inboxes, const SharedMemory &flags, std::size_t inbox_bytes) {
        call_.kernel = "heat_subdomain";
        call_.form = KernelForm::any;
        call_.buffers.push_back({"inboxes", inbox_bytes, nullptr, inboxes, inboxes != nullptr});
        call_.buffers.push_back({"step_flags", step_flags_bytes(parts), nullptr, flags, flags != nullptr});
    }

    /// `begin`: the phase of step 0.
    void make(std::uint32_t begin) {
        run_ = host_device().prepare(call_, prepared_.plan.shape);
        run_state_t state{};
        run_->read(buffer_state, &state, sizeof state);
        state.time.begin = begin;
        run_->write(buffer_state, &state, sizeof state);
        parameters_.first_phase = begin;
        run_->write(call_.place_of("factor_table"), table_.data(), table_.size() * sizeof(double));
    }
    SharedMemory memory(const char *name) { return run_->memory(call_.place_of(name)); }

    void start(std::uint32_t phases) {
        parameters_.phase_count = phases;
        run_->launch(parameters_, true);
    }
    void wait() {
        while (!run_->finished(std::chrono::milliseconds(50))) {
        }
    }
    /// The step whose ghosts were awaited in vain.
    std::uint32_t abandoned_in() {
        wait();
        grid_sync_t sync{};
        run_->read(buffer_sync, &sync, sizeof sync);
        EXPECT_EQ(sync.abandoned, 1U);
        return sync.waiting_phase;
    }
    std::vector<double> answer() {
        wait();
        run_state_t state{};
        run_->read(buffer_state, &state, sizeof state);
        EXPECT_EQ(state.control.stop, static_cast<std::uint32_t>(STOP_COMPLETE));
        EXPECT_EQ(state.time.step, steps);
        std::vector<double> u(parameters_.cells);
        run_->read(memory_.answer_buffer(state), u.data(), u.size() * sizeof(double));
        return u;
    }

  private:
    static Case heat_case(const Problem &problem, const TimeSegment &segment, int groups) {
        Case test_case;
        test_case.problem = problem;
        test_case.config.time.emplace();
        test_case.config.time->step = segment.step;
        test_case.config.time->end = segment.end_time;
        test_case.config.solver.check_every = 7;
        test_case.config.execution.groups = groups;
        return test_case;
    }

    PreparedCase prepared_;
    RunMemory<double> memory_;
    KernelCall call_;
    run_parameters_t parameters_;
    std::vector<double> table_;
    std::unique_ptr<DeviceRun> run_;
};

std::array<Cut, parts> cut_in_two(const Grid &grid, int axis) {
    const std::int64_t n = grid.cells[axis], middle = n / 3;
    return {Cut{axis, 0, middle, 0, 1}, Cut{axis, middle, n, 1, 0}};
}

void set_subdomain(const Cut &cut, std::uint32_t rank, std::uint32_t layer, run_parameters_t &parameters) {
    subdomain_t &part = parameters.subdomain;
    part.offset[cut.axis] = static_cast<std::uint32_t>(cut.begin);
    part.extent[cut.axis] = static_cast<std::uint32_t>(cut.end - cut.begin);
    part.rank = rank;
    part.layer = layer;
    if (cut.ghosts_before > 0) {
        part.neighbours[2 * cut.axis] = rank - 1;
    }
    if (cut.ghosts_behind > 0) {
        part.neighbours[2 * cut.axis + 1] = rank + 1;
    }
}

/// The whole from its parts: of each its own cells.
std::vector<double> run_in_parts(const Problem &problem, const TimeSegment &segment, int axis, int groups) {
    const std::array<Cut, parts> cuts = cut_in_two(problem.grid, axis);
    const auto layer = static_cast<std::uint32_t>(problem.grid.count() / problem.grid.cells[axis]);
    std::vector<std::unique_ptr<Launch>> launches;
    for (std::uint32_t rank = 0; rank < parts; ++rank) {
        launches.push_back(std::make_unique<Launch>(part_of(problem, cuts[rank]), segment, groups));
        Launch &launch = *launches.back();
        set_subdomain(cuts[rank], rank, layer, launch.parameters());
        launch.take_part(rank > 0 ? launches[0]->memory("inboxes") : nullptr,
                         rank > 0 ? launches[0]->memory("step_flags") : nullptr,
                         sizeof(double) * parts * 6 * 2 * layer);
        launch.make(1000 * rank);
    }
    for (const auto &launch : launches) {
        launch->start(2 * steps);
    }
    std::vector<double> u(static_cast<std::size_t>(problem.grid.count()));
    for (std::uint32_t rank = 0; rank < parts; ++rank) {
        const std::vector<double> found = launches[rank]->answer();
        const subdomain_t &part = launches[rank]->parameters().subdomain;
        Grid grid = problem.grid;
        grid.cells[axis] = cuts[rank].count();
        for (std::int64_t i = 0; i < grid.count(); ++i) {
            const std::int64_t whole = in_whole(grid, problem.grid, cuts[rank], i);
            const std::array<std::int64_t, 3> at{whole % problem.grid.cells[0],
                                                 whole / problem.grid.cells[0] % problem.grid.cells[1],
                                                 whole / (problem.grid.cells[0] * problem.grid.cells[1])};
            if (at[axis] >= part.offset[axis] && at[axis] < part.offset[axis] + part.extent[axis]) {
                u[static_cast<std::size_t>(whole)] = found[static_cast<std::size_t>(i)];
            }
        }
    }
    return u;
}

std::vector<double> run_whole(const Problem &problem, const TimeSegment &segment) {
    Launch launch(problem, segment, 2);
    launch.make(0);
    launch.start(steps);
    return launch.answer();
}

// Along every axis that is not periodic: x and y in 3D, x in 2D, where the last axis is.
TEST(Subdomains, HaveTheBitsOfTheWhole) {
    for (const Coefficients coefficients : {Coefficients::uniform, Coefficients::variable}) {
        for (const auto &[shape, axis] : std::vector<std::pair<std::vector<std::int64_t>, int>>{
                 {{19, 26}, 0}, {{7, 12, 14}, 0}, {{7, 12, 14}, 1}}) {
            const int dimensions = static_cast<int>(shape.size());
            const Problem problem = as_heat(random_problem(shape, mixed_sides(dimensions), coefficients, 8));
            const TimeSegment segment = segment_of(problem);
            const std::vector<double> whole = run_whole(problem, segment);
            for (const int groups : {1, 2, 3}) {
                EXPECT_EQ(run_in_parts(problem, segment, axis, groups), whole)
                    << dimensions << "D, axis " << axis << ", groups " << groups;
            }
        }
    }
}

// Along the last axis, which a launch finds in one piece.
TEST(Subdomains, AreCutAlongTheLastAxisToo) {
    for (const std::vector<std::int64_t> &shape : {std::vector<std::int64_t>{31, 17}, {15, 6, 9}}) {
        const int dimensions = static_cast<int>(shape.size());
        const Problem problem =
            as_heat(random_problem(shape, all_sides(SideKind::exchange), Coefficients::variable, 9));
        const TimeSegment segment = segment_of(problem);
        EXPECT_EQ(run_in_parts(problem, segment, dimensions - 1, 2), run_whole(problem, segment));
    }
}

// Whoever waits for a neighbour that never comes gives up.
TEST(Subdomains, GiveUpWhereANeighbourIsMissing) {
    const Problem problem = as_heat(random_problem({19, 26}, mixed_sides(2), Coefficients::variable, 8));
    const TimeSegment segment = segment_of(problem);
    const Cut cut = cut_in_two(problem.grid, 0)[0];
    Launch launch(part_of(problem, cut), segment, 2);
    set_subdomain(cut, 0, 19, launch.parameters());
    launch.parameters().wait_limit = 50'000'000;
    launch.take_part(nullptr, nullptr, sizeof(double) * parts * 6 * 2 * 19);
    launch.make(0);
    launch.start(2 * steps);
    EXPECT_EQ(launch.abandoned_in(), 1U) << "the first step that was waited for";
}

}  // namespace
}  // namespace perdure::tests::subdomains_test
