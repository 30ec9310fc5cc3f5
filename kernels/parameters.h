/* Everything a launch is told by value, and the state that a run keeps in device memory between phases and
 * launches. One layout for host and devices: 4- and 8-byte members in order, no pointers. */
#ifndef PERDURE_KERNELS_PARAMETERS_H
#define PERDURE_KERNELS_PARAMETERS_H

#include "sync/host_ring.h"

/* Division of a cell index (< 2^31) by a constant: (multiply_high(2 i, multiplier) >> shift), exact. */
typedef struct {
    uint32 divisor;
    uint32 multiplier;
    uint32 shift;
    uint32 pad;
} divider_t;

/* The part of the whole grid that a launch works on. Its fields hold its own cells and, at each side where it has a neighbour,
 * a layer of ghosts: copies of that neighbour's cells (kernels/ghost_layers.h). */
typedef struct {
    uint32 offset[3];     /* of its first own cell in the whole grid: x, y, z */
    uint32 extent[3];     /* own cells */
    uint32 neighbours[6]; /* subdomains at x-, x+, y-, y+, z-, z+, or NO_NEIGHBOUR */
    uint32 rank;          /* its own number */
    uint32 layer;         /* cells in the largest layer of ghosts of any subdomain */
} subdomain_t;

enum { NORM_L2 = 0, NORM_MAX = 1 };

/* Steps from one snapshot to the next, of one size but for the last, which ends on the snapshot. */
typedef struct {
    uint32 first_step, last_step;
    double start_time;
    double time_step, last_time_step;
} segment_t;

typedef struct {
    /* grid */
    uint32 cells;
    uint32 nx, ny, nz;
    uint32 dimensions;
    uint32 periodic_x, periodic_y, periodic_z;
    divider_t row;          /* nx */
    divider_t layer;        /* nx * ny */
    uint32 uniform;         /* 1: constants of the operator instead of fields */
    uint32 varied_capacity; /* 1: c of c du/dt is a field, else 1 */
    /* fixed chunks of cells that partial sums belong to, and sections of them (kernels/chunks.h): a function of the grid alone */
    uint32 chunks, boxes;
    uint32 sections, section_boxes;
    uint32 log2_lanes_x; /* of the LANES cells of a row of a box, how many lie along x */
    uint32 box_rows;
    divider_t box_line;  /* boxes along x */
    divider_t box_layer; /* boxes along x and y */
    divider_t section_chunks;
    subdomain_t subdomain;
    /* phases of this launch: first_phase .. first_phase + phase_count - 1, fewer when the run stops */
    uint32 first_phase, phase_count;
    uint32 in_graph; /* 1: a node of a graph; first_phase counts from the state's graph_phase */
    /* iteration */
    uint32 norm;
    uint32 max_iterations, check_every;
    uint32 stop_request; /* 1: stop at the next check */
    uint32 history_capacity;
    double weight;
    double rtol, atol;
    double epsilon; /* of real_t */
    /* a uniform operator (kernels/operator.h): conductances by direction as a cell sees them, and the diagonal and its
     * inverse in a cell that is at no side */
    double inner_conductance[7];
    double inner_diagonal, inner_inverse_diagonal;
    double spectrum_top; /* chebyshev: no eigenvalue of D^-1 A is larger */
    /* in time, of the segment that the launch begins in */
    double time_step, last_time_step;
    uint32 last_step;
    /* implicit steps: kernels/implicit_step.h */
    uint32 subtracts_operator, remembers;
    uint32 extrapolates,
        first_alike; /* 1: first guesses are extrapolated; since which step the operator is the same */
    double source_weight, now_weight, before_weight;
    uint32 factors;       /* time-dependent right-hand sides */
    uint32 factor_first;  /* step that the first row of the factor table belongs to */
    uint32 barrier;       /* BARRIER_... of sync/grid_barrier.h */
    uint32 rounds;        /* barrier self-test and experiments */
    uint32 variant;       /* experiments: which form */
    uint32 elements;      /* experiments: how much data */
    uint32 delay;         /* occupancy discovery, of wait_clock(): how long newcomers are waited for */
    uint32 convective;    /* 1: the operator has a velocity, so a face looks different from its two sides */
    uint32 prefetch;      /* so many fields of one phase; 0: the device's cache holds all */
    uint32 from_zero;     /* 1: the first solve starts from u = 0 */
    uint32 first_segment; /* the same of the table of segments: its number */
    uint32
        ring_slots; /* 0: the launch ends with its segment; else snapshots between segments go into so many slots */
    uint32 steps_of_row; /* from row to row of what is watched (kernels/watch.h); 0: they are apart in time */
    uint32 time_parts;   /* 1: host threads tell where their time goes (kernels/part_times.h) */
    uint64 wait_limit;   /* of wait_clock(), without progress */
} run_parameters_t;

/* Why a run stopped; values are those of perdure::StopReason. */
enum {
    STOP_NONE = 0,
    STOP_RTOL,
    STOP_ATOL,
    STOP_COMPLETE,
    STOP_ITERATION_LIMIT,
    STOP_ACCURACY_LIMIT,
    STOP_DIVERGED,
    STOP_NOT_FINITE,
    STOP_BREAKDOWN,
    STOP_STAGNATED,
    STOP_REQUESTED,
    STOP_ASKED, /* by what is watched: kernels/watch.h */
    STOP_STEP_TOO_SMALL = 13,
    STOP_AT_SNAPSHOT = 100, /* of a run that chooses its steps: it goes on in another launch */
    STOP_SERIES_FULL        /* of one that is watched: the same, once the host has taken the rows */
};

