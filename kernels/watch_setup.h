/* What a run that is watched is told (kernels/watch.h), and what it remembers; one layout for host and devices. */
#ifndef PERDURE_KERNELS_WATCH_SETUP_H
#define PERDURE_KERNELS_WATCH_SETUP_H

#include "sync/dialect.h"

typedef struct {
    uint32
        columns; /* of a row of the series: time, step, integrals, values at probes; 0: nothing is watched */
    uint32 rows; /* that the series has room for */
    uint32 reductions, integrals, probed;
    uint32 passes;      /* over the cells, each for up to MAX_SUMS reductions */
    uint32 formulas;    /* at points */
    uint32 stops;       /* 1: the run may be asked to stop */
    uint32 every_steps; /* 0: in intervals of time */
    uint32 pad;
    double every; /* interval of time */
} watch_setup_t;

/* What the values of all cells become. */
enum { REDUCE_SUM = 0, REDUCE_MIN, REDUCE_MAX };

/* What is made of one or two reductions: of `first` by
 *   SCALED    factor first
 *   RATIO     first / second
 *   ROOT      sqrt(factor first)
 *   EXTREME   first; NaN where second, a number of cells, is 0 */
enum { INTEGRAL_SCALED = 0, INTEGRAL_RATIO, INTEGRAL_ROOT, INTEGRAL_EXTREME };

typedef struct {
    uint32 operation;
    uint32 first, second; /* reductions */
    uint32 pad;
    double factor;
} watch_integral_t;

/* A formula at a point: along each axis the value in a cell and its upper neighbour, with weights 1 - weight and weight. An axis of one
 * cell has weight 0. */
typedef struct {
    uint32 formula;
    uint32 cell[3], above[3];
    uint32 pad;
    double weight[3];
} watch_probe_t;

/* Instructions that host threads interpret: of each pass, then of each formula at points, then whether to stop. */
typedef struct {
    uint32 begin, end;
} watch_program_t;

/* Two copies: a step reads that of its number's parity and writes the other. */
typedef struct {
    uint32 rows;      /* written */
    uint32 step;      /* of the last row */
    double next_time; /* from which the next step is watched, where rows are apart in time */
} watch_state_t;

#endif
