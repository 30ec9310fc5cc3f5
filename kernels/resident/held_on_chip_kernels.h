/* Kernels that hold a field in shared memory; Field::hold says whether it had room for the terms there are. Where it has none, and where sources change from step to step, phases make the steps. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H

#include "kernels/resident/held_2d.h"
#include "kernels/resident/resident_fields.h"

#define MUST_HAVE_ROOM(chip_t)               \
    if (chip_bytes() < sizeof(chip_t)) {     \
        __trap(); /* the plan is at fault */ \
    }
template <typename Chip>
FUNCTION sum_t *lanes_of_checks(Chip *chip) {
    return chip->lanes;
}
template <typename Field>
__global__ __launch_bounds__(Field::items,
                             Field::groups_of_unit) void heat_held(KERNEL_ARGUMENTS(HEAT_HELD_FIELDS)) {
    typedef typename Field::chip_t chip_t;
    MUST_HAVE_ROOM(chip_t)
    SHARED_BYTES(on_chip);
    auto *chip = reinterpret_cast<chip_t *>(on_chip);
    __shared__ uint32 verdict;
    const heat_t self = {RUN_VALUES(lanes_of_checks(chip)), SYMMETRIC_OPERATOR, HEAT_OWN_FIELDS(FIELD_VALUE)};
    if (parameters.factors != 0u || !Field::hold(&self, words, chip)) {
        RUN_PHASES(self.run, heat_phase(&self, phase));
    }
}

template <typename Field>
__global__ __launch_bounds__(Field::items,
                             Field::groups_of_unit) void jacobi_held(KERNEL_ARGUMENTS(JACOBI_HELD_FIELDS)) {
    typedef typename Field::chip_t chip_t;
    MUST_HAVE_ROOM(chip_t)
    SHARED_BYTES(on_chip);
    auto *chip = reinterpret_cast<chip_t *>(on_chip);
    __shared__ uint32 verdict;
    const jacobi_t self = {RUN_VALUES(lanes_of_checks(chip)), SYMMETRIC_OPERATOR,
                           JACOBI_OWN_FIELDS(FIELD_VALUE)};
    if (!Field::hold(&self, words, chip)) {
        RUN_PHASES(self.run, jacobi_phase(&self, phase));
    }
}

#endif
