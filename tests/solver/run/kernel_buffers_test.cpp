// The buffers of a kernel, and what of them a rank holds.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "solver/run/kernel_buffers.hpp"

namespace perdure::kernel_buffers_test {
namespace {

using Ranges = std::vector<ByteRange>;

constexpr std::array fields{KernelField{"history", FieldRole::scratch, FieldSize::given},
                            KernelField{"diagonal", FieldRole::input, FieldSize::coefficient},
                            KernelField{"face_z", FieldRole::input, FieldSize::coefficient_3d},
                            KernelField{"labels", FieldRole::input, FieldSize::bytes},
                            KernelField{"b", FieldRole::input, FieldSize::cells},
                            KernelField{"capacity", FieldRole::input, FieldSize::given},
                            KernelField{"u", FieldRole::answer_copies, FieldSize::fields},
                            KernelField{"rates", FieldRole::scratch, FieldSize::rates}};
constexpr std::size_t cells = 120;
const std::vector<CellRange> held{{0, 12}, {60, 36}};

const KernelBuffer &find(const std::vector<KernelBuffer> &buffers, const std::string &name) {
    return *std::find_if(buffers.begin(), buffers.end(),
                         [&](const KernelBuffer &buffer) { return buffer.name == name; });
}

std::vector<KernelBuffer> buffers_of(bool varied, std::vector<CellRange> of_rank) {
    const std::vector<KernelBuffer> given{{"history", 960},     {"diagonal", varied ? cells * 8 : 64 * 8},
                                          {"face_z", 8},        {"labels", cells},
                                          {"b", 2 * cells * 8}, {"capacity", cells * 8}};
    return kernel_buffers(fields, given,
                          {.cells_bytes = cells * 8,
                           .value_bytes = 8,
                           .varied = varied,
                           .fields = 2,
                           .rates = 2,
                           .held = std::move(of_rank)});
}

TEST(KernelBuffers, ARankHoldsItsPartOfEachArray) {
    const std::vector<KernelBuffer> buffers = buffers_of(true, held);
    EXPECT_EQ(find(buffers, "diagonal").held, (Ranges{{0, 96}, {480, 288}}));
    EXPECT_EQ(find(buffers, "labels").held, (Ranges{{0, 12}, {60, 36}}));
    EXPECT_EQ(find(buffers, "capacity").held, (Ranges{{0, 96}, {480, 288}}));
    const Ranges of_two{{0, 96}, {480, 288}, {960, 96}, {1440, 288}};
    for (const char *const name : {"b", "u_even", "u_odd"}) {
        EXPECT_EQ(find(buffers, name).held, of_two) << name;
    }
    EXPECT_EQ(held_bytes(find(buffers, "rates")), 4 * (96 + 288));
    EXPECT_EQ(find(buffers, "rates").bytes, 4 * cells * 8);
}

/// What has a number of values of its own, though it be that of cells: 960 bytes of history are 120 numbers.
TEST(KernelBuffers, ARankHoldsTheRestAsAWhole) {
    const std::vector<KernelBuffer> varied = buffers_of(true, held), uniform = buffers_of(false, held);
    EXPECT_TRUE(find(varied, "history").held.empty());
    EXPECT_TRUE(find(varied, "face_z").held.empty());
    EXPECT_TRUE(find(uniform, "diagonal").held.empty());
    for (const KernelBuffer &buffer : buffers_of(true, {})) {
        EXPECT_TRUE(buffer.held.empty()) << buffer.name;
    }
}

}  // namespace
}  // namespace perdure::kernel_buffers_test
