# See barriers/mutants.cmake. models/occupancy_discovery.pml has the mutants of places that run out.
set(race "data race")
set(numbers "data race|wrong count|wrong rank|wrong value|abandoned")

mutant(unmutated dialect.h "" "" "^right$")

mutant(join_relaxed occupancy_discovery.h [[seen + 1u, ORDER_RELEASE]] [[seen + 1u, ORDER_RELAXED]] ${race})
mutant(close_relaxed occupancy_discovery.h [[POLL_CLOSED, ORDER_ACQUIRE]] [[POLL_CLOSED, ORDER_RELAXED]] ${race})
mutant(joined_without_exchange occupancy_discovery.h
  [[compare_exchange_uint32(poll, seen, seen + 1u, ORDER_RELEASE, SCOPE_DEVICE);]]
  [[seen; (void)usleep(1); store_uint32(poll, seen + 1u, ORDER_RELEASE, SCOPE_DEVICE);]] ${numbers})
mutant(closed_poll_takes_members occupancy_discovery.h
  [[while ((seen & POLL_CLOSED) == 0u) {]] [[for (;;) {]] ${numbers})
mutant(count_before_closing occupancy_discovery.h
  [[return fetch_or_uint32(poll, POLL_CLOSED, ORDER_ACQUIRE, SCOPE_DEVICE) & ~POLL_CLOSED;]]
  [[(void)usleep(1); or_uint32(poll, POLL_CLOSED, ORDER_ACQUIRE, SCOPE_DEVICE); return seen & ~POLL_CLOSED;]] ${numbers})
mutant(not_closed occupancy_discovery.h
  [[fetch_or_uint32(poll, POLL_CLOSED,]] [[fetch_or_uint32(poll, 0u,]] ${numbers})
mutant(barrier_of_all_groups occupancy_discovery.h
  [[arrival_of(rank, members), phase]] [[arrival_of(rank, group_count()), phase]] "abandoned")
