// Every reduction of sync/ on every back end: array_reduce_check.h and barrier_reduce_check.h of
// kernels/experiments.
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/experiments/check_words.h"
#include "sync/barrier_reduce.h"
#include "sync/grid_arg_max.h"
#include "tests/sync/launch_check.hpp"

namespace perdure::tests::reductions_on_devices_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Less than the lanes of a group, a chunk and one more, an odd number of chunks and a rest.
constexpr std::array<std::uint32_t, 5> lengths{3, 257, REDUCE_CHUNK + 1, 3 * REDUCE_CHUNK, 100'003};

testing::AssertionResult same(double found, double expected) {
    if (is_same_double(found, expected)) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure()
           << found << " (bits " << std::bit_cast<std::uint64_t>(found) << ") is not " << expected;
}

/// Values of both signs whose sum depends on the order of addition.
std::vector<double> uneven(std::size_t count, unsigned seed) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::sin(0.7 * static_cast<double>(i * (seed + 1) + seed)) * std::pow(10.0, i % 7);
    }
    return values;
}

double combine(std::uint32_t operation, double a, double b) {
    switch (operation) {
        case REDUCE_MIN:
            return std::isnan(a) || std::isnan(b) ? nan : std::min(a, b);
        case REDUCE_MAX:
            return std::isnan(a) || std::isnan(b) ? nan : std::max(a, b);
        default:
            return a + b;
    }
}
double identity(std::uint32_t operation) {
    return operation == REDUCE_MIN ? infinity : operation == REDUCE_MAX ? -infinity : -0.0;
}

/// Lane l of `width` takes l, l + width, ...; lanes are combined pairwise.
double by_lanes(std::uint32_t operation, const std::vector<double> &values, std::size_t width) {
    std::vector<double> lanes(width, identity(operation));
    for (std::size_t i = 0; i < values.size(); ++i) {
        lanes[i % width] = combine(operation, lanes[i % width], values[i]);
    }
    for (std::size_t stride = width / 2; stride > 0; stride /= 2) {
        for (std::size_t lane = 0; lane < stride; ++lane) {
            lanes[lane] = combine(operation, lanes[lane], lanes[lane + stride]);
        }
    }
    return lanes[0];
}

double by_chunks(std::uint32_t operation, const std::vector<double> &values) {
    std::vector<double> partials;
    for (std::size_t first = 0; first < values.size(); first += REDUCE_CHUNK) {
        const std::size_t end = std::min<std::size_t>(values.size(), first + REDUCE_CHUNK);
        partials.push_back(by_lanes(
            operation, {values.begin() + static_cast<long>(first), values.begin() + static_cast<long>(end)},
            LANES));
    }
    return by_lanes(operation, partials, LANES);
}

run_parameters_t parameters_of(std::uint32_t operation, std::size_t elements) {
    run_parameters_t parameters{};
    parameters.variant = operation;
    parameters.elements = static_cast<std::uint32_t>(elements);
    return parameters;
}

constexpr std::array<std::uint32_t, 4> operations{REDUCE_SUM, REDUCE_MIN, REDUCE_MAX, REDUCE_DOT};

/// In a launch, and in another one on the same memory without the last element.
void expect_reduction(Device &device, const std::string &kernel, LaunchShape shape, std::uint32_t operation,
                      const std::vector<double> &array) {
    const std::vector<double> other = uneven(array.size(), 5);
    std::vector<double> values = array;
    for (std::size_t i = 0; operation == REDUCE_DOT && i < values.size(); ++i) {
        values[i] *= other[i];
    }
    Launched launched(device, kernel, shape, parameters_of(operation, array.size()),
                      {filled("array", array),
                       filled("other", other),
                       {"partials", sizeof(double) * reduce_chunks(array.size()), nullptr},
                       {"result", sizeof(double), nullptr}});
    EXPECT_TRUE(same(launched.read<double>(3, 1)[0], by_chunks(operation, values)))
        << "operation " << operation << ", " << values.size() << " elements";
    values.pop_back();
    launched.launch(parameters_of(operation, values.size()));
    EXPECT_TRUE(same(launched.read<double>(3, 1)[0], by_chunks(operation, values)))
        << "operation " << operation << ", " << values.size() << " elements, second launch";
}

/// The largest element or the first NaN.
std::size_t first_largest(const std::vector<double> &values) {
    const auto not_a_number =
        std::find_if(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    return static_cast<std::size_t>(
        (not_a_number != values.end() ? not_a_number : std::max_element(values.begin(), values.end())) -
        values.begin());
}

void expect_arg_max(Device &device, const std::string &kernel, LaunchShape shape,
                    std::vector<double> values) {
    const std::uint64_t chunks = reduce_chunks(values.size());
    Launched launched(device, kernel, shape, parameters_of(REDUCE_MAX, values.size()),
                      {filled("array", values),
                       {"partials", sizeof(double) * chunks, nullptr},
                       {"partial_indices", sizeof(std::uint64_t) * chunks, nullptr},
                       {"result", sizeof(double), nullptr},
                       {"index", sizeof(std::uint64_t), nullptr}});
    for (int launch = 0; launch < 2; ++launch) {
        const std::size_t expected = first_largest(values);
        EXPECT_EQ(launched.read<std::uint64_t>(4, 1)[0], expected) << values.size() << " elements";
        EXPECT_TRUE(same(launched.read<double>(3, 1)[0], values[expected]));
        values.pop_back();
        launched.launch(parameters_of(REDUCE_MAX, values.size()));
    }
}

class ReductionsOnDevices : public OnEachBackEnd {
  protected:
    template <typename Check>
    void in_every_shape(const std::string &kernel, int most, const Check &check) {
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const LaunchShape &shape : shapes_to_try(*device, kernel, most)) {
                SCOPED_TRACE(testing::Message() << device->description().name << ", " << kernel << ", "
                                                << shape.groups << " groups of " << shape.group_size);
                check(*device, shape);
            }
        }
    }
};

