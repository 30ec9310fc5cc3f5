/* Drives a resident run of conjugate gradients from the first residual to the stop reason.
 *
 * A solver provides complete_x, residual, start, load_halo_ahead, advance, multiply_and_send and complete_halo, each called by
 * all items. complete_halo sends what can wait until the sums are in flight. If it SHARES_MEMORY, the writes of an iteration
 * become visible to all groups with its sums. If it BACKS_OFF, an iteration is so short that a failed poll for the sums costs
 * time. */
#ifndef PERDURE_KERNELS_RESIDENT_CG_RUN_H
#define PERDURE_KERNELS_RESIDENT_CG_RUN_H

#include "kernels/resident/cg_scalars.h"
#include "kernels/true_residual.h"

/* Decides on the true residual of the run so far. All groups learn two iterations late that a check met the tolerance. By then
 * the residual, which does not fall in every iteration, may be above the tolerance again. Fewer than MOST_LATE_CHECKS such restarts in
 * a row do not count as stagnation. */
#define MOST_LATE_CHECKS 4u
FUNCTION void decide_late(const run_t *run, uint32 iteration) {
    run_state_t *state = run->state;
    state->solve.iteration = iteration;
    const uint32 outcome = decide_true_residual(run);
    const bool late = outcome == STOP_STAGNATED && state->solve.recursive_residual <= state->solve.tolerance;
    state->solve.late_checks = late ? state->solve.late_checks + 1u : 0u;
    const bool goes_on = late && state->solve.late_checks < MOST_LATE_CHECKS;
    state->control.stop = goes_on ? static_cast<uint32>(STOP_NONE) : outcome;
}

/* Completes x in memory and computes its true residual; group 0 decides on it. Returns 0 when the run is over. */
template <typename Solver>
FUNCTION uint32 begin_again(Solver &self, uint32 iteration) {
    run_state_t *state = self.common->run.state;
    self.complete_x();
    if (!self.synchronise()) {
        return 0u;
    }
    self.forget_addresses();
    ++self.call;
    publish_sums(self.common->sums, self.residual(), ALWAYS_SUMS, 1u, self.call);
    if (group_index() == 0u) {
        const uint32 passed = take_sums(self.common->sums, 2u, 1u, 0u, self.call, self.phase);
        if (!group_verdict(self.common->barrier.verdict, passed)) {
            return 0u;
        }
        if (item_index() == 0u) {
            self.common->run.lanes[0] = taken_sum(self.common->sums, 0u);
            self.common->run.lanes[LANES] = taken_sum(self.common->sums, 1u);
            decide_late(&self.common->run, iteration);
        }
    }
    return self.synchronise() && state->control.stop == STOP_NONE ? 1u : 0u;
}

/* Decides the check of `iteration`. A separate function, since it is rarely called. */
static __device__ __noinline__ void decide_check(cg_group_t &common, uint32 iteration) {
    cg_check_t &check = common.check;
    common.run.state->solve.iteration = iteration;
    offer_slack(&common.run, check.squares);
    check.wanted = decide_recursive_residual(&common.run, iteration, check.squares, check.stop);
    check.undecided = 0u;
}

/* Runs until the stop. A check is decided while the sums of the next iteration are in flight, so that other groups hardly wait
 * for group 0, or when the run restarts from the true residual. To request the true residual, group 0 publishes a lost curvature
 * in the following sums, which all groups see at the same time. */
template <typename Solver>
FUNCTION void run_resident(Solver &self) {
    const run_parameters_t *parameters = self.grid;
    const uint32 decides = group_index() == 0u && item_index() == 0u ? 1u : 0u;
    cg_check_t &of_check = self.common->check;
    uint32 iteration = 0, since_start = 0, check = 0, start = 1;
    for (;;) {
        if (start) {
            if (decides && of_check.undecided) {
                decide_check(*self.common, iteration);
            }
            if (!begin_again(self, iteration)) {
                return;
            }
            check = since_start = start = 0u;
            if (decides) {
                of_check.wanted = 0u;
            }
            self.start();
        } else {
            const uint32 next_is_check = is_check(parameters, iteration + 1u);
            const uint32 count = check && group_index() == 0u ? RESIDENT_SUMS : ALWAYS_SUMS;
            const uint32 passed = take_sums(self.common->sums, count, Solver::SHARES_MEMORY,
                                            Solver::BACKS_OFF, self.call, ++self.phase);
            if (!group_verdict(self.common->barrier.verdict, passed)) {
                return;
            }
            const typename Solver::ahead_t ahead = self.load_halo_ahead();
            const direction_t direction = find_direction(self.common->sums);
            start = direction.then != GO_ON || iteration == parameters->max_iterations ? 1u : 0u;
            if (check && decides) {
                of_check.squares = taken_sum(self.common->sums, SUM_R_R);
                of_check.undecided = 1u;
            }
            if (direction.then == CURVATURE_LOST && since_start == 0u) {
                if (decides) {
                    self.common->run.state->control.stop = STOP_BREAKDOWN;
                }
                return;
            }
            if (start) {
                continue;
            }
            ++iteration;
            ++since_start;
            check = next_is_check;
            self.advance(direction.alpha, direction.beta, ahead);
        }
        ++self.call;
        sums_t sums = self.multiply_and_send(check);
        if (decides && of_check.wanted) {
            sums.of[SUM_P_W] = -INFINITY;
        }
        publish_sums(self.common->sums, sums, check ? RESIDENT_SUMS : ALWAYS_SUMS, Solver::SHARES_MEMORY,
                     self.call);
        self.complete_halo();
        if (decides && (check || of_check.undecided)) {
            const uint32 stop = check ? stop_requested(&self.common->run) : 0u; /* the answer takes long */
            if (of_check.undecided) {
                decide_check(*self.common, iteration - 1u);
            }
            of_check.stop = stop;
        }
    }
}

#endif
