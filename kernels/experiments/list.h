/* The kernels of experiments and benchmarks by name: X(name) for each. They do not depend on real_t. */
#define PERDURE_EXPERIMENTS(X)   \
    X(arg_max_check)             \
    X(arg_max_check_fence)       \
    X(array_reduce_check)        \
    X(array_reduce_check_fence)  \
    X(atomics_check)             \
    X(barrier_reduce_check)      \
    X(bench_all_items)           \
    X(bench_array_launches)      \
    X(bench_array_sum)           \
    X(bench_array_sum_fence)     \
    X(bench_barrier)             \
    X(bench_barrier_reduce)      \
    X(bench_classical)           \
    X(bench_cooperative)         \
    X(bench_copy)                \
    X(bench_group_leader)        \
    X(bench_halo_flags)          \
    X(bench_halo_words)          \
    X(bench_halo_words_in_turn)  \
    X(bench_lock_free)           \
    X(bench_no_barrier)          \
    X(bench_primitives)          \
    X(bench_ticket_reduce)       \
    X(bench_ticket_reduce_fence) \
    X(bench_tree)                \
    X(discover_groups)           \
    X(group_lock_check)          \
    X(halo_flags_check)          \
    X(halo_words_check)          \
    X(litmus_add_to_one_word)    \
    X(litmus_last_group_sum)     \
    X(litmus_message_passing)    \
    X(litmus_spin_lock_forms)    \
    X(litmus_spin_on_a_word)     \
    X(litmus_torn_store)         \
    X(litmus_warp_exchange)
