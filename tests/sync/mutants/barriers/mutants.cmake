# mutant(NAME FILE TEXT REPLACEMENT OUTCOME): sync/FILE with TEXT, which must stand in it exactly once, replaced. OUTCOME is a
# regular expression that the last line of the program, or a report of ThreadSanitizer, must match.
#
# Waits end after a fifth of the watchdog's time, so a group that waits in vain says "abandoned". "watchdog" stands only
# where a mistake makes a wait or a loop of the primitive itself endless: elsewhere it would only mean a slow machine.
#
# Not here: the group barriers, which are empty on host threads (../../models has their mutants).
set(race "data race")
set(early "data race|wrong verdict|wrong value|wrong sum|abandoned")
set(stuck "abandoned")

mutant(unmutated dialect.h "" "" "^right$")

mutant(leader_arrival_relaxed barrier_group_leader.h
  [[arrival, ORDER_RELEASE]] [[arrival, ORDER_RELAXED]] ${race})
mutant(wait_relaxed bounded_wait.h
  [[poll_uint32(word, scope)]] [[load_uint32(word, ORDER_RELAXED, scope)]] ${race})
mutant(leader_arrivals_one_too_few barrier_group_leader.h
  [[0x80000000u - (members - 1u)]] [[0x80000000u - (members - 2u)]] ${early})
mutant(leader_arrivals_one_too_many barrier_group_leader.h
  [[0x80000000u - (members - 1u)]] [[0x80000000u - members]] ${stuck})
mutant(any_arrival_ends_wait bounded_wait.h
  [[return (before ^ after) >> 31]] [[return before != after]] ${early})
mutant(top_bit_set_ends_wait bounded_wait.h
  [[return (before ^ after) >> 31]] [[return after >> 31]] ${early})
mutant(leader_forgets_what_it_saw bounded_wait.h [[*seen = now;]] "" ${early})
mutant(all_items_one_item_twice barrier_all_items.h
  [[group_index() * group_size() + item_index()]] [[group_index() / 2u]] ${early})

mutant(lock_free_arrival_relaxed barrier_lock_free.h
  [[store_uint32(arrived + group_index(), epoch, ORDER_RELEASE]]
  [[store_uint32(arrived + group_index(), epoch, ORDER_RELAXED]] ${race})
mutant(lock_free_release_relaxed barrier_lock_free.h
  [[store_uint32(released + group, epoch, ORDER_RELEASE]]
  [[store_uint32(released + group, epoch, ORDER_RELAXED]] ${race})
mutant(lock_free_one_group_not_awaited barrier_lock_free.h
  [[group = 1u + item_index()]] [[group = 2u + item_index()]] ${early})
mutant(lock_free_one_group_not_released barrier_lock_free.h
  [[for (uint32 group = item_index(); group < group_count();]]
  [[for (uint32 group = item_index(); group < group_count() - 1u;]] ${stuck})
mutant(lock_free_release_though_abandoned barrier_lock_free.h
  [[group_index() == 0u && gathered]] [[group_index() == 0u]] "wrong verdict")
mutant(lock_free_epochs_in_order bounded_wait.h [[seen == value ? 1u : 0u]] [[seen >= value ? 1u : 0u]] ${early})
mutant(lock_free_epoch_stands_still barrier_lock_free.h
  [[group_index()) + 1u]] [[group_index())]] ${early})
mutant(lock_free_forgets_the_epoch grid_barrier.h [[        barrier->seen = epoch;]] "" ${early})

mutant(tree_arrival_relaxed barrier_tree.h [[arrival, ORDER_ACQ_REL]] [[arrival, ORDER_RELAXED]] ${race})
mutant(tree_arrival_without_release barrier_tree.h [[arrival, ORDER_ACQ_REL]] [[arrival, ORDER_ACQUIRE]] ${race})
mutant(tree_arrival_without_acquire barrier_tree.h [[arrival, ORDER_ACQ_REL]] [[arrival, ORDER_RELEASE]] ${race})
mutant(tree_release_relaxed barrier_tree.h [[epoch + 1u, ORDER_RELEASE]] [[epoch + 1u, ORDER_RELAXED]] ${race})
mutant(tree_every_node_is_the_root barrier_tree.h [[nodes == 1u]] [[nodes >= 1u]] ${early})
mutant(tree_last_node_full barrier_tree.h
  [[node + 1u < nodes ? TREE_FAN : width - node * TREE_FAN]] [[TREE_FAN]] ${stuck})
mutant(tree_levels_share_nodes barrier_tree.h [[level += nodes * WORDS_PER_LINE]] [[level += 0u]] ${early})
mutant(tree_everyone_goes_up barrier_tree.h
  [[!top_bit_flipped(before, before + arrival)]] [[before == before + arrival]] ${early})
mutant(tree_epochs_in_order bounded_wait.h [[seen != value]] [[seen > value]] ${stuck})
mutant(tree_epoch_stands_still barrier_tree.h
  [[store_uint32(&sync->released, epoch + 1u]] [[store_uint32(&sync->released, epoch]] ${stuck})
mutant(tree_forgets_the_epoch barrier_tree.h [[barrier->seen = epoch + 1u;]] "" "data race|wrong value|abandoned")

mutant(abandoned_wait_unnoticed bounded_wait.h
  [[load_uint32(&sync->abandoned, ORDER_RELAXED, SCOPE_DEVICE) != 0u]] [[limit == 0u]] "watchdog")
mutant(abandoned_without_record bounded_wait.h
  [[store_uint32(&sync->waiting_phase, phase, ORDER_RELAXED, SCOPE_DEVICE);]] "" "wrong record")
mutant(abandoned_everyone_late bounded_wait.h [[first_look ? LEFT_LATE : LEFT_WAITING]] [[LEFT_LATE]] "who left")
mutant(abandoned_nobody_left bounded_wait.h
  [[max_uint32(group_row(sync, ROW_LEFT) + group_index(),]] [[max_uint32(group_row(sync, ROW_LEFT),]] "who left")

mutant(ticket_relaxed last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_RELAXED]] ${race})
mutant(ticket_without_acquire last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_RELEASE]] ${race})
mutant(ticket_without_release last_group.h [[1u, ORDER_ACQ_REL]] [[1u, ORDER_ACQUIRE]] ${race})
mutant(ticket_not_reset last_group.h
  [[store_uint32(ticket, 0u, ORDER_RELAXED, scope);]] "" "wrong sum")
mutant(ticket_one_too_early last_group.h
  [[== members - 1u]] [[== members - 2u]] "data race|wrong sum")
