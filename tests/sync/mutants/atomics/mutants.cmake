# See barriers/mutants.cmake. Two mistakes here make loops of the program or the primitive endless.
set(race "data race")

mutant(unmutated dialect.h "" "" "^right$")

mutant(load_relaxed atomics_host.h
  [[return __atomic_load_n(word, order);]] [[return __atomic_load_n(word, __ATOMIC_RELAXED);]] ${race})
mutant(load_plain atomics_host.h [[return __atomic_load_n(word, order);]] [[return *word;]] ${race})
mutant(store_relaxed atomics_host.h
  [[__atomic_store_n(word, value, order);]] [[__atomic_store_n(word, value, __ATOMIC_RELAXED);]] ${race})
mutant(store_plain atomics_host.h [[__atomic_store_n(word, value, order);]] [[*word = value;]] ${race})
mutant(exchange_relaxed atomics_host.h
  [[return __atomic_exchange_n(word, value, order);]]
  [[return __atomic_exchange_n(word, value, __ATOMIC_RELAXED);]] ${race})
mutant(compare_exchange_relaxed atomics_host.h
  [[&expected, value, 0, order,]] [[&expected, value, 0, __ATOMIC_RELAXED,]] ${race})
mutant(failed_compare_exchange_relaxed atomics_host.h
  [[? __ATOMIC_ACQUIRE]] [[? __ATOMIC_RELAXED]] ${race})
mutant(fetch_relaxed atomics_host.h
  [[return __atomic_fetch_##operation(word, value, order);]]
  [[return __atomic_fetch_##operation(word, value, __ATOMIC_RELAXED);]] ${race})
mutant(min_and_max_relaxed atomics_host.h
  [[value relation seen ? value : seen, 1, order,]]
  [[value relation seen ? value : seen, 1, __ATOMIC_RELAXED,]] ${race})
mutant(min_and_max_without_exchange atomics_host.h
  [[while (!__atomic_compare_exchange_n(]]
  [[if (value relation seen) { sched_yield(); __atomic_store_n(word, value, order); } while (0 && !__atomic_compare_exchange_n(]]
  "wrong|data race")
mutant(min_is_max atomics_host.h [[PERDURE_SELECT(type, min, <)]] [[PERDURE_SELECT(type, min, >)]] "wrong|watchdog")
mutant(fence_relaxed atomics_host.h
  [[(void)__atomic_fetch_add(&word, 0u, order);]]
  [[(void)__atomic_fetch_add(&word, 0u, __ATOMIC_RELAXED);]] ${race})

mutant(ordered_raw_bits atomic_float.h
  [[bits >= 0 ? bits : bits ^ (int64)0x7fffffffffffffff]] [[bits]] "wrong")
mutant(ordered_float_raw_bits atomic_float.h
  [[bits >= 0 ? bits : bits ^ (int32)0x7fffffff]] [[bits]] "wrong")
mutant(nan_loses_the_maximum atomic_float.h
  [[value != value ? ORDERED_PLUS_INFINITY : ordered_bits(value)]] [[ordered_bits(value)]] "wrong maximum of a NaN")
mutant(nan_loses_the_minimum atomic_float.h
  [[return ORDERED_MINUS_INFINITY;]] [[return ORDERED_PLUS_INFINITY;]] "wrong minimum of a NaN")
mutant(minimum_plain atomic_float.h
  [[min_int64(word, ordered_bits(value), order, scope);]]
  [[if (ordered_bits(value) < *word) { *word = ordered_bits(value); }]] ${race})
mutant(minimum_without_exchange atomic_float.h
  [[min_int64(word, ordered_bits(value), order, scope);]]
  [[const int64 seen = __atomic_load_n(word, __ATOMIC_RELAXED); sched_yield();
    if (ordered_bits(value) < seen) { __atomic_store_n(word, ordered_bits(value), order); }]]
  "wrong minimum")
mutant(sum_relaxed atomic_float.h
  [[(uint64)double_bits(before + value), order, scope)]]
  [[(uint64)double_bits(before + value), ORDER_RELAXED, scope)]] ${race})
mutant(small_sum_relaxed atomic_float.h
  [[(uint32)float_bits(before + value), order, scope)]]
  [[(uint32)float_bits(before + value), ORDER_RELAXED, scope)]] ${race})
mutant(sum_without_exchange atomic_float.h
  [[compare_exchange_uint64(bits, seen,]] [[(sched_yield(), exchange_uint64)(bits,]] "wrong|watchdog")
