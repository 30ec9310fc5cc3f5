/* The text that kernels/system_printed.h expects before it, of a system of one field: du/dt = -u, u = 1 at both ends of the x axis.
 * tools/check_headers compiles with it the headers that GPUs compile for a system. */
#ifndef PERDURE_TESTS_KERNELS_PRINTED_SYSTEM_H
#define PERDURE_TESTS_KERNELS_PRINTED_SYSTEM_H

#define SYSTEM_FIELDS 1
#define SYSTEM_STAGES 1u
#define SYSTEM_NUMBERS 1u
#define SYSTEM_REACH_X 0u
#define SYSTEM_REACH_Y 0u
#define SYSTEM_REACH_Z 0u
#define SYSTEM_RESULTS 2
#define SYSTEM_KNOWN_RESULTS 1u
#define SYSTEM_OPEN_X 1u
#define SYSTEM_OPEN_Y 0u
#define SYSTEM_OPEN_Z 0u
#define SYSTEM_ROLE(field) ROLE_NONE
#define SYSTEM_RATES VALUE_RATE(0, VALUE_NEGATE(VALUE_FIELD(0u, 0, 0, 0)))
#define SYSTEM_REUSED 1u
#define SYSTEM_DIMENSIONS 2u
#define SYSTEM_FIRST_VALUES VALUE_TO_REUSE(0, VALUE_FIELD(0u, 0, 0, 0))
#define SYSTEM_REUSING_RATES VALUE_RATE(0, VALUE_NEGATE(VALUE_REUSED(0))) VALUE_TO_REUSE(0, VALUE_NUMBER(1.0))
#define SYSTEM_WAVES VALUE_WAVE(VALUE_NUMBER(1.0))
#define SYSTEM_X_SIDES                 \
    case 0:                            \
    case 1:                            \
        SIDE_VALUES(VALUE_NUMBER(1.0)) \
        break;
#define SYSTEM_Y_SIDES
#define SYSTEM_Z_SIDES
/* kernels/resident/system_rows_2d.h */
#define SYSTEM_TILE_WARPS 2
#define SYSTEM_TILE_BAND 4
#define SYSTEM_TILE_STEPS 2

#endif
