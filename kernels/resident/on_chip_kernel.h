/* The kernel of a field in shared memory. It falls back to per-phase stepping if the coefficients are not of its kind, if sources
 * change from step to step, or if there are terms that it has no room for. */
#ifndef PERDURE_KERNELS_RESIDENT_ON_CHIP_KERNEL_H
#define PERDURE_KERNELS_RESIDENT_ON_CHIP_KERNEL_H

#include "kernels/resident/on_chip_kernels_2d.h"
#include "kernels/resident/resident_fields.h"

template <typename Field>
__global__ __launch_bounds__(Field::items, Field::groups_of_unit) void on_chip_steps(
    KERNEL_ARGUMENTS(ON_CHIP_STEPS_FIELDS)) {
    typedef typename Field::chip_t chip_t;
    typedef typename Field::physics_t physics_t;
    if (chip_bytes() < sizeof(chip_t)) {
        __trap(); /* the plan asks for too little: a fault */
    }
    SHARED_BYTES(on_chip);
    auto *chip = reinterpret_cast<chip_t *>(on_chip);
    __shared__ uint32 verdict;
    WITH_SELF(
        physics_t, chip->lanes_of_checks(),
        if (parameters.factors != 0u || !Field::run_field(&self, messages, chip)) {
            const uint32 begin = physics_t::begin(self.run.state);
            RUN_PHASES(self.run, physics_t::phase(&self, phase - begin));
        })
}

#endif
