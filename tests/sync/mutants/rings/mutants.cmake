# See ../barriers/mutants.cmake.
set(race "data race|wrong value")

mutant(unmutated dialect.h "" "" "^right$")

mutant(announced_relaxed host_ring.h
  [[store_uint32(&ring->made, made, ORDER_RELEASE]] [[store_uint32(&ring->made, made, ORDER_RELAXED]] ${race})
mutant(looked_at_relaxed host_ring.h
  [[load_uint32(&ring->made, ORDER_ACQUIRE]] [[load_uint32(&ring->made, ORDER_RELAXED]] ${race})
mutant(given_back_relaxed host_ring.h
  [[store_uint32(&ring->taken, taken, ORDER_RELEASE]] [[store_uint32(&ring->taken, taken, ORDER_RELAXED]] ${race})
mutant(slot_awaited_relaxed host_ring.h
  [[            taken = load_uint32(&ring->taken, ORDER_ACQUIRE, SCOPE_SYSTEM);]]
  [[            taken = load_uint32(&ring->taken, ORDER_RELAXED, SCOPE_SYSTEM);]] ${race})
mutant(one_slot_too_many host_ring.h
  [[while (number - taken >= slots)]] [[while (number - taken > slots)]] ${race})
mutant(first_slots_not_awaited host_ring.h
  [[if (number >= slots) {]] [[if (number > slots) {]] "${race}|wrong verdict")
mutant(a_living_host_is_given_up host_ring.h
  [[taken + load_uint32(&ring->alive, ORDER_RELAXED, SCOPE_SYSTEM)]] [[taken]] "abandoned: a slow host")
mutant(a_dead_host_is_waited_for host_ring.h
  [[taken + load_uint32(&ring->alive, ORDER_RELAXED, SCOPE_SYSTEM)]]
  [[taken + (add_uint32(&ring->alive, 1u, ORDER_RELAXED, SCOPE_SYSTEM), load_uint32(&ring->alive, ORDER_RELAXED, SCOPE_SYSTEM))]]
  "watchdog")
mutant(closing_is_not_seen host_ring.h
  [[load_uint32(&ring->closed, ORDER_RELAXED, SCOPE_SYSTEM) != 0u ||]] [[0u ||]] "abandoned: a closed ring|watchdog")
