#include "solver/run/operator_in_parts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "solver/run/check_range.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::operator_in_parts_test {
namespace {

/// Buffers that keep what is written to them.
class Written : public DeviceRun {
  public:
    explicit Written(const KernelCall &call) {
        for (const KernelBuffer &buffer : call.buffers) {
            buffers_.emplace_back(buffer.bytes, std::byte{0xff});
        }
    }
    void launch(const run_parameters_t & /*parameters*/, bool /*synchronised*/) override {}
    bool finished(std::chrono::milliseconds /*timeout*/) override { return true; }
    double launch_seconds() override { return 0.0; }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, buffers_.at(buffer).data() + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        ASSERT_LE(offset + bytes, buffers_.at(buffer).size());
        std::memcpy(buffers_[buffer].data() + offset, from, bytes);
        ++writes;
    }
    control_t *control() override { return nullptr; }

    int writes = 0;

  private:
    std::vector<std::vector<std::byte>> buffers_;
};

/// Buffers that are to be written, by name with how many values they have.
template <typename Real>
KernelCall call_with(const std::map<std::string, std::size_t> &arguments) {
    KernelCall call;
    for (const auto &[name, values] : arguments) {
        call.buffers.push_back({.name = name, .bytes = values * sizeof(Real), .as_it_stands = true});
    }
    call.buffers.push_back({.name = "p", .bytes = sizeof(Real)});
    return call;
}

template <typename Real>
LargeVector<Real> values_in(Written &run, const KernelCall &call, const std::string &name) {
    const std::size_t place = call.place_of(name);
    LargeVector<Real> values(call.buffers[place].bytes / sizeof(Real));
    run.read(place, values.data(), call.buffers[place].bytes, 0);
    return values;
}

/// One problem kept as a whole, the same given away in parts. `parts`: of each array of the operator.
template <typename Real>
void expect_the_same(const Problem &problem, int parts) {
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    const auto whole = discretise<Real>(problem, cells).front();
    const auto in_parts = discretise<Real>(problem, cells, false, 0.0, OperatorStorage::in_parts).front();
    ASSERT_FALSE(whole.in_parts);
    ASSERT_TRUE(in_parts.in_parts);
    EXPECT_TRUE(in_parts.diagonal.empty() && in_parts.b.empty() && in_parts.capacity.empty());
    EXPECT_EQ(in_parts.spectrum_top, whole.spectrum_top);
    EXPECT_EQ(in_parts.stable_time_step, whole.stable_time_step);
    EXPECT_EQ(in_parts.factors, whole.factors);
    EXPECT_EQ(scale_to_float32(in_parts), scale_to_float32(whole));

    std::map<std::string, const LargeVector<Real> *> expected{{"diagonal", &whole.diagonal},
                                                              {"inverse_diagonal", &whole.inverse_diagonal}};
    constexpr std::array axes{"x", "y", "z"};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.grid.dimensions); ++axis) {
        expected[std::string("face_") + axes[axis]] = &whole.face[axis];
        if (whole.convective) {
            expected[std::string("across_") + axes[axis]] = &whole.across[axis];
        }
    }
    std::map<std::string, std::size_t> arguments{{"b", whole.b.size()}, {"capacity", whole.capacity.size()}};
    for (const auto &[name, values] : expected) {
        arguments[name] = values->size();
    }
    const KernelCall call = call_with<Real>(arguments);
    for (const bool unpreconditioned : {false, true}) {
        Written run(call);
        const FieldInParts of{problem.grid, problem.fields.front(), cells.front(), 0.0, unpreconditioned, ""};
        write_operator<Real>(of, {}, call, run);
        EXPECT_EQ(run.writes, parts * static_cast<int>(expected.size()));
        for (const auto &[name, values] : expected) {
            LargeVector<Real> right = *values;
            for (Real &value : right) {
                value =
                    unpreconditioned && name == "inverse_diagonal" ? Real(value != Real(0) ? 1 : 0) : value;
            }
            EXPECT_TRUE(values_in<Real>(run, call, name) == right) << name;
        }
        write_right_hand_sides<Real>(of, "b", in_parts.factors, call, run);
        EXPECT_TRUE(values_in<Real>(run, call, "b") == whole.b);
        EXPECT_TRUE(values_in<Real>(run, call, "capacity") == whole.capacity);
    }
}

TEST(OperatorInParts, HasTheBitsOfTheWhole) {
    constexpr std::int64_t rows_of_part = 512;  // of 128 cells, the least that is given at once
    ASSERT_EQ(values_of_part(2 * 128 * rows_of_part), 128 * rows_of_part);
    const std::int64_t rows = 2 * rows_of_part + 5;  // two parts, and one of 5 rows
    for (const Coefficients coefficients : {Coefficients::variable, Coefficients::microstructure}) {
        Problem plane = random_problem({rows, 128}, mixed_sides(2), coefficients, 3);
        expect_the_same<double>(plane, 3);
        expect_the_same<float>(plane, 3);
        expect_the_same<double>(random_problem({7, 6, 5}, mixed_sides(3), coefficients, 4), 1);
        plane = as_heat(plane);
        plane.only_field().f_time_factor = "sin(t)";
        plane.only_field().sides[1].time_factor = "exp(-t)";
        plane.only_field().capacity = sample(plane.grid, [](const Point &at) { return 1.0 + at[0] * at[0]; });
        expect_the_same<double>(plane, 3);
        expect_the_same<float>(plane, 3);
    }
}

