/* The operations that formulas of a system consist of, and one of them as host threads interpret it, row by row of cells
 * (kernels/system_rows.h); GPUs run what is printed from the same graph (solver/systems/print.hpp).
 *
 * X(name, arguments): a value for each cell from so many others. Truth is 1, falsehood 0, and all but 0 is true. */
#ifndef PERDURE_KERNELS_SYSTEM_INSTRUCTION_H
#define PERDURE_KERNELS_SYSTEM_INSTRUCTION_H

#include "sync/dialect.h"

/* NUMBER        the number itself
 * PARAMETER     number `index` of the run
 * FIELD         field `index` of the system, in the cell at an offset
 * COEFFICIENT   coefficient `index` of the system, which does not change, in the cell at an offset
 * COORDINATE    x, y or z, by `index`, of the centre of the cell at an offset
 * TIME          of the stage
 * RANDOM        in [0, 1), of seed `index` and the cell at an offset
 * NOISE         a normal number / sqrt(dt), of seed `index`, the cell at an offset and the step
 * FUSED_PRODUCT a b + c, rounded once
 * ARC_TANGENT_2 the angle of the point (b, a), as C's atan2(a, b)
 * SELECT        b where a is true, else c
 * RATE          what stores a as du/dt of field `index` */
#define SYSTEM_OPERATIONS(X)         \
    X(NUMBER, 0)                     \
    X(PARAMETER, 0)                  \
    X(FIELD, 0)                      \
    X(COEFFICIENT, 0)                \
    X(COORDINATE, 0)                 \
    X(TIME, 0)                       \
    X(RANDOM, 0)                     \
    X(NOISE, 0)                      \
    X(ADD, 2)                        \
    X(SUBTRACT, 2)                   \
    X(MULTIPLY, 2)                   \
    X(DIVIDE, 2)                     \
    X(FUSED_PRODUCT, 3)              \
    X(NEGATE, 1)                     \
    X(ABSOLUTE, 1)                   \
    X(MINIMUM, 2)                    \
    X(MAXIMUM, 2)                    \
    X(SQUARE_ROOT, 1)                \
    X(FLOOR, 1)                      \
    X(EXPONENTIAL, 1)                \
    X(LOGARITHM, 1)                  \
    X(LOGARITHM_2, 1)                \
    X(LOGARITHM_10, 1)               \
    X(SINE, 1)                       \
    X(COSINE, 1)                     \
    X(TANGENT, 1)                    \
    X(ARC_SINE, 1)                   \
    X(ARC_COSINE, 1)                 \
    X(ARC_TANGENT, 1)                \
    X(ARC_TANGENT_2, 2)              \
    X(HYPERBOLIC_SINE, 1)            \
    X(HYPERBOLIC_COSINE, 1)          \
    X(HYPERBOLIC_TANGENT, 1)         \
    X(INVERSE_HYPERBOLIC_SINE, 1)    \
    X(INVERSE_HYPERBOLIC_COSINE, 1)  \
    X(INVERSE_HYPERBOLIC_TANGENT, 1) \
    X(ERROR_FUNCTION, 1)             \
    X(POWER, 2)                      \
    X(LESS, 2)                       \
    X(LESS_OR_EQUAL, 2)              \
    X(EQUAL, 2)                      \
    X(AND, 2)                        \
    X(OR, 2)                         \
    X(NOT, 1)                        \
    X(SELECT, 3)                     \
    X(RATE, 1)

#define SYSTEM_ENUMERATOR(name, arguments) SYSTEM_##name,
enum { SYSTEM_OPERATIONS(SYSTEM_ENUMERATOR) SYSTEM_OPERATION_COUNT };

typedef struct {
    uint32 operation;    /* SYSTEM_... */
    uint32 target;       /* register that takes the value */
    uint32 arguments[3]; /* registers */
    uint32 index;
    int32 offset[3]; /* cells along x, y, z */
    uint32 pad;
    double number;
} system_instruction_t;

#endif
