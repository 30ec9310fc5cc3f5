/* Kernels that hold a field in shared memory: HEAT_HELD(name, field); field::hold says whether it had room for the terms there
 * are. Where it has none, and where sources change from step to step, phases make the steps. */
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
#define HELD_ON_CHIP_KERNEL(...) __global__ __launch_bounds__(__VA_ARGS__::items, __VA_ARGS__::groups_of_unit)

#define HEAT_HELD(name, ...)                                                        \
    HELD_ON_CHIP_KERNEL(__VA_ARGS__)                                                \
    void name(KERNEL_ARGUMENTS(HEAT_HELD_FIELDS)) {                                 \
        typedef __VA_ARGS__ field_t;                                                \
        MUST_HAVE_ROOM(field_t::chip_t)                                             \
        SHARED_BYTES(on_chip);                                                      \
        auto *chip = reinterpret_cast<field_t::chip_t *>(on_chip);                  \
        __shared__ uint32 verdict;                                                  \
        const heat_t self = {RUN_VALUES(lanes_of_checks(chip)), SYMMETRIC_OPERATOR, \
                             HEAT_OWN_FIELDS(FIELD_VALUE)};                         \
        if (parameters.factors != 0u || !field_t::hold(&self, words, chip)) {       \
            RUN_PHASES(self.run, heat_phase(&self, phase));                         \
        }                                                                           \
    }

#define JACOBI_HELD(name, ...)                                                        \
    HELD_ON_CHIP_KERNEL(__VA_ARGS__)                                                  \
    void name(KERNEL_ARGUMENTS(JACOBI_HELD_FIELDS)) {                                 \
        typedef __VA_ARGS__ field_t;                                                  \
        MUST_HAVE_ROOM(field_t::chip_t)                                               \
        SHARED_BYTES(on_chip);                                                        \
        auto *chip = reinterpret_cast<field_t::chip_t *>(on_chip);                    \
        __shared__ uint32 verdict;                                                    \
        const jacobi_t self = {RUN_VALUES(lanes_of_checks(chip)), SYMMETRIC_OPERATOR, \
                               JACOBI_OWN_FIELDS(FIELD_VALUE)};                       \
        if (!field_t::hold(&self, words, chip)) {                                     \
            RUN_PHASES(self.run, jacobi_phase(&self, phase));                         \
        }                                                                             \
    }

#endif
