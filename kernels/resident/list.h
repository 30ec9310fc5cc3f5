/* The kernels of explicit stepping by name, for tables: X(name) for each that exists once per real_t. */
#define PERDURE_RESIDENT_KERNELS(X) \
    X(heat_held_2d_small)           \
    X(heat_held_2d_large)           \
    X(heat_streamed_2d)             \
    X(jacobi_held_2d_small)         \
    X(jacobi_held_2d_large)         \
    X(jacobi_streamed_2d)
