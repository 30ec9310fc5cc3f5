# See barriers/mutants.cmake. SIMT execution, where the naive loop locks a warp out, has no like on host threads:
# models/spin_lock.pml has that mutant.
set(race "data race")
set(shared "data race|wrong value|wrong word|wrong number")

mutant(unmutated dialect.h "" "" "^right$")

mutant(lock_relaxed spin_lock.h [[seen + 1u, ORDER_ACQUIRE]] [[seen + 1u, ORDER_RELAXED]] ${race})
mutant(unlock_relaxed spin_lock.h [[1u, ORDER_RELEASE]] [[1u, ORDER_RELAXED]] ${race})
mutant(lock_without_exchange spin_lock.h
  [[compare_exchange_uint32(word, seen, seen + 1u, ORDER_ACQUIRE, scope) == seen]]
  [[((void)usleep(1), store_uint32(word, seen + 1u, ORDER_RELAXED, scope), load_uint32(word, ORDER_ACQUIRE, scope) == seen + 1u)]]
  "${shared}|abandoned")
mutant(held_lock_is_taken spin_lock.h [[return seen & 1u;]] [[return seen & 0u;]] "${shared}|wrong lock|abandoned")
mutant(free_lock_is_not_taken spin_lock.h [[return seen & 1u;]] [[return ~seen & 1u;]] "abandoned")
mutant(unlock_forgotten spin_lock.h [[add_uint32(word, 1u, ORDER_RELEASE, scope);]] "(void)word;" "abandoned")
mutant(failed_exchange_is_a_lock spin_lock.h
  [[compare_exchange_uint32(word, seen, seen + 1u, ORDER_ACQUIRE, scope) == seen]]
  [[((void)usleep(1), compare_exchange_uint32(word, seen, seen + 1u, ORDER_ACQUIRE, scope) != seen + 2u)]]
  "${shared}|abandoned")
mutant(abandoned_wait_goes_on spin_lock.h [[? SPIN_WAITING : SPIN_ABANDONED]] [[? SPIN_WAITING : SPIN_WAITING]] "watchdog")
