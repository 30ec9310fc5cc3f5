#include "tests/resident/emulated_cuda.hpp"

#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <thread>

#define DELAY_HERE() perdure::tests::delay_at_random()
namespace perdure::tests {
void delay_at_random();
}

#include "kernels/common.h"
#include "kernels/resident/async_copy.h"
#include "kernels/resident/cg_box.h"
#include "kernels/resident/cg_front.h"
#include "kernels/resident/cg_sums.h"
#include "kernels/resident/list.h"
#include "tests/resident/emulated_cg_device.hpp"

namespace perdure::tests {

/// One call in 64 of a group waits up to 0.1 ms, one in 4096 2 ms.
void delay_at_random() {
    thread_local std::minstd_rand random{emulated::group->index + 1U};
    if (!emulated_delays) {
        return;
    }
    const auto drawn = random();
    if (drawn % 64 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(drawn / 64 % 100));
    }
    if (drawn % 4096 == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

#define PERDURE_PROGRAM "kernels/resident/cg_program.h"
#include "solver/backends/both_precisions.hpp"

namespace streamed {
#define PERDURE_PROGRAM "kernels/resident/cg_streamed_program.h"
#include "solver/backends/both_precisions.hpp"
}  // namespace streamed

namespace {

template <typename Real>
using Kernel = void (*)(const run_parameters_t, control_t *, grid_sync_t *, run_state_t *, double *, double *,
                        const Real *, const Real *, const Real *, const Real *, const Real *, const Real *,
                        Real *, Real *, Real *, Real *, Real *, const cg_plan_t *, epoch_word_t *,
                        typename word_of<Real>::type *);

/// With words at the end, which streamed kernels do not have.
template <typename Real, auto Streamed>
void without_words(const run_parameters_t parameters, control_t *control, grid_sync_t *sync,
                   run_state_t *state, double *partials, double *history, const Real *diagonal,
                   const Real *inverse, const Real *face_x, const Real *face_y, const Real *face_z,
                   const Real *b, Real *x, Real *r, Real *q, Real *p_even, Real *p_odd, const cg_plan_t *plan,
                   epoch_word_t *rows, typename word_of<Real>::type *) {
    Streamed(parameters, control, sync, state, partials, history, diagonal, inverse, face_x, face_y, face_z,
             b, x, r, q, p_even, p_odd, plan, rows);
}

#define PERDURE_ENTRY(kernel, dimensions, uniform, column)              \
    if (name == #kernel) {                                              \
        return &PERDURE_FORM::cg_resident<dimensions, uniform, column>; \
    }
#define PERDURE_STREAMED_ENTRY(kernel, dimensions, uniform, columns, rows, items)                           \
    if (name == #kernel) {                                                                                  \
        return &without_words<                                                                              \
            PERDURE_REAL, &streamed::PERDURE_FORM::cg_streamed<dimensions, uniform, columns, rows, items>>; \
    }
#define PERDURE_FORM float32
#define PERDURE_REAL float
Kernel<float> kernel_of(const std::string &name, float) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}
#undef PERDURE_FORM
#undef PERDURE_REAL
#define PERDURE_FORM float64
#define PERDURE_REAL double
Kernel<double> kernel_of(const std::string &name, double) {
    PERDURE_RESIDENT_CG_KERNELS(PERDURE_ENTRY)
    PERDURE_STREAMED_CG_KERNELS(PERDURE_STREAMED_ENTRY)
    return nullptr;
}

#undef PERDURE_FORM
#undef PERDURE_REAL
#undef PERDURE_ENTRY
#undef PERDURE_STREAMED_ENTRY

class EmulatedRun final : public DeviceRun {
  public:
    EmulatedRun(const KernelCall &call, LaunchShape shape) : call_(call), shape_(shape) {
        for (const KernelBuffer &buffer : call.buffers) {
            memory_.emplace_back(buffer.bytes / sizeof(Line) + 1);
            if (buffer.initial != nullptr) {
                std::memcpy(memory_.back().data(), buffer.initial, buffer.bytes);
            }
        }
    }
    void launch(const run_parameters_t &parameters, bool) override {
        if (call_.precision == Precision::float32) {
            launch_as<float>(parameters);
        } else {
            launch_as<double>(parameters);
        }
    }
    bool finished(std::chrono::milliseconds) override { return true; }
    double launch_seconds() override { return std::numeric_limits<double>::quiet_NaN(); }
    void read(std::size_t buffer, void *to, std::size_t bytes, std::size_t offset) override {
        std::memcpy(to, at<char>(buffer) + offset, bytes);
    }
    void write(std::size_t buffer, const void *from, std::size_t bytes, std::size_t offset) override {
        std::memcpy(at<char>(buffer) + offset, from, bytes);
    }
    control_t *control() override { return at<control_t>(0); }

  private:
    struct alignas(128) Line {
        unsigned char bytes[128];
    };

    template <typename Type>
    Type *at(std::size_t buffer) {
        return reinterpret_cast<Type *>(memory_.at(buffer).data());
    }

    template <typename Real>
    void launch_as(const run_parameters_t &parameters) {
        const Kernel<Real> kernel = kernel_of(call_.kernel, Real{});
        const auto item = [&] {
            kernel(parameters, at<control_t>(0), at<grid_sync_t>(1), at<run_state_t>(2), at<double>(3),
                   at<double>(4), at<Real>(5), at<Real>(6), at<Real>(7), at<Real>(8), at<Real>(9),
                   at<Real>(10), at<Real>(11), at<Real>(12), at<Real>(13), at<Real>(14), at<Real>(15),
                   at<cg_plan_t>(16), at<epoch_word_t>(17),
                   memory_.size() > 18 ? at<typename word_of<Real>::type>(18) : nullptr);
        };
        std::vector<std::thread> groups;
        for (int index = 0; index < shape_.groups; ++index) {
            groups.emplace_back([&, index] {
                emulated::run_group(static_cast<std::uint32_t>(index),
                                    static_cast<std::uint32_t>(shape_.groups),
                                    static_cast<std::size_t>(shape_.group_size), shape_.shared_bytes, item);
            });
        }
        for (std::thread &group : groups) {
            group.join();
        }
    }

    KernelCall call_;
    LaunchShape shape_;
    std::vector<std::vector<Line>> memory_;
};

class EmulatedDevice final : public Device {
  public:
    EmulatedDevice(int groups, std::int64_t shared_bytes) {
        description_.name = "emulated CUDA device";
        description_.memory_bytes = description_.free_bytes = description_.largest_allocation = std::size_t{1}
                                                                                                << 32;
        description_.compute_units = groups;
        description_.shared_control = true;
        description_.no_resident.clear();
        description_.registers_per_unit = 65536;
        description_.items_per_unit = 2048;
        description_.shared_bytes_per_group = shared_bytes;
    }
    [[nodiscard]] const DeviceDescription &description() const override { return description_; }
    [[nodiscard]] int default_group_size() const override { return 1; }
    [[nodiscard]] int largest_group_size(const std::string &, Precision) override { return 512; }
    [[nodiscard]] int resident_groups(const std::string &, Precision, int) override {
        return description_.compute_units;
    }
    [[nodiscard]] int most_groups(const std::string &, Precision, int) override {
        return description_.compute_units;
    }
    [[nodiscard]] double wait_units_per_second() override { return 1.0e9; }
    std::unique_ptr<DeviceRun> prepare(const KernelCall &call, LaunchShape shape) override {
        return std::make_unique<EmulatedRun>(call, shape);
    }

  private:
    DeviceDescription description_;
};

}  // namespace

std::unique_ptr<Device> emulated_cg_device(int groups, std::int64_t shared_bytes) {
    return std::make_unique<EmulatedDevice>(groups, shared_bytes);
}

}  // namespace perdure::tests
