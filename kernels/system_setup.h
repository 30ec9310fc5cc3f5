/* What a run of a system of equations is told beside its parameters; one layout for host and devices. */
#ifndef PERDURE_KERNELS_SYSTEM_SETUP_H
#define PERDURE_KERNELS_SYSTEM_SETUP_H

#include "kernels/system_instruction.h"

#define MOST_STAGES 8u
#define MOST_SYSTEM_REGISTERS 1024u
#define MOST_STEP_SIZES 262144u /* that a run keeps which chooses them */

/* What a field is in a step, where its method treats fields in different ways (solver/systems/roles.hpp): below ROLE_MOVES the field of
 * `added` that a stage adds to it. */
#define ROLE_MOVES 0xfffffffeu /* leapfrog: a position */
#define ROLE_NONE 0xffffffffu  /* all others */

/* Kinds of sides: what the two cells on both sides of a face have to do with `values` there (kernels/system_sides.h). */
enum { SYSTEM_SIDE_FLUX = 0, SYSTEM_SIDE_VALUE, SYSTEM_SIDE_EXCHANGE, SYSTEM_SIDE_PERIODIC };

/* Programs of kernels/newton.h on host threads: of the rates that b takes, of rates and diagonal, of derivatives. */
enum { SYSTEM_PROGRAM_KNOWN = 0, SYSTEM_PROGRAM_RESIDUAL, SYSTEM_PROGRAM_SLOPES, SYSTEM_PROGRAMS };

/* Of a step that kernels/newton.h makes. */
typedef struct {
    double rate;                /* tau */
    double now, before;         /* of u(n), u(n-1) in b */
    double known, known_before; /* of E(u(n)), E(u(n-1)) in b */
} newton_weights_t;

/* Which of the instructions. */
typedef struct {
    uint32 first, count;
} system_program_t;

typedef struct {
    uint32 fields, stages;
    uint32 registers;    /* of the row program */
    uint32 instructions; /* of the row program */
    uint32 start_step;   /* the first step of this segment, which begins at start_time */
    uint32 error_order;  /* kernels/step_control.h: of the estimated error, as a power of the step */
    double start_time;
    /* kernels/step_control.h */
    double end_of_run;
    double first_step; /* given by the case; 0: to be found */
    double rtol, atol;
    double courant;                      /* kernels/courant_runge_kutta.h */
    uint32 first_of_waves, wave_program; /* of the instructions, and how many: host threads */
    uint32 pause_step, pad;              /* kernels/step_control.h: the launch ends behind it at the latest */
    double origin[3], spacing[3];
    /* An explicit Runge-Kutta method: stage s is at time t + node[s] dt, and what it makes, the values of stage s + 1 or of the next
     * step, is u + dt sum_j weight[s][j] rate_j over j <= s. */
    double node[MOST_STAGES];
    double weight[MOST_STAGES][MOST_STAGES];
    /* An implicit step: kernels/newton.h. */
    system_program_t programs[SYSTEM_PROGRAMS];
    uint32 linear;    /* 1: what is implicit is linear in all fields */
    uint32 remembers; /* 1: u(n-1) */
    uint32 divides;   /* 1: R and E differ, and E(u(n-1)) is remembered too */
    uint32 pad_of_weights;
    newton_weights_t weights[2]; /* of the first step of this segment, of the others */
} system_setup_t;

/* Where in the list of instructions those of a field's side stand; its kind. */
typedef struct {
    uint32 kind;
    uint32 begin, end;
} system_side_t;

#endif
