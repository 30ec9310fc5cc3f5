// Which resident kernel a case takes, in which shape, and what it is expected to cost.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/resident/cg_plan.h"
#include "solver/case_file/config.hpp"
#include "solver/methods/kernel_fields.hpp"

namespace perdure {

/// What a device offers one launch of resident kernels.
struct ResidentDevice {
    int units = 0;                        // multiprocessors
    std::int64_t registers_per_unit = 0;  // of 32 bits
    std::int64_t items_per_unit = 0;
    std::int64_t shared_bytes_per_group = 0;
    std::string missing;  // why it runs no resident kernels, as the rest of a sentence; empty: it does
};

/// held: the whole field in registers for the length of a launch. streamed: through memory, several steps or one iteration of
/// conjugate gradients a pass. on_chip: conjugate gradients with their vectors in registers and shared memory.
enum class ResidentRegime { streamed, held, on_chip };
template <>
inline constexpr std::array enum_names<ResidentRegime>{NamedValue{ResidentRegime::streamed, "streamed"},
                                                       NamedValue{ResidentRegime::held, "held"},
                                                       NamedValue{ResidentRegime::on_chip, "on the chip"}};

struct ResidentPlan {
    std::string kernel;                   // empty: none, for the reason in `refused`
    std::string refused;                  // the rest of a sentence
    std::span<const KernelField> fields;  // of the kernel
    ResidentRegime regime = ResidentRegime::streamed;
    int groups = 0;
    int group_size = 0;
    std::int64_t shared_bytes = 0;  // a group
    int depth = 0;                  // most steps between two synchronisations
    int warps_of_tile = 0;          // streamed
    int fields_read = 1;            // streamed, of an inner cell in a pass
    // Of one group (held) or so many warps (streamed), without what its neighbours compute too.
    std::int64_t tile_columns = 0;
    std::int64_t tile_rows = 0;
    std::int64_t tile_planes = 0;      // in three dimensions, as near as that goes
    bool conjugate_gradients = false;  // in boxes on the chip, or streamed, as `cg` says
    bool is_one_launch = false;        // its whole run; else launches may be bounded
    cg_plan_t cg{};
    std::int64_t word_bytes = 0;      // of the buffer that cells at the edges of tiles pass through
    std::int64_t resident_bytes = 0;  // of fields, on the chip between steps
    double step_seconds = 0.0;        // of one step or iteration as an H100 would take it; 0: not predicted
    double redundancy = 0.0;          // cells computed per cell of the grid
};

/// Decides by the case and what the device offers alone: nothing is measured, nothing allocated.
ResidentPlan plan_resident(const Config &config, const ResidentDevice &device);

/// Of methods that step every cell by its own residual: fields held on the chip, or several steps in a pass through memory.
ResidentPlan plan_stepping(const Config &config, const ResidentDevice &device);

/// What `plan` says of a launch's shape, for keys: equal where the same kernel runs in the same way, or none.
std::string fingerprint(const ResidentPlan &plan);

/// The time of a step that was expected beside the one that it took; empty: nothing was expected.
std::string compare_with_prediction(const ResidentPlan &plan, double seconds, std::int64_t steps);

/// "streamed, tiles of 112 x 288 cells a relay of 4 warps, 8 steps a pass, 1.19 cells computed for one"
std::string describe(const ResidentPlan &plan);

}  // namespace perdure
