/* The kernel of a field in shared memory. Where coefficients are not those that it is for, sources change from step to step, or
 * there are terms that it has no room for, phases make the steps. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H

#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/resident_fields.h"

template <typename Chip>
FUNCTION sum_t *lanes_of_checks(Chip *chip) {
    return chip->lanes;
}
template <typename Field>
__global__ __launch_bounds__(Field::items,
                             Field::groups_of_unit) void held(KERNEL_ARGUMENTS(HELD_STEPS_FIELDS)) {
    typedef typename Field::chip_t chip_t;
    typedef typename Field::physics_t physics_t;
    if (chip_bytes() < sizeof(chip_t)) {
        __trap(); /* the plan is at fault */
    }
    SHARED_BYTES(on_chip);
    auto *chip = reinterpret_cast<chip_t *>(on_chip);
    __shared__ uint32 verdict;
    WITH_SELF(
        physics_t, lanes_of_checks(chip), if (parameters.factors != 0u || !Field::hold(&self, words, chip)) {
            const uint32 begin = physics_t::begin(self.run.state);
            RUN_PHASES(self.run, physics_t::phase(&self, phase - begin));
        })
}

#endif
