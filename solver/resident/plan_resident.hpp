// Plans resident kernels: the kernel for a case, its shape and its expected cost.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/resident/cg_plan.h"
#include "solver/case_file/config.hpp"
#include "solver/methods/kernel_fields.hpp"

namespace perdure {

/// What a device offers to one launch of resident kernels.
struct ResidentDevice {
    int units = 0;                        // multiprocessors
    std::int64_t registers_per_unit = 0;  // of 32 bits
    std::int64_t items_per_unit = 0;
    std::int64_t shared_bytes_per_group = 0;
    std::string missing;  // why it cannot run resident kernels, as the rest of a sentence; empty: it can
};

/// Where a resident kernel keeps its data between two synchronisations.
enum class ResidentRegime {
    through_memory,  // fields pass through memory: once in several steps (temporally blocked) or once in an iteration (streamed)
    field_on_chip,  // explicit stepping, with the whole field in registers and shared memory for the length of a launch
    vectors_on_chip  // conjugate gradients, with their vectors in registers and shared memory
};
template <>
inline constexpr std::array enum_names<ResidentRegime>{
    NamedValue{ResidentRegime::through_memory, "through memory"},
    NamedValue{ResidentRegime::field_on_chip, "field on chip"},
    NamedValue{ResidentRegime::vectors_on_chip, "vectors on chip"}};

struct ResidentPlan {
    std::string kernel;                   // empty: none; `refused` says why
    std::string refused;                  // the reason, as the rest of a sentence
    std::string definitions;              // that the kernel is compiled with
    std::span<const KernelField> fields;  // of the kernel
    ResidentRegime regime = ResidentRegime::through_memory;
    int groups = 0;
    int group_size = 0;
    std::int64_t shared_bytes = 0;  // of a group
    int depth = 0;                  // most steps between two synchronisations
    int warps_of_tile = 0;          // through memory only: warps of a pipeline
    int fields_read = 1;            // through memory only: values read per inner cell and pass
    // Own cells of a group (on chip) or of a pipeline (through memory).
    std::int64_t tile_columns = 0;
    std::int64_t tile_rows = 0;
    std::int64_t tile_planes = 0;      // 3D only; approximate
    bool conjugate_gradients = false;  // on chip in boxes, or streamed; `cg` has the details
    bool is_one_launch = false;        // its whole run; else launches may be bounded
    cg_plan_t cg{};
    std::int64_t message_bytes = 0;   // of the buffer for messages between groups
    std::int64_t resident_bytes = 0;  // of fields that stay on the chip between steps
    double step_seconds = 0.0;        // of one step or iteration on an H100; 0: no prediction
    double redundancy = 0.0;          // cells computed per cell of the grid
};

/// Plans a run. The plan depends only on the case and on the device; nothing is measured or allocated.
ResidentPlan plan_resident(const Config &config, const ResidentDevice &device);

/// Plans explicit stepping: the field stays on the chip or, temporally blocked, passes through memory once in several steps.
ResidentPlan plan_stepping(const Config &config, const ResidentDevice &device);

/// Describes the launch shape of `plan` in a key: plans with equal keys run the same kernel in the same way, or none.
std::string fingerprint(const ResidentPlan &plan);

/// Compares the expected with the measured time of a step; empty if there is no expectation.
std::string compare_with_prediction(const ResidentPlan &plan, double seconds, std::int64_t steps);

/// "through memory, 0 bytes of u on the chip, tiles of 112 x 288 cells per pipeline of 4 warps, ..."
std::string describe(const ResidentPlan &plan);

}  // namespace perdure
