# As ../barriers/mutants.cmake says.
set(race "data race")
set(early "data race|wrong value|wrong sum|abandoned")
set(stuck "abandoned")

mutant(unmutated dialect.h "" "" "^right$")

mutant(devices_own_arrival_without_release barrier_group_leader.h
  [[arrival, ORDER_ACQ_REL, SCOPE_OWN_DEVICE]] [[arrival, ORDER_ACQUIRE, SCOPE_OWN_DEVICE]] ${race})
mutant(devices_own_arrival_without_acquire barrier_group_leader.h
  [[arrival, ORDER_ACQ_REL, SCOPE_OWN_DEVICE]] [[arrival, ORDER_RELEASE, SCOPE_OWN_DEVICE]] ${race})
mutant(devices_arrival_relaxed barrier_group_leader.h
  [[#define ORDER_OF_ARRIVAL ORDER_RELEASE]] [[#define ORDER_OF_ARRIVAL ORDER_RELAXED]] ${race})
mutant(devices_poll_relaxed bounded_wait.h
  [[poll_uint32(word, scope)]] [[load_uint32(word, ORDER_RELAXED, scope)]] ${race})
mutant(devices_one_not_told barrier_group_leader.h [[k = 1; k <= devices]] [[k = 2; k <= devices]] ${stuck})
mutant(devices_first_group_arrives_for_all barrier_group_leader.h
  [[top_bit_flipped(arrived, arrived + arrival)]] [[group_index() == first_group_of(own)]] ${early})
mutant(devices_every_group_counts barrier_group_leader.h
  [[arrival_of(group_index() - first_group_of(own), groups_of_own_device())]]
  [[arrival_of(group_index(), groups_of_own_device())]] ${early})

mutant(devices_ticket_without_acquire last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_RELEASE]] ${race})
mutant(devices_ticket_without_release last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_ACQUIRE]] ${race})
mutant(devices_each_has_a_last_group last_group.h
  [[draws_last(&sync->device_ticket, device_count(), SCOPE_DEVICE)]] [[1u]] "data race|wrong sum")
mutant(devices_no_last_group_of_one last_group.h
  [[->ticket, groups_of_own_device()]] [[->ticket, group_count()]] "wrong sum")
