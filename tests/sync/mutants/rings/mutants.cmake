# See ../barriers/mutants.cmake.
set(race "data race|wrong value")

mutant(unmutated dialect.h "" "" "^right$")

mutant(announced_relaxed host_ring.h
  [[store_uint32(&ring->made, made, ORDER_RELEASE]] [[store_uint32(&ring->made, made, ORDER_RELAXED]] ${race})
mutant(looked_at_relaxed host_ring.h
  [[load_uint32(&ring->made, ORDER_ACQUIRE]] [[load_uint32(&ring->made, ORDER_RELAXED]] ${race})
mutant(given_back_relaxed host_ring.h
  [[store_uint32(&ring->taken, taken, ORDER_RELEASE]] [[store_uint32(&ring->taken, taken, ORDER_RELAXED]] ${race})
mutant(host_asked_relaxed host_ring.h
  [[load_uint32(&ring->taken, ORDER_ACQUIRE]] [[load_uint32(&ring->taken, ORDER_RELAXED]] ${race})
mutant(passed_on_relaxed host_ring.h
  [[store_uint32(&sync->slots_taken, taken, ORDER_RELEASE]] [[store_uint32(&sync->slots_taken, taken, ORDER_RELAXED]] ${race})
mutant(slot_awaited_relaxed host_ring.h
  [[load_uint32(&sync->slots_taken, ORDER_ACQUIRE]] [[load_uint32(&sync->slots_taken, ORDER_RELAXED]] ${race})
mutant(one_slot_too_many host_ring.h
  [[is_free = number - taken < slots ?]] [[is_free = number - taken <= slots ?]] ${race})
mutant(first_slots_not_awaited host_ring.h
  [[for (uint32 is_free = number < slots ?]] [[for (uint32 is_free = number <= slots ?]] "${race}|wrong verdict")
mutant(a_closed_ring_is_remembered host_ring.h
  [[    store_uint32(&sync->ring_closed, 0u, ORDER_RELAXED, SCOPE_DEVICE);]] [[]] "abandoned: a ring opened again")
mutant(a_living_host_is_given_up host_ring.h
  [[taken + load_uint32(&sync->host_alive, ORDER_RELAXED, SCOPE_DEVICE)]] [[taken]] "abandoned: a slow host")
mutant(a_dead_host_is_waited_for host_ring.h
  [[taken + load_uint32(&sync->host_alive, ORDER_RELAXED, SCOPE_DEVICE)]]
  [[taken + (uint32)wait.polls]]
  "watchdog")
mutant(closing_is_not_seen host_ring.h
  [[load_uint32(&sync->ring_closed, ORDER_RELAXED, SCOPE_DEVICE) != 0u ||]] [[0u ||]] "abandoned: a closed ring|watchdog")
