/* A resident run of conjugate gradients, from the first residual to the reason to stop.
 *
 * A solver has complete_x, residual, start, look_ahead, advance, multiply_and_send and complete_halo, which sends what can wait until the
 * sums are on their way, each called by all items. Where it SHARES_MEMORY, what an iteration wrote becomes visible to all groups with its
 * sums. */

/* x to memory, its true residual, and what group 0 decides on it; 0 when the run is over. */
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
        const uint32 passed = take_sums(self.common->sums, 2u, 1u, self.call, self.phase);
        if (!group_verdict(self.common->barrier.verdict, passed)) {
            return 0u;
        }
        if (item_index() == 0u) {
            self.common->run.lanes[0] = taken_sum(self.common->sums, 0u);
            self.common->run.lanes[LANES] = taken_sum(self.common->sums, 1u);
            state->iteration = iteration;
            decide_true_residual(&self.common->run);
        }
    }
    return self.synchronise() && state->stop == STOP_NONE ? 1u : 0u;
}

/* Of an iteration: whether it is a check, and the last one was. */
FUNCTION uint32 sums_of_iteration(uint32 check, uint32 check_before) {
    return check || check_before ? RESIDENT_SUMS : ALWAYS_SUMS;
}

template <typename Solver>
FUNCTION void run_resident(Solver &self) {
    const run_parameters_t *parameters = self.grid;
    uint32 iteration = 0, since_start = 0, check = 0, check_before = 0, start = 1;
    for (;;) {
        uint32 verdict = 0u;
        if (start) {
            if (!begin_again(self, iteration)) {
                return;
            }
            check = check_before = since_start = start = 0u;
            self.start();
        } else {
            const uint32 next_is_check = is_check(parameters, iteration + 1u);
            const uint32 passed = take_sums(self.common->sums, sums_of_iteration(check, check_before),
                                            check | Solver::SHARES_MEMORY, self.call, ++self.phase);
            if (!group_verdict(self.common->barrier.verdict, passed)) {
                return;
            }
            const typename Solver::ahead_t ahead = self.look_ahead();
            const direction_t direction = find_direction(self.common->sums, check_before);
            if (check && group_index() == 0u && item_index() == 0u) {
                self.common->run.state->iteration = iteration;
                const double of_check = taken_sum(self.common->sums, SUM_R_R);
                offer_slack(&self.common->run, of_check);
                verdict = wants_true_residual(&self.common->run, iteration, of_check);
            }
            if (direction.then == CURVATURE_LOST && since_start == 0u) {
                if (group_index() == 0u && item_index() == 0u) {
                    self.common->run.state->stop = STOP_BREAKDOWN;
                }
                return;
            }
            if (direction.then != GO_ON || iteration == parameters->max_iterations) {
                start = 1u;
                continue;
            }
            ++iteration;
            ++since_start;
            check_before = check;
            check = next_is_check;
            self.advance(direction.alpha, direction.beta, ahead);
        }
        ++self.call;
        sums_t sums = self.multiply_and_send(check);
        sums.of[SUM_VERDICT] = (double)verdict;
        publish_sums(self.common->sums, sums, sums_of_iteration(check, check_before),
                     check | Solver::SHARES_MEMORY, self.call);
        self.complete_halo();
    }
}
