/* Kernels that hold a field in shared memory: HEAT_HELD(name, field); field::hold says whether it had room for the terms there
 * are. Where it has none, and where sources change from step to step, phases make the steps. */
#ifndef PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_ON_CHIP_KERNELS_H

#include "kernels/resident/held_2d.h"

#define MUST_HAVE_ROOM(chip_t)               \
    if (chip_bytes() < sizeof(chip_t)) {     \
        __trap(); /* the plan is at fault */ \
    }
template <typename Chip>
FUNCTION sum_t *lanes_of_checks(Chip *chip) {
    return chip->lanes;
}
#define HELD_ON_CHIP_KERNEL(...) __global__ __launch_bounds__(__VA_ARGS__::items, __VA_ARGS__::groups_of_unit)

#define HEAT_HELD(name, ...)                                                                            \
    HELD_ON_CHIP_KERNEL(__VA_ARGS__)                                                                    \
    void name(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state,         \
              sum_t *partials, double *history, const real_t *diagonal, const real_t *inverse_diagonal, \
              const real_t *face_x, const real_t *face_y, const real_t *face_z, const real_t *b,        \
              real_t *u_even, real_t *u_odd, const real_t *factor_table, word_t *words) {               \
        typedef __VA_ARGS__ field_t;                                                                    \
        MUST_HAVE_ROOM(field_t::chip_t)                                                                 \
        SHARED_BYTES(on_chip);                                                                          \
        auto *chip = reinterpret_cast<field_t::chip_t *>(on_chip);                                      \
        __shared__ uint32 verdict;                                                                      \
        const heat_t self = {                                                                           \
            {&parameters, control, sync, state, partials, history, lanes_of_checks(chip), &verdict},    \
            {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},               \
            {u_even, u_odd},                                                                            \
            b,                                                                                          \
            factor_table};                                                                              \
        if (parameters.factors != 0u || !field_t::hold(&self, words, chip)) {                           \
            RUN_PHASES(self.run, heat_phase(&self, phase));                                             \
        }                                                                                               \
    }

#define JACOBI_HELD(name, ...)                                                                          \
    HELD_ON_CHIP_KERNEL(__VA_ARGS__)                                                                    \
    void name(PARAMETERS parameters, control_t *control, grid_sync_t *sync, run_state_t *state,         \
              sum_t *partials, double *history, const real_t *diagonal, const real_t *inverse_diagonal, \
              const real_t *face_x, const real_t *face_y, const real_t *face_z, const real_t *b,        \
              real_t *u_even, real_t *u_odd, const real_t *, const real_t *, const real_t *,            \
              word_t *words) {                                                                          \
        typedef __VA_ARGS__ field_t;                                                                    \
        MUST_HAVE_ROOM(field_t::chip_t)                                                                 \
        SHARED_BYTES(on_chip);                                                                          \
        auto *chip = reinterpret_cast<field_t::chip_t *>(on_chip);                                      \
        __shared__ uint32 verdict;                                                                      \
        const jacobi_t self = {                                                                         \
            {&parameters, control, sync, state, partials, history, lanes_of_checks(chip), &verdict},    \
            {diagonal, inverse_diagonal, face_x, face_y, face_z, face_x, face_y, face_z},               \
            {u_even, u_odd},                                                                            \
            b};                                                                                         \
        if (!field_t::hold(&self, words, chip)) {                                                       \
            RUN_PHASES(self.run, jacobi_phase(&self, phase));                                           \
        }                                                                                               \
    }

#endif
