/* The kernels of explicit stepping by name, for tables: X(name) for each that exists once per real_t. */
#define PERDURE_RESIDENT_KERNELS(X)   \
    X(heat_held_2d_small)             \
    X(heat_held_2d_large)             \
    X(heat_held_2d_wide_6)            \
    X(heat_held_2d_wide_18)           \
    X(heat_held_2d_wide_small_varied) \
    X(heat_held_2d_wide_large_varied) \
    X(heat_held_3d_small)             \
    X(heat_held_3d_small_sourced)     \
    X(heat_held_3d_small_varied)      \
    X(heat_held_3d_large)             \
    X(heat_held_3d_large_sourced)     \
    X(heat_held_3d_large_varied)      \
    X(heat_streamed_2d)               \
    X(heat_streamed_2d_varied)        \
    X(heat_streamed_3d)               \
    X(jacobi_held_2d_small)           \
    X(jacobi_held_2d_large)           \
    X(jacobi_held_2d_wide_6)          \
    X(jacobi_held_2d_wide_18)         \
    X(jacobi_held_3d_small)           \
    X(jacobi_held_3d_small_sourced)   \
    X(jacobi_held_3d_small_varied)    \
    X(jacobi_held_3d_large)           \
    X(jacobi_held_3d_large_sourced)   \
    X(jacobi_held_3d_large_varied)    \
    X(jacobi_streamed_2d)             \
    X(jacobi_streamed_2d_varied)      \
    X(jacobi_streamed_3d)

/* Those of conjugate gradients: X(name, dimensions, uniform, cells, pipelined, keeps, full), one per dimension, kind of coefficients and
 * cells of an item, whether it keeps w, as far as there are registers for it, or forms it anew, and whether all boxes are full. */
#define PERDURE_RESIDENT_CG_KERNELS(X)                                      \
    X(cg_resident_2d_uniform_8, 2, true, 8, false, true, false)             \
    X(cg_resident_2d_uniform_16, 2, true, 16, false, true, false)           \
    X(cg_resident_2d_uniform_64_anew, 2, true, 64, false, false, false)     \
    X(cg_resident_2d_uniform_64, 2, true, 64, false, true, false)           \
    X(cg_resident_2d_variable_8, 2, false, 8, false, true, false)           \
    X(cg_resident_2d_variable_16, 2, false, 16, false, true, false)         \
    X(cg_resident_2d_variable_64_anew, 2, false, 64, false, false, false)   \
    X(cg_resident_2d_variable_64, 2, false, 64, false, true, false)         \
    X(cg_resident_3d_uniform_8, 3, true, 8, false, true, false)             \
    X(cg_resident_3d_uniform_16, 3, true, 16, false, true, false)           \
    X(cg_resident_3d_uniform_16_full, 3, true, 16, false, true, true)       \
    X(cg_resident_3d_uniform_64_anew, 3, true, 64, false, false, false)     \
    X(cg_resident_3d_uniform_64_anew_full, 3, true, 64, false, false, true) \
    X(cg_resident_3d_uniform_64, 3, true, 64, false, true, false)           \
    X(cg_resident_3d_uniform_64_full, 3, true, 64, false, true, true)       \
    X(cg_resident_3d_variable_8, 3, false, 8, false, true, false)           \
    X(cg_resident_3d_variable_16, 3, false, 16, false, true, false)         \
    X(cg_resident_3d_variable_64_anew, 3, false, 64, false, false, false)   \
    X(cg_resident_3d_variable_64, 3, false, 64, false, true, false)         \
    X(cg_pipelined_2d_uniform_8, 2, true, 8, true, true, false)             \
    X(cg_pipelined_2d_variable_8, 2, false, 8, true, true, false)           \
    X(cg_pipelined_3d_uniform_8, 3, true, 8, true, true, false)             \
    X(cg_pipelined_3d_variable_8, 3, false, 8, true, true, false)

/* Those that stream through memory: X(name, dimensions, uniform, width, height, items) of a group's tile in a layer. Names end
 * in the items of a group and the cells of an item. */
#define PERDURE_STREAMED_CG_KERNELS(X)                       \
    X(cg_streamed_2d_uniform_512_4, 2, true, 2048, 1, 512)   \
    X(cg_streamed_2d_uniform_512_2, 2, true, 1024, 1, 512)   \
    X(cg_streamed_2d_uniform_64_2, 2, true, 128, 1, 64)      \
    X(cg_streamed_2d_variable_512_4, 2, false, 2048, 1, 512) \
    X(cg_streamed_2d_variable_512_2, 2, false, 1024, 1, 512) \
    X(cg_streamed_2d_variable_64_2, 2, false, 128, 1, 64)    \
    X(cg_streamed_3d_uniform_512_4, 3, true, 64, 32, 512)    \
    X(cg_streamed_3d_uniform_512_2, 3, true, 64, 16, 512)    \
    X(cg_streamed_3d_uniform_256_1, 3, true, 32, 8, 256)     \
    X(cg_streamed_3d_variable_512_4, 3, false, 64, 32, 512)  \
    X(cg_streamed_3d_variable_512_2, 3, false, 64, 16, 512)  \
    X(cg_streamed_3d_variable_256_1, 3, false, 32, 8, 256)
