# See ../barriers/mutants.cmake.
set(race "data race")
set(early "data race|wrong value|wrong sum|wrong verdict")

mutant(unmutated dialect.h "" "" "^right$")

mutant(ticket_relaxed last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_RELAXED]] ${race})
mutant(fence_before_ticket_missing last_group_fence.h
  [[fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        const]] [[const]] ${race})
# Group 0 draws its ticket late, so that the fence before it says nothing about the others.
mutant(fence_after_ticket_missing last_group_fence.h
  [[const uint32 drawn = fetch_add_uint32(&sync->ticket, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        *verdict = drawn == group_count() - 1u ? 1u : 0u;
        if (*verdict != 0u) {
            fence(ORDER_ACQ_REL, SCOPE_DEVICE);]]
  [[for (uint32 turn = 0; turn < 100u && group_index() == 0u; ++turn) { sched_yield(); }
        const uint32 drawn = fetch_add_uint32(&sync->ticket, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        *verdict = drawn == group_count() - 1u ? 1u : 0u;
        if (*verdict != 0u) {]] ${race})
mutant(fence_acquires_only last_group_fence.h
  [[fence(ORDER_ACQ_REL, SCOPE_DEVICE);
        const]] [[fence(ORDER_ACQUIRE, SCOPE_DEVICE);
        const]] ${race})
mutant(fence_ticket_not_reset last_group_fence.h
  [[store_uint32(&sync->ticket, 0u, ORDER_RELAXED, SCOPE_DEVICE);]] ""
  "data race|wrong sum|wrong largest|abandoned")
mutant(fence_ticket_missing last_group_fence.h
  [[drawn == group_count() - 1u]] [[drawn != group_count()]] ${early})

mutant(finish_without_ticket grid_reduce.h
  [[if (is_last_group_as(spelling, sync, verdict))]] [[if (group_index() == 0u)]] ${early})
mutant(finish_one_chunk_short grid_reduce.h
  [[                 reduce_chunks(count), lanes);]] [[                 reduce_chunks(count) - 1u, lanes);]] "wrong sum")
mutant(chunks_of_two_groups grid_reduce.h [[chunk += group_count()]] [[chunk += 1u]] ${early})
mutant(arg_max_finish_without_ticket grid_arg_max.h
  [[if (is_last_group_as(spelling, sync, verdict))]] [[if (group_index() == 0u)]] "data race|wrong largest")
mutant(arg_max_takes_last_of_equals grid_arg_max.h
  [[a_index < b_index]] [[a_index > b_index]] "wrong largest")

mutant(tree_stops_early reduction.h [[stride = width / 2u; stride > 0u]] [[stride = width / 2u; stride > 1u]] "wrong")
mutant(tree_forgets_a_lane reduction.h [[lane < stride; lane += group_size()]] [[lane + 1u < stride; lane += group_size()]]
  "wrong")
mutant(tree_adds_a_lane_twice reduction.h [=[lanes[lane], lanes[lane + stride]]=] [=[lanes[lane], lanes[lane]]=] "wrong")
mutant(minimum_loses_a_nan reduction.h [[return a < b || a != a ? a : b;]] [[return a < b ? a : b;]] "wrong minimum")
mutant(maximum_loses_a_nan tree_sum.h [[return a > b || a != a ? a : b;]] [[return a > b ? a : b;]] "wrong maximum")
mutant(tree_sum_of_one_row tree_sum.h [=[+= lanes[row * LANES + lane + stride]]=] [=[+= lanes[lane + stride]]=] "wrong sum")
mutant(tree_max_of_one_lane tree_sum.h [=[larger(lanes[lane], lanes[lane + stride])]=] [=[larger(lanes[lane], lanes[lane])]=]
  "wrong maximum")

mutant(sum_without_barrier barrier_reduce.h [[!grid_barrier(barrier, phase)]] [[phase == 0u - 1u]] ${early})
mutant(sum_in_one_row barrier_reduce.h [[rows + (call & 1u) * group_count()]] [[rows]] ${early})
mutant(sum_without_one_group barrier_reduce.h
  [[REDUCE_LANES < groups ? 1u : 0u]] [[REDUCE_LANES + 1u < groups ? 1u : 0u]] "wrong sum")
mutant(sum_though_abandoned barrier_reduce.h [[        return 0u;]] [[]] "wrong verdict")

mutant(go_flag_relaxed barrier_reduce_classical.h
  [[epoch + 1u, ORDER_RELEASE]] [[epoch + 1u, ORDER_RELAXED]] ${race})
mutant(go_flag_before_the_sum barrier_reduce_classical.h [[if (last) {
        reduce_group_values]] [[if (last) {
        store_uint32(&sync->released, epoch + 1u, ORDER_RELEASE, SCOPE_DEVICE);
        for (uint32 turn = 0; turn < 100u; ++turn) { sched_yield(); }
        reduce_group_values]] ${early})

mutant(last_arrival_relaxed last_groups.h [[&last->came, 1u, ORDER_ACQ_REL]] [[&last->came, 1u, ORDER_RELAXED]] ${race})
mutant(last_wait_relaxed last_groups.h [[load_uint32(&last->came, ORDER_ACQUIRE]] [[load_uint32(&last->came, ORDER_RELAXED]] ${race})
mutant(last_wait_one_too_few last_groups.h [[seen < members;]] [[seen < members - 1u;]] ${early})
mutant(last_wait_for_all_groups last_groups.h [[seen < members;]] [[seen < group_count();]] "abandoned")
mutant(last_arrivals_not_reset last_groups.h [[store_uint32(&last->came, 0u, ORDER_RELAXED, SCOPE_DEVICE);]] "" ${early})