TEST(OperatorInParts, HasTheBitsOfTheWholeWithAVelocity) {
    for (const Convection convection : {Convection::central, Convection::upwind}) {
        for (const Kinds &kinds : {mixed_sides(3), all_sides(SideKind::periodic)}) {
            expect_the_same<double>(with_velocity(random_problem({9, 8, 7}, kinds, Coefficients::variable, 5),
                                                  convection, 1.0, 6),
                                    1);
        }
    }
}

TEST(OperatorInParts, BalancesConnectedPartsWhereNothingFixesU) {
    Problem problem = random_problem({40, 30, 20}, all_sides(SideKind::periodic), Coefficients::variable, 8);
    problem.only_field().sigma.values = {0.0};
    ASSERT_TRUE(find_active_cells(problem).front().pinned);
    expect_the_same<double>(problem, 1);
    LargeVector<double> b = discretise<double>(problem, find_active_cells(problem)).front().b;
    double sum = 0.0, size = 0.0;
    for (const double value : b) {
        sum += value;
        size += std::abs(value);
    }
    EXPECT_LT(std::abs(sum), 1.0e-13 * size);
}

TEST(OperatorInParts, GivesLabelsInPlaceOfEntries) {
    Problem problem = random_problem({40, 30, 20}, all_sides(SideKind::value), Coefficients::variable, 9);
    problem.only_field().sigma.values = {0.0};
    problem.only_field().a = sample(problem.grid, [](const Point &at) {
        return at[0] < 0.4 ? 0.0 : at[1] < 0.5 ? 7.0 : 3.0;
    });
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    const auto whole = discretise<double>(problem, cells, true).front();
    const auto in_parts = discretise<double>(problem, cells, true, 0.0, OperatorStorage::in_parts).front();
    EXPECT_TRUE(in_parts.labels.of_cell.empty() && in_parts.inverse_diagonal.empty());
    KernelCall call = call_with<double>({{"inverse_diagonal", whole.inverse_diagonal.size()}});
    call.buffers.push_back({.name = "labels", .bytes = whole.labels.of_cell.size(), .as_it_stands = true});
    Written run(call);
    write_operator<double>({problem.grid, problem.fields.front(), cells.front()},
                           in_parts.labels.coefficients, call, run);
    EXPECT_TRUE(values_in<std::uint8_t>(run, call, "labels") == whole.labels.of_cell);
    EXPECT_TRUE(values_in<double>(run, call, "inverse_diagonal") == whole.inverse_diagonal);
    EXPECT_EQ(std::set<int>(whole.labels.of_cell.begin(), whole.labels.of_cell.end()),
              (std::set<int>{0, 1, 2}));
}

TEST(OperatorInParts, InitialValuesAreThoseOfCellsThatTakePart) {
    Problem problem = random_problem({40, 30, 20}, mixed_sides(3), Coefficients::microstructure, 10);
    problem.only_field().initial = sample(problem.grid, [](const Point &at) { return 1.0 + at[2]; });
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    ASSERT_GT(cells.front().excluded, 0);
    KernelCall call;
    call.buffers.push_back(
        {.name = "u", .bytes = (1 + static_cast<std::size_t>(problem.grid.count())) * sizeof(float)});
    for (const bool left_out : {false, true}) {
        Written run(call);
        write_initial<float>({problem.grid, problem.fields.front(), cells.front()}, left_out, call, 0,
                             sizeof(float), run);
        const LargeVector<float> u = values_in<float>(run, call, "u");
        for (std::int64_t i = 0; i < problem.grid.count(); ++i) {
            const bool is_there = left_out || cells.front().is_active(i);
            ASSERT_EQ(u[i + 1], is_there ? static_cast<float>(problem.only_field().initial[i]) : 0.0F) << i;
        }
    }
}

TEST(OperatorInParts, ValuesThatThePrecisionCannotHoldAreRefused) {
    Problem problem = random_problem({8, 8}, mixed_sides(2), Coefficients::variable, 7);
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    EXPECT_NO_THROW(discretise<float>(problem, cells, false, 0.0, OperatorStorage::in_parts));
    for (double &a : problem.only_field().a.values) {
        a *= 1.0e39;
    }
    EXPECT_THROW(discretise<float>(problem, cells, false, 0.0, OperatorStorage::in_parts), Failure);
    EXPECT_NO_THROW(discretise<double>(problem, cells, false, 0.0, OperatorStorage::in_parts));
}

}  // namespace
}  // namespace perdure::tests::operator_in_parts_test
