// What is copied to a device and back in parts is what it was.
#include <cstring>
#include <numeric>

#include "solver/run/run_memory.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::tests::large_copies_test {
namespace {

class LargeCopies : public OnEachBackEnd {};

TEST_P(LargeCopies, ComeBackAsTheyWere) {
    constexpr std::size_t bytes =
        (std::size_t{259} << 20U) + 24;  // copied by several threads, the last part short
    constexpr std::size_t offset = 4096, small = 40;
    std::vector<std::uint64_t> numbers(bytes / sizeof(std::uint64_t));
    std::iota(numbers.begin(), numbers.end(), 0x9e3779b97f4a7c15U);
    Case test_case;
    test_case.problem = random_problem({8, 9}, mixed_sides(2), Coefficients::variable, 21);
    for (const std::unique_ptr<Device> &device : devices()) {
        if (device->description().backend == BackendChoice::opencl) {
            GTEST_SKIP() << "its kernels take no buffer that they do not know";
        }
        const PreparedCase prepared = prepare(test_case, *device);
        RunMemory<double> memory(
            prepared.config, prepared.problem.grid, prepared.problem.only_field(), prepared.cells.front(),
            prepared.plan,
            discretise<double>(prepared.problem.grid, prepared.problem.only_field(), prepared.cells.front()),
            {});
        KernelCall call = memory.call();
        call.buffers.push_back({"numbers", offset + bytes});
        const std::size_t place = call.buffers.size() - 1;
        const std::unique_ptr<DeviceRun> run = device->prepare(call, prepared.plan.shape);
        run->write(place, numbers.data(), bytes, offset);
        std::vector<std::uint64_t> found(numbers.size());
        run->read(place, found.data(), bytes, offset);
        EXPECT_EQ(std::memcmp(found.data(), numbers.data(), bytes), 0);
        run->read(place, found.data(), small, offset + bytes - small);
        EXPECT_EQ(std::memcmp(found.data(), numbers.data() + numbers.size() - small / 8, small), 0);
    }
}

PERDURE_ON_EACH_BACK_END(LargeCopies);

}  // namespace
}  // namespace perdure::tests::large_copies_test
