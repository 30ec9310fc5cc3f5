/* An ensemble: runs of one kernel, its members, in one launch, each with parameters, memory, decisions and end of its own. CUDA alone.
 *
 *   the launch        gridDim.y rows of gridDim.x groups
 *   a row             takes a member, runs the kernel as if the row were the whole launch, and takes the next one:
 *
 *     while (member = next++) < members
 *         kernel(parameters[member], buffers[member])
 *
 * A kernel knows of groups by group_index() and group_count(), which count along x: so it is the text, and has the bits, of a run that is
 * alone. In a row of one group its grid barriers are group barriers (sync/grid_barrier.h). A member that fails, diverges or is stopped
 * touches no other one.
 *
 * Shapes: parameters [members]; buffers [members][arguments], addresses in the order of the kernel's arguments; times [members][2], ns:
 * begin and end of each, 0 of one that no row has run; taken [rows]; turns: memory of a barrier for each row, turn_bytes apart.
 *
 *   publishes     the number of the member that a row runs next
 *   observed by   all groups of the row
 *   edge          the row's grid barrier, and another one behind the member, before the number is overwritten
 *   progress      all groups of a row resident at once; rows wait for no other row */
#ifndef PERDURE_KERNELS_ENSEMBLE_H
#define PERDURE_KERNELS_ENSEMBLE_H

#include "kernels/parameters.h"
#include "sync/grid_barrier.h"

typedef struct {
    const run_parameters_t *parameters;
    void *const *buffers;
    uint64 *times;
    uint32 *next;  /* member that no row has taken yet; begins with 0 */
    uint32 *taken; /* by each row */
    unsigned char *turns;
    uint64 turn_bytes;
    uint64 wait_limit; /* of wait_clock(), without progress */
    uint32 members;
    uint32 arguments;
} ensemble_t;

#if defined(PERDURE_ENSEMBLE)

template <uint32... place>
struct Places {};
template <uint32 count, uint32... place>
struct FirstPlaces : FirstPlaces<count - 1u, count - 1u, place...> {};
template <uint32... place>
struct FirstPlaces<0u, place...> {
    using type = Places<place...>;
};

template <auto kernel, typename... Pointers, uint32... place>
FUNCTION void call_with_buffers(void (*)(const run_parameters_t &, Pointers...), Places<place...>,
                                const run_parameters_t &parameters, void *const *buffers) {
    kernel(parameters, static_cast<Pointers>(buffers[place])...);
}

template <auto kernel, typename... Pointers>
FUNCTION void run_member(void (*type)(const run_parameters_t &, Pointers...),
                         const run_parameters_t &parameters, void *const *buffers) {
    call_with_buffers<kernel>(type, typename FirstPlaces<sizeof...(Pointers)>::type(), parameters, buffers);
}

FUNCTION void copy_parameters(const run_parameters_t *from, run_parameters_t *to) {
    static_assert(sizeof(run_parameters_t) % sizeof(uint32) == 0u);
    for (uint32 word = item_index(); word < sizeof(run_parameters_t) / sizeof(uint32); word += group_size()) {
        reinterpret_cast<uint32 *>(to)[word] = reinterpret_cast<const uint32 *>(from)[word];
    }
}

template <auto kernel>
FUNCTION void run_members(const ensemble_t &ensemble) {
    LOCAL_MEMORY run_parameters_t parameters;
    LOCAL_MEMORY uint32 verdict;
    const uint32 row = blockIdx.y;
    const bool leads = group_index() == 0u && item_index() == 0u;
    uint32 *const taken = ensemble.taken + row;
    grid_barrier_t turn = make_grid_barrier(
        BARRIER_GROUP_LEADER, reinterpret_cast<grid_sync_t *>(ensemble.turns + row * ensemble.turn_bytes),
        &verdict, ensemble.wait_limit);
    for (uint32 barriers = 0u;; barriers += 2u) {
        if (leads) {
            *taken = fetch_add_uint32(ensemble.next, 1u, ORDER_RELAXED, SCOPE_DEVICE);
        }
        if (!grid_barrier(&turn, barriers)) {
            return;
        }
        const uint32 member = *taken;
        if (member >= ensemble.members) {
            return;
        }
        copy_parameters(ensemble.parameters + member, &parameters);
        if (leads) {
            ensemble.times[2u * member] = global_nanoseconds();
        }
        group_barrier();
        run_member<kernel>(kernel, parameters, ensemble.buffers + (uint64)member * ensemble.arguments);
        if (!grid_barrier(&turn, barriers + 1u)) {
            return;
        }
        if (leads) {
            ensemble.times[2u * member + 1u] = global_nanoseconds();
        }
    }
}

#define ENSEMBLE_KERNEL(name, bounds, ...)                                     \
    FUNCTION void name##_of_member(__VA_ARGS__);                               \
    __global__ bounds void name(const __grid_constant__ ensemble_t ensemble) { \
        run_members<&name##_of_member>(ensemble);                              \
    }                                                                          \
    FUNCTION void name##_of_member(__VA_ARGS__)

#endif

#endif
