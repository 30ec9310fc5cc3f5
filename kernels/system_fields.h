/* The fields of kernels/system.h. */
#ifndef PERDURE_KERNELS_SYSTEM_FIELDS_H
#define PERDURE_KERNELS_SYSTEM_FIELDS_H

#include "kernels/fields.h"
#include "kernels/system_setup.h"
#include "kernels/watch_setup.h"

/* reductions      [reductions]: REDUCE_..
 * integrals       [integrals]
 * probes          [probed]
 * watch_programs  [passes + formulas + 1]: host threads
 * watch_state     [2]
 * watch_partials  [reductions][chunks], then [reductions]
 * series          [rows][columns] */
#define WATCH_FIELDS(F)                              \
    F(watch_setup_t, watch, INPUT, GIVEN)            \
    F(uint32, reductions, INPUT, GIVEN)              \
    F(watch_integral_t, integrals, INPUT, GIVEN)     \
    F(watch_probe_t, probes, INPUT, GIVEN)           \
    F(watch_program_t, watch_programs, INPUT, GIVEN) \
    F(watch_state_t, watch_state, SCRATCH, GIVEN)    \
    F(sum_t, watch_partials, SCRATCH, GIVEN)         \
    F(double, series, SCRATCH, GIVEN)

/* What formulas need, and of runs that are watched what kernels/watch.h needs:
 *
 * numbers       [parameters]
 * sides         [fields][6]
 * roles         [fields]
 * coefficients  [coefficients][cells]
 * instructions  the row program and those of the sides: host threads
 * registers     [groups][registers][LANES]: host threads */
#define FORMULA_FIELDS(F)                               \
    F(system_setup_t, setup, INPUT, GIVEN)              \
    F(double, numbers, INPUT, GIVEN)                    \
    F(system_side_t, sides, INPUT, GIVEN)               \
    F(uint32, roles, INPUT, GIVEN)                      \
    F(real_t, coefficients, INPUT, GIVEN)               \
    F(system_instruction_t, instructions, INPUT, GIVEN) \
    F(real_t, registers, SCRATCH, GIVEN)                \
    WATCH_FIELDS(F)

/* u             [fields][cells]
 * stage_values  [fields][cells], two copies; nothing where a step keeps no rates
 * rates         [rates kept][fields][cells]
 * sizes         [step_capacity]: of the steps made, where the run chooses them */
#define SYSTEM_OWN_FIELDS(F)                        \
    FORMULA_FIELDS(F)                               \
    F(real_t, u, ANSWER_COPIES, FIELDS)             \
    F(real_t, stage_values, SCRATCH_COPIES, STAGES) \
    F(real_t, rates, SCRATCH, RATES)                \
    F(double, sizes, SCRATCH, GIVEN)

/* Of kernels that are given their steps. */
#define SEGMENTED_SYSTEM_FIELDS(F) \
    SYSTEM_OWN_FIELDS(F)           \
    SEGMENT_FIELDS(F)

/* Of those that choose them, and of those whose steps are solves. */
#define MARKED_SYSTEM_FIELDS(F) \
    SYSTEM_OWN_FIELDS(F)        \
    MARKED_SEGMENT_FIELDS(F)

#endif
