/* What `variant` means to the kernels of this folder; the host knows it too. */
#ifndef PERDURE_KERNELS_BENCH_VARIANTS_H
#define PERDURE_KERNELS_BENCH_VARIANTS_H

/* bench_barrier, bench_classical */
enum { ROUNDS_SYNCHRONISED = 0, ROUNDS_UNSYNCHRONISED = 1 };

/* bench_primitives */
enum {
    PRIMITIVE_LOAD = 0,
    PRIMITIVE_LOAD_ACQUIRE,
    PRIMITIVE_FENCE_ACQ_REL,
    PRIMITIVE_FENCE_ACQUIRE,
    PRIMITIVE_STORE_FENCE,  /* a store, then a fence that waits until it has landed */
    PRIMITIVE_FETCH_ADD_32, /* each add waits for the value of the one before */
    PRIMITIVE_FETCH_ADD_64,
    PRIMITIVE_FETCH_ADD_32_ACQ_REL,
    PRIMITIVE_ADD_32, /* nobody waits */
    PRIMITIVE_ADD_64,
    PRIMITIVE_ADD_32_ALL_ITEMS,
    PRIMITIVE_FETCH_ADD_32_ALL_ITEMS,
    PRIMITIVE_GROUP_BARRIER,
    PRIMITIVE_HAND_OVER,        /* relaxed: the word alone */
    PRIMITIVE_HAND_OVER_ORDERED /* release and acquire: a plain word beside it */
};

/* bench_array_launches */
enum { ARRAY_PARTIALS = 0, ARRAY_FINISH = 1 };

/* Edges: west, east, south, north; the edge on the other side is edge ^ 1. */
#define TORUS_EDGES 4u

#endif
