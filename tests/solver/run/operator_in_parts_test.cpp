#include "solver/run/operator_in_parts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

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

/// One problem kept as a whole, the same given away in parts.
template <typename Real>
void expect_the_same(const Problem &problem, int parts) {
    const std::vector<ActiveCells> cells = find_active_cells(problem);
    const auto whole = discretise<Real>(problem, cells);
    const auto in_parts = discretise<Real>(problem, cells, false, 0.0, OperatorStorage::in_parts);
    ASSERT_FALSE(whole.front().in_parts);
    ASSERT_TRUE(in_parts.front().in_parts);
    EXPECT_TRUE(in_parts.front().diagonal.empty());
    EXPECT_EQ(in_parts.front().spectrum_top, whole.front().spectrum_top);
    EXPECT_EQ(in_parts.front().stable_time_step, whole.front().stable_time_step);
    EXPECT_EQ(in_parts.front().b, whole.front().b);
    EXPECT_EQ(scale_to_float32(in_parts.front()), scale_to_float32(whole.front()));

    const std::size_t bytes = static_cast<std::size_t>(problem.grid.count()) * sizeof(Real);
    std::map<std::string, const LargeVector<Real> *> expected{
        {"diagonal", &whole.front().diagonal},
        {"inverse_diagonal", &whole.front().inverse_diagonal},
        {"face_x", &whole.front().face[0]},
        {"face_y", &whole.front().face[1]}};
    if (problem.grid.dimensions == 3) {
        expected["face_z"] = &whole.front().face[2];
    }
    KernelCall call;
    for (const auto &[name, values] : expected) {
        call.buffers.push_back({.name = name, .bytes = bytes, .as_it_stands = true});
    }
    call.buffers.push_back({.name = "p", .bytes = bytes});
    for (const bool unpreconditioned : {false, true}) {
        Written run(call);
        write_in_parts<Real>({problem.grid, problem.fields.front(), cells.front(), 0.0, unpreconditioned, ""},
                             call, run);
        EXPECT_EQ(run.writes, parts * static_cast<int>(expected.size()));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            LargeVector<Real> values(static_cast<std::size_t>(problem.grid.count()));
            run.read(i, values.data(), bytes, 0);
            LargeVector<Real> right = *expected.at(call.buffers[i].name);
            if (unpreconditioned && call.buffers[i].name == "inverse_diagonal") {
                for (Real &value : right) {
                    value = value != Real(0) ? Real(1) : Real(0);
                }
            }
            EXPECT_TRUE(values == right) << call.buffers[i].name;
        }
    }
}

TEST(OperatorInParts, HasTheBitsOfTheWhole) {
    const std::int64_t rows = 2 * values_of_part / 128 + 5;  // two parts, and one of 5 rows
    for (const Coefficients coefficients : {Coefficients::variable, Coefficients::microstructure}) {
        const Problem plane = random_problem({rows, 128}, mixed_sides(2), coefficients, 3);
        expect_the_same<double>(plane, 3);
        expect_the_same<float>(plane, 3);
        expect_the_same<double>(random_problem({7, 6, 5}, mixed_sides(3), coefficients, 4), 1);
    }
}

TEST(OperatorInParts, UniformOnesAndThoseWithAVelocityAreKept) {
    for (const Problem &problem :
         {random_problem({8, 8}, mixed_sides(2), Coefficients::uniform, 5),
          with_velocity(random_problem({8, 8}, mixed_sides(2), Coefficients::variable, 5),
                        Convection::central, 1.0, 6)}) {
        const auto kept =
            discretise<double>(problem, find_active_cells(problem), false, 0.0, OperatorStorage::in_parts);
        EXPECT_FALSE(kept.front().in_parts);
        EXPECT_FALSE(kept.front().diagonal.empty());
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
