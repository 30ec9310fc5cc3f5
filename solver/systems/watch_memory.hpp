// The device memory of watched values: kernels/watch.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/watch_setup.h"
#include "solver/backends/backend.hpp"
#include "solver/systems/watch.hpp"

namespace perdure::systems {

/// Buffers of WATCH_FIELDS in kernels/system_fields.h; empty where nothing is watched.
class WatchMemory {
  public:
    explicit WatchMemory(std::shared_ptr<const Watch> watch);

    /// Of host threads, which interpret.
    void set_programs(std::vector<watch_program_t> programs) { programs_ = std::move(programs); }

    /// Once the run is known: the rows of the series follow from its steps and its end. Throws Failure(case_or_usage) where the series
    /// would be larger than `most_series_bytes`. Where the steps are not known, there is room for some rows, which the host takes
    /// whenever it is full.
    void make_room(std::int64_t steps, bool steps_are_known, double duration, std::uint32_t chunks);

    /// They point into this object.
    [[nodiscard]] std::vector<KernelBuffer> buffers() const;
    [[nodiscard]] const watch_setup_t &setup() const { return setup_; }
    /// Null where nothing is watched.
    [[nodiscard]] const Watch *watch() const { return watch_.get(); }

  private:
    std::shared_ptr<const Watch> watch_;
    watch_setup_t setup_{};
    std::uint32_t chunks_ = 0;
    std::vector<std::uint32_t> reductions_;
    std::vector<watch_integral_t> integrals_;
    std::vector<watch_program_t> programs_;
};

inline constexpr std::int64_t most_series_bytes = std::int64_t{1} << 30;
inline constexpr std::int64_t series_bytes_of_chosen_steps = std::int64_t{1} << 22;

}  // namespace perdure::systems