TEST_P(ReductionsOnDevices, ArraysGiveTheBitsOfTheFixedTree) {
    for (const char *const kernel : {"array_reduce_check", "array_reduce_check_fence"}) {
        in_every_shape(kernel, 64, [&](Device &device, LaunchShape shape) {
            for (const std::uint32_t operation : operations) {
                for (const std::uint32_t length : lengths) {
                    expect_reduction(device, kernel, shape, operation, uneven(length, operation));
                }
                std::vector<double> with_nan = uneven(9001, 1);
                with_nan[8200] = nan;
                expect_reduction(device, kernel, shape, operation, with_nan);
                expect_reduction(device, kernel, shape, operation, std::vector<double>(300, -0.0));
                expect_reduction(device, kernel, shape, operation, {infinity, 1.0, -infinity, -0.0, 2.0});
            }
        });
    }
}

TEST_P(ReductionsOnDevices, TheFirstLargestElementIsFound) {
    for (const char *const kernel : {"arg_max_check", "arg_max_check_fence"}) {
        in_every_shape(kernel, 64, [&](Device &device, LaunchShape shape) {
            for (const std::uint32_t length : lengths) {
                expect_arg_max(device, kernel, shape, uneven(length, 2));
            }
            std::vector<double> twice = uneven(50'001, 3);
            twice[17'000] = twice[49'000] = 1.0e9;
            expect_arg_max(device, kernel, shape, twice);
            twice[40'000] = twice[49'999] = nan;
            expect_arg_max(device, kernel, shape, twice);
            expect_arg_max(device, kernel, shape, {-0.0, 0.0, -0.0});
            expect_arg_max(device, kernel, shape, std::vector<double>(5000, -infinity));
        });
    }
}

/// What the groups give in each round, one row after the other, and the totals.
struct Given {
    std::vector<double> values;
    std::vector<double> expected;

    void add(std::uint32_t operation, const std::vector<double> &row) {
        values.insert(values.end(), row.begin(), row.end());
        expected.push_back(by_lanes(operation, row, REDUCE_LANES));
    }
};

Given given_by(std::uint32_t operation, std::size_t groups) {
    Given given;
    for (unsigned round = 0; round < 20; ++round) {
        std::vector<double> row = uneven(groups, round);
        if (round % 4 == 1) {
            row[round % groups] = nan;
        } else if (round % 4 == 2) {
            row.assign(groups, -0.0);
        } else if (round % 4 == 3) {
            row[groups - 1] = operation == REDUCE_MIN ? -infinity : infinity;
        }
        given.add(operation, row);
    }
    return given;
}

Launched launch_fused(Device &device, LaunchShape shape, std::uint32_t kind, std::uint32_t operation,
                      std::uint32_t missing, double long_limit) {
    const Given given = given_by(operation, static_cast<std::size_t>(shape.groups));
    const auto groups = static_cast<std::uint32_t>(shape.groups);
    run_parameters_t parameters{};
    parameters.variant = operation;
    parameters.barrier = kind;
    parameters.rounds = static_cast<std::uint32_t>(given.expected.size());
    parameters.delay = missing;
    return {device,
            "barrier_reduce_check",
            shape,
            parameters,
            {{"rows", reduce_rows_bytes(groups), nullptr},
             filled("values", given.values),
             filled("expected", given.expected),
             {"told", sizeof(std::uint32_t) * 2 * groups, nullptr},
             {"passed", sizeof(std::uint32_t) * groups, nullptr}},
            long_limit};
}

TEST_P(ReductionsOnDevices, BarriersBringTheTotalToEveryItem) {
    in_every_shape("barrier_reduce_check", 200, [](Device &device, LaunchShape shape) {
        const std::uint32_t groups = static_cast<std::uint32_t>(shape.groups);
        for (const std::uint32_t kind : {BARRIER_GROUP_LEADER, BARRIER_LOCK_FREE, BARRIER_TREE}) {
            for (const std::uint32_t operation : {REDUCE_SUM, REDUCE_MIN, REDUCE_MAX}) {
                Launched launched = launch_fused(device, shape, kind, operation, NO_GROUP, 10.0);
                EXPECT_EQ(launched.sync.abandoned, 0U);
                EXPECT_EQ(launched.state.control.wrong, 0U)
                    << "wrong totals, barrier " << kind << ", operation " << operation;
                EXPECT_EQ(launched.read<std::uint32_t>(4, groups), std::vector<std::uint32_t>(groups, 20));
            }
        }
    });
}

TEST_P(ReductionsOnDevices, ABarrierWithAGroupMissingIsGivenUp) {
    in_every_shape("barrier_reduce_check", 200, [](Device &device, LaunchShape shape) {
        const std::uint32_t groups = static_cast<std::uint32_t>(shape.groups);
        for (const std::uint32_t kind : {BARRIER_GROUP_LEADER, BARRIER_LOCK_FREE, BARRIER_TREE}) {
            if (groups > 1) {
                Launched launched = launch_fused(device, shape, kind, REDUCE_SUM, groups / 2, 0.1);
                EXPECT_EQ(launched.sync.abandoned, 1U) << "barrier " << kind;
                EXPECT_EQ(launched.sync.waiting_phase, 1U);
                EXPECT_EQ(launched.state.control.wrong, 0U);
                EXPECT_EQ(launched.read<std::uint32_t>(4, groups), std::vector<std::uint32_t>(groups, 0));
            }
        }
    });
}

PERDURE_ON_EACH_BACK_END(ReductionsOnDevices);

}  // namespace
}  // namespace perdure::tests::reductions_on_devices_test
