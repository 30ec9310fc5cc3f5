# See ../barriers/mutants.cmake. Words that carry their value need no order between them: their mutants are of epochs
# and copies.
set(race "data race")
set(early "data race|wrong value")
set(stuck "abandoned")

mutant(unmutated dialect.h "" "" "^right$")

mutant(word_of_any_epoch epoch_word.h
  [[return (uint32)(seen.first >> 32) == epoch && (uint32)(seen.second >> 32) == epoch ? 1u : 0u;]]
  [[return seen.first >= (uint64)epoch - epoch;]] "wrong value")
mutant(float_word_of_any_epoch epoch_word.h
  [[while ((uint32)(seen >> 32) != epoch) {]] [[while (seen == 0u) {]] "wrong value")
mutant(float_word_without_sign epoch_word.h
  [[(uint32)float_bits(value)]] [[((uint32)float_bits(value) & 0x7fffffffu)]] "wrong value")
mutant(float_word_of_the_wrong_half epoch_word.h
  [[(uint32)(seen & 0xffffffffu)]] [[(uint32)(seen >> 32)]] "wrong value")
mutant(words_in_one_copy halo_exchange.h
  [[(epoch & 1u) * words + index]] [[index]] "wrong value|abandoned")

mutant(flag_relaxed halo_exchange.h
  [[store_uint32(flag, epoch, ORDER_RELEASE]] [[store_uint32(flag, epoch, ORDER_RELAXED]] ${race})
mutant(second_flag_not_raised halo_exchange.h
  [[raise_halo_flag(raised_flag(halo, edge), epoch);]] [[raise_halo_flag(raised_flag(halo, 0u), epoch);]] ${stuck})
mutant(wait_relaxed bounded_wait.h
  [[poll_uint32(word, scope)]] [[load_uint32(word, ORDER_RELAXED, scope)]] ${race})
mutant(flag_one_step_ahead_missed halo_exchange.h [[UNTIL_REACHED]] [[UNTIL_EQUAL]] ${stuck})
mutant(flag_epochs_in_order bounded_wait.h [[seen - value < 0x80000000u]] [[seen >= value]]
  "data race|wrong value|abandoned")
mutant(flag_of_the_own_edge halo_exchange.h
  [[await_halo_flag(halo, awaited_flag(halo, edge)]] [[await_halo_flag(halo, awaited_flag(halo, 0u)]] ${early})

mutant(step_flag_relaxed step_flags.h
  [[step, ORDER_RELEASE]] [[step, ORDER_RELAXED]] ${race})
mutant(step_flag_looked_at_relaxed step_flags.h
  [[poll_uint32(flags + (uint32)group * STEP_FLAG_WORDS, SCOPE_DEVICE)]]
  [[load_uint32(flags + (uint32)group * STEP_FLAG_WORDS, ORDER_RELAXED, SCOPE_DEVICE)]] ${race})
mutant(step_flag_seen_one_step_behind step_flags.h
  [[is_awaited(UNTIL_REACHED, step, seen)]] [[is_awaited(UNTIL_REACHED, step - 1u, seen)]] ${early})
mutant(step_flag_of_one_neighbour step_flags.h [[i < count]] [[i + 1u < count]] ${early})
mutant(step_flag_one_step_ahead_missed step_flags.h
  [[UNTIL_REACHED, step, &seen]] [[UNTIL_EQUAL, step, &seen]] ${stuck})
mutant(step_flag_not_awaited step_flags.h
  [=[await_step_flag(flags, around[i], step, sync, limit) : 1u]=] [[1u : 1u]] ${early})

mutant(signal_relaxed put_signal.h
  [[1u, ORDER_RELEASE, SCOPE_SYSTEM]] [[1u, ORDER_RELAXED, SCOPE_SYSTEM]] ${race})
mutant(signal_seen_relaxed put_signal.h
  [[signal, ORDER_ACQUIRE, SCOPE_SYSTEM]] [[signal, ORDER_RELAXED, SCOPE_SYSTEM]] ${race})
mutant(message_without_its_end put_signal.h [[i < count;]] [[i + 1u < count;]] "wrong value")
mutant(message_with_gaps put_signal.h
  [=[to[i + k * stride] = words[k];]=] [=[to[i + (k & 1u) * stride] = words[k];]=] "wrong value")
mutant(signal_of_one_message_less put_signal.h [[seen < least]] [[seen + 1u < least]] ${early})
