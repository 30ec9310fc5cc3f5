/* What a run does: a program of instructions, each a phase, a solve or what is done between phases.
 *
 *   RUN_PHASE k   phase k of the kernel, until end_phase
 *   RUN_SOLVE p   a solve, beginning at place p of its list of phases, until end_solve says how it ended
 *   NEXT_STEP i   t = t + dt, or behind the last step of a segment its end, step = step + 1; on at instruction i while steps are left
 *   STOP_RUN r    the run ends for reason r, or 0: with the outcome of the last solve
 *
 *   steady   0 RUN_SOLVE 0 | 1 STOP_RUN 0
 *   in time  0 RUN_PHASE 0 | 1 RUN_SOLVE 0 | 2 NEXT_STEP 3      with the setup of levels in the first solve alone
 *            3 RUN_PHASE 0 | 4 RUN_SOLVE p | 5 NEXT_STEP 3 | 6 STOP_RUN complete, or of a run that is watched a phase before it
 *
 * A list of phases: those of cg are an enumeration, those of multigrid are listed by the host
 * (kernels/multigrid/hierarchy.h). A phase is at place `phase - begin` of its list, and the next one at the place after that
 * unless a decision jumps: go_on_at moves `begin`. So a jump costs one store, and a phase that nobody decides on none.
 *
 * Instructions between phases cost no barrier: whoever decides on a phase carries out all that follow it up to the next
 * phase. A solve that failed ends the run, whatever its program says; of steps that are solves one that rounding alone keeps from its
 * tolerance has not failed.
 *
 *   publishes     begin, now, instruction, stop, and the states of the next solve and step
 *   observed by   all groups in the next phase
 *   edge          that of the synchronisation between two phases
 *   called by     item 0 of the last group, once for a phase */
#ifndef PERDURE_KERNELS_PROGRAM_H
#define PERDURE_KERNELS_PROGRAM_H

#include "kernels/history.h"
#include "kernels/run.h"

/* Phases that are no part of a solve: the one that begins a step; the one after the last step of a watched run; the first of
 * kernels/newton.h; and the one of kernels/implicit_step.h that makes the first guess of a solve. */
enum { BEGIN_STEP = 0, END_OF_STEPS, FIRST_ITERATE, FIRST_GUESS };

FUNCTION uint32 place_of(const run_t *run, uint32 phase) {
    return phase - run->state->control.begin;
}

/* Behind the phase at `place` follows the one at `next`. */
FUNCTION void go_on_at(const run_t *run, uint32 place, uint32 next) {
    run->state->control.begin += place + 1u - next;
}

/* The norm of b, from which the tolerance follows; with b = 0 it waits for the initial residual. */
FUNCTION void know_right_hand_side(GLOBAL solve_state_t *solve, const run_parameters_t *parameters,
                                   double norm) {
    solve->right_hand_side_norm = norm;
    if (norm > 0.0) {
        solve->tolerance = larger(parameters->rtol * norm, parameters->atol);
        solve->tolerance_known = 1u;
    }
}

/* Another solve: all but the copies that its fields are in and what chebyshev knows of A. */
FUNCTION void begin_solve(GLOBAL solve_state_t *solve) {
    solve->earlier += solve->iteration;
    solve->iteration = 0u;
    solve->begun = 0u;
    solve->outcome = STOP_NONE;
    solve->pending = STOP_NONE;
    solve->tolerance_known = 0u;
    solve->replacements = 0u;
    solve->breakdowns = 0u;
    solve->late_checks = 0u;
    solve->best_iteration = 0u;
    solve->best_residual = INFINITY;
    solve->initial_residual = 0.0;
    solve->gamma = solve->alpha = solve->beta = solve->omega = 0.0;
}

/* Before the first phase, phase 0: the state is at instruction 0, which is a phase or a solve. */
FUNCTION void begin_program(GLOBAL run_state_t *state) {
    const uint32 operation = state->program[0].operation, operand = state->program[0].operand;
    state->control.now = operation == RUN_PHASE ? RUN_PHASE + operand : operation;
    state->control.begin = operation == RUN_PHASE ? 0u : 0u - operand;
}

/* A step that is a solve is done: 1 where the run stops with it. */
FUNCTION uint32 end_solved_step(const run_t *run) {
    GLOBAL run_state_t *state = run->state;
    state->time.most_iterations = state->time.most_iterations > state->solve.iteration
                                      ? state->time.most_iterations
                                      : state->solve.iteration;
    add_to_history(run, state->time.step, state->solve.residual, 0u);
    show_progress(run, state->time.step, state->solve.residual);
    if (state->time.step > run->parameters->last_step || !is_asked_to_stop(run)) {
        return 0u; /* what ends by itself is not stopped */
    }
    state->control.stop = STOP_REQUESTED;
    return 1u;
}

/* Behind the phase at `place` follows instruction `at`. */
FUNCTION void go_to_instruction(const run_t *run, uint32 place, uint32 at) {
    GLOBAL run_state_t *state = run->state;
    while (state->program[at].operation == NEXT_STEP) {
        const uint32 ends = state->time.step == state->time.segment_last_step ? 1u : 0u;
        state->time.t = ends ? state->time.segment_end : state->time.t + state->time.dt;
        state->time.step += 1u;
        if (state->time.solves && end_solved_step(run)) {
            return;
        }
        at = state->time.step <= run->parameters->last_step ? state->program[at].operand : at + 1u;
    }
    const uint32 operation = state->program[at].operation, operand = state->program[at].operand;
    if (operation == STOP_RUN) {
        state->control.stop = operand != STOP_NONE ? operand : state->solve.outcome;
        return;
    }
    if (operation == RUN_SOLVE) {
        begin_solve(&state->solve);
    }
    state->control.instruction = at;
    state->control.now = operation == RUN_PHASE ? RUN_PHASE + operand : operation;
    go_on_at(run, place, operation == RUN_SOLVE ? operand : 0u);
}

/* Whether this phase begins a step, and with it another segment than that in which the launch began. */
FUNCTION uint32 begins_segment(GLOBAL const run_state_t *state) {
    return state->control.now - RUN_PHASE == BEGIN_STEP && state->time.step > state->time.segment_last_step
               ? 1u
               : 0u;
}

/* At the end of such a phase. */
FUNCTION void begin_segment(GLOBAL run_state_t *state, GLOBAL const segment_t *segments) {
    if (begins_segment(state)) {
        state->time.segment += 1u;
        state->time.segment_last_step = segments[state->time.segment].last_step;
        state->time.segment_end = segments[state->time.segment + 1u].start_time;
    }
}

/* A phase of the program is done. */
FUNCTION void end_phase(const run_t *run, uint32 place) {
    go_to_instruction(run, place, run->state->control.instruction + 1u);
}

/* Of a solve, at `place` of its list: its outcome or, where it goes on, STOP_NONE. */
FUNCTION void end_solve(const run_t *run, uint32 place, uint32 outcome) {
    GLOBAL run_state_t *state = run->state;
    if (outcome == STOP_NONE) {
        return;
    }
    const uint32 rounded = state->time.solves && outcome == STOP_ACCURACY_LIMIT ? 1u : 0u;
    state->solve.outcome = outcome;
    state->time.rounded_steps += rounded;
    if (outcome == STOP_RTOL || outcome == STOP_ATOL || rounded) {
        go_to_instruction(run, place, state->control.instruction + 1u);
    } else {
        state->control.stop = outcome;
    }
}

#endif