#define NO_CELL 0xffffffffu

/* What the program of a run consists of: kernels/program.h. */
enum { STOP_RUN = 0, NEXT_STEP, RUN_SOLVE, RUN_PHASE };
#define MOST_INSTRUCTIONS 10u

typedef struct {
    uint32 operation;
    uint32 operand;
} instruction_t;

/* What a run has whatever it consists of. Words that every phase reads stand together: the last ones of the run and the
 * first of the solve. */
typedef struct {
    /* graphs: written between batches of phases alone, by advance_graph or the host */
    uint32 graph_phase; /* first phase of the batch */
    uint32 graph_end;   /* phases from here on do nothing */
    uint32 graph_seen;  /* `phases` at the start of the batch */
    uint32 history_length;
    int64 slack;     /* ordered bits of the smallest slack of this check */
    uint32 bad_cell; /* smallest cell that is not finite, or NO_CELL */
    uint32 wrong;    /* self-tests, benchmarks: wrong values */
    uint32 answer;   /* which of two copies holds the answer */
    uint32 phases;   /* that group 0 has run */
    /* kernels/program.h: the instruction, and what runs now, RUN_SOLVE or RUN_PHASE + k */
    uint32 instruction, now;
    uint32 begin; /* the phase at place 0 of the list of phases that runs now */
    uint32 stop;  /* STOP_... */
} run_control_t;

/* kernels/chebyshev_decide.h */
typedef struct {
    double upper; /* M */
    double gamma, sigma_squared;
    double rho[2];     /* of the even and of the odd iteration */
    double first_size; /* of the pseudo-residual in iteration `first` */
    uint32 first;      /* iteration of the polynomial */
    uint32 pad;
} chebyshev_state_t;

/* What one solve of  A x = b  has. */
typedef struct {
    uint32 parity;    /* which copy of the ping-pong fields is current */
    uint32 iteration; /* completed */
    double gamma, alpha, beta;
    double omega;   /* bicgstab */
    uint32 outcome; /* STOP_... */
    uint32 earlier; /* iterations of the solves before it */
    uint32 begun;   /* 1: a residual is known */
    uint32 pending; /* the reason to stop once the true residual is known */
    uint32 tolerance_known;
    uint32 replacements;   /* of the residual */
    uint32 breakdowns;     /* bicgstab: after each other, without a smaller residual */
    uint32 late_checks;    /* resident cg: after each other */
    uint32 best_iteration; /* check that saw best_residual */
    uint32 turn;           /* cg_multigrid: which of three vectors is r */
    double right_hand_side_norm;
    double tolerance;
    double residual; /* true residual at the last check that computed it */
    double recursive_residual;
    double initial_residual;
    double best_residual;
    double accuracy_floor;
    double replaced_residual; /* true residual at the last replacement */
    double scale[2];          /* cg_multigrid in mixed precision: what its cycle has each copy of r times */
    chebyshev_state_t chebyshev;
} solve_state_t;

/* What a run in time has. */
typedef struct {
    uint32 step;  /* completed, at the last check where a step is a phase */
    uint32 begin; /* the phase of step 0, where a step is a phase */
    double t, dt; /* of programs with NEXT_STEP, and where steps are chosen: reached, and to be tried next */
    double largest;   /* |u| at the last check, where a step is a phase */
    double ring_wait; /* s that the run has waited for a slot of the ring, where the device has a clock */
    /* where a step is a solve */
    uint32 solves;          /* 1: it is */
    uint32 most_iterations; /* of a step */
    uint32 rounded_steps;   /* whose residual rounding kept from its tolerance */
    uint32 segment;         /* of the table, in which the run is; its last step, and when it is over */
    uint32 segment_last_step;
    uint32 extrapolated; /* the first guess of this solve: over so many steps (kernels/implicit_step.h) */
    double segment_end;
    double change; /* the norm of what b changes by in this step, where A stays the same */
} time_state_t;

/* kernels/step_control.h */
typedef struct {
    int64 largest[2];     /* ordered bits of what this phase looks for */
    double size_before;   /* the norm of the fields at the start, while the first step is looked for */
    double first;         /* a first guess of the first step */
    double error_before;  /* of the last step that was accepted */
    double sought;        /* the step is made once more, to find the cell of this error; 0: none is sought */
    uint32 rejected;      /* steps so far */
    uint32 just_rejected; /* 1: the last one was */
    uint32 bad_field;     /* of the cell that was sought */
    uint32 segment;       /* of the table, in which the run is */
} steps_state_t;

/* kernels/newton_decide.h */
typedef struct {
    uint32 corrections; /* of this step */
    uint32 total, most; /* of the steps before it; in a step */
    uint32 solves;      /* linear ones of the run */
    uint32 broken;      /* 1: the linear solve cannot go on */
    uint32 pad;
    double norm;             /* ||F|| that the correction began with */
    double length;           /* the part of the correction that the iterate has */
    double change;           /* what it is to take of it next */
    double linear_tolerance; /* of its residual */
} newton_state_t;

typedef struct {
    run_control_t control;
    solve_state_t solve;
    time_state_t time;
    steps_state_t steps;
    instruction_t program[MOST_INSTRUCTIONS];
    newton_state_t newton;
} run_state_t;

/* Shared with the host while a kernel runs, where the device can. */
typedef struct {
    uint32 stop_request; /* host -> kernel */
    uint32 pad;
    host_ring_t ring; /* of snapshots: kernels/snapshot_ring.h */
    uint64 iteration; /* kernel -> host */
    uint64 residual;  /* bits of a double */
    uint64 tolerance; /* bits of a double */
} control_t;

#endif
