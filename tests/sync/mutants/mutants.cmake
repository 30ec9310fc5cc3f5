# mutant(NAME FILE TEXT REPLACEMENT OUTCOME): sync/FILE with TEXT, which must stand in it exactly once, replaced. OUTCOME is a
# regular expression that the last line of the program, or a report of ThreadSanitizer, must match.
#
# Not here: the group barriers, which are empty on host threads (models/grid_barrier.pml has their mutants), and a
# release-only arrival, which is right: the load that ends the wait acquires.
set(race "data race")
set(early "data race|wrong value|wrong sum|wrong minimum|abandoned|watchdog")

mutant(unmutated dialect.h "" "" "^right$")

mutant(arrival_relaxed grid_barrier.h
  [[fetch_add_acq_rel(&sync->arrived, arrival)]]
  [[__atomic_fetch_add(&sync->arrived, arrival, __ATOMIC_RELAXED)]] ${race})
mutant(arrival_without_release grid_barrier.h
  [[fetch_add_acq_rel(&sync->arrived, arrival)]]
  [[__atomic_fetch_add(&sync->arrived, arrival, __ATOMIC_ACQUIRE)]] ${race})
mutant(wait_relaxed grid_barrier.h
  [[load_acquire(&sync->arrived)]] [[load_relaxed(&sync->arrived)]] ${race})
mutant(arrivals_one_too_few grid_barrier.h
  [[0x80000000u - (group_count() - 1u)]] [[0x80000000u - (group_count() - 2u)]] ${early})
mutant(arrivals_one_too_many grid_barrier.h
  [[0x80000000u - (group_count() - 1u)]] [[0x80000000u - group_count()]] "abandoned|watchdog")
mutant(any_arrival_ends_wait grid_barrier.h
  [[((seen ^ before) & 0x80000000u) != 0u]] [[seen != before]] ${early})
mutant(top_bit_set_ends_wait grid_barrier.h
  [[((seen ^ before) & 0x80000000u) != 0u]] [[(seen & 0x80000000u) != 0u]] ${early})
mutant(abandoned_wait_unnoticed grid_barrier.h
  [[load_relaxed(&sync->abandoned) != 0u]] [[limit == 0u]] "watchdog")
mutant(abandoned_count_wrong grid_barrier.h
  [[const uint32 with_group_0 = count & 0x40000000u]] [[const uint32 with_group_0 = 1u]] "wrong record")

mutant(add_relaxed dialect_host.h
  [[__atomic_fetch_add(word, value, __ATOMIC_ACQ_REL)]] [[__atomic_fetch_add(word, value, __ATOMIC_RELAXED)]] ${race})
mutant(acquire_load_relaxed dialect_host.h
  [[__atomic_load_n(word, __ATOMIC_ACQUIRE)]] [[__atomic_load_n(word, __ATOMIC_RELAXED)]] ${race})

mutant(ticket_relaxed last_group.h
  [[fetch_add_acq_rel(&sync->ticket, 1u)]] [[__atomic_fetch_add(&sync->ticket, 1u, __ATOMIC_RELAXED)]] ${race})
mutant(ticket_without_acquire last_group.h
  [[fetch_add_acq_rel(&sync->ticket, 1u)]] [[__atomic_fetch_add(&sync->ticket, 1u, __ATOMIC_RELEASE)]] ${race})
mutant(ticket_without_release last_group.h
  [[fetch_add_acq_rel(&sync->ticket, 1u)]] [[__atomic_fetch_add(&sync->ticket, 1u, __ATOMIC_ACQUIRE)]] ${race})
mutant(ticket_not_reset last_group.h
  [[store_relaxed(&sync->ticket, 0u);]] "" "wrong sum")
mutant(ticket_one_too_early last_group.h
  [[group_count() - 1u]] [[group_count() - 2u]] "data race|wrong sum")

mutant(minimum_plain atomic_min.h
  [[fetch_min_int64(word, ordered_bits(value));]]
  [[if (ordered_bits(value) < *word) { *word = ordered_bits(value); }]] ${race})
mutant(minimum_without_exchange atomic_min.h
  [[fetch_min_int64(word, ordered_bits(value));]]
  [[const int64 seen = __atomic_load_n(word, __ATOMIC_RELAXED); sched_yield();
    if (ordered_bits(value) < seen) { __atomic_store_n(word, ordered_bits(value), __ATOMIC_RELAXED); }]]
  "wrong minimum")
mutant(minimum_of_raw_bits atomic_min.h
  [[bits >= 0 ? bits : bits ^ (int64)0x7fffffffffffffff]] [[bits]] "wrong minimum")
