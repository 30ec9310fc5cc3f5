/* The resident kernels by name, for tables: X(name, instance) for each kernel that exists once per real_t. There is one list for
 * each header: PERDURE_ON_CHIP_2D_KERNELS are the kernels of kernels/resident/on_chip_kernels_2d.h. */
#define PERDURE_ON_CHIP_2D_KERNELS(X)                              \
    X(heat_on_chip_2d_small, on_chip_2d<heat_physics_t, 1, 6>)     \
    X(heat_on_chip_2d_large, on_chip_2d<heat_physics_t, 2, 8>)     \
    X(jacobi_on_chip_2d_small, on_chip_2d<jacobi_physics_t, 1, 6>) \
    X(jacobi_on_chip_2d_large, on_chip_2d<jacobi_physics_t, 2, 8>)

/* Rows of a warp; terms away from sides. */
#define PERDURE_WIDE_2D_KERNELS_OF(X, method, physics)                                               \
    X(method##_on_chip_2d_wide_6, on_chip_steps<wide_field_t<wide_chip_t<physics, 6, NO_TERMS>>>)    \
    X(method##_on_chip_2d_wide_18, on_chip_steps<wide_field_t<wide_chip_t<physics, 18, NO_TERMS>>>)  \
    X(method##_on_chip_2d_wide_6_constant_source,                                                    \
      on_chip_steps<wide_field_t<wide_chip_t<physics, 6, CONSTANT_SOURCE>>>)                         \
    X(method##_on_chip_2d_wide_18_constant_source,                                                   \
      on_chip_steps<wide_field_t<wide_chip_t<physics, 18, CONSTANT_SOURCE>>>)                        \
    X(method##_on_chip_2d_wide_6_constant_terms,                                                     \
      on_chip_steps<wide_field_t<wide_chip_t<physics, 6, CONSTANT_TERMS>>>)                          \
    X(method##_on_chip_2d_wide_18_constant_terms,                                                    \
      on_chip_steps<wide_field_t<wide_chip_t<physics, 18, CONSTANT_TERMS>>>)                         \
    X(method##_on_chip_2d_wide_small_sourced,                                                        \
      on_chip_steps<                                                                                 \
          wide_field_t<wide_chip_t<physics, wide_rows_with_arrays<real_t>::small, SOURCE_OF_CELL>>>) \
    X(method##_on_chip_2d_wide_large_sourced,                                                        \
      on_chip_steps<                                                                                 \
          wide_field_t<wide_chip_t<physics, wide_rows_with_arrays<real_t>::large, SOURCE_OF_CELL>>>)
#define PERDURE_WIDE_2D_KERNELS(X)                                                                           \
    PERDURE_WIDE_2D_KERNELS_OF(X, heat, heat_physics_t)                                                      \
    PERDURE_WIDE_2D_KERNELS_OF(X, jacobi, jacobi_physics_t)                                                  \
    X(heat_on_chip_2d_wide_small_varied,                                                                     \
      on_chip_steps<wide_field_t<wide_varied_chip_t<heat_physics_t, wide_rows_with_arrays<real_t>::small>>>) \
    X(heat_on_chip_2d_wide_large_varied,                                                                     \
      on_chip_steps<wide_field_t<wide_varied_chip_t<heat_physics_t, wide_rows_with_arrays<real_t>::large>>>)

#define PERDURE_BOX_3D_KERNELS(X)                                                                  \
    X(heat_on_chip_3d_small, on_chip_steps<boxes_t<heat_physics_t, PLAIN>::small_t>)               \
    X(heat_on_chip_3d_large, on_chip_steps<boxes_t<heat_physics_t, PLAIN>::large_t>)               \
    X(heat_on_chip_3d_small_sourced, on_chip_steps<boxes_t<heat_physics_t, SOURCED>::small_t>)     \
    X(heat_on_chip_3d_large_sourced, on_chip_steps<boxes_t<heat_physics_t, SOURCED>::large_t>)     \
    X(heat_on_chip_3d_small_varied, on_chip_steps<boxes_t<heat_physics_t, VARIED>::small_t>)       \
    X(heat_on_chip_3d_large_varied, on_chip_steps<boxes_t<heat_physics_t, VARIED>::large_t>)       \
    X(jacobi_on_chip_3d_small, on_chip_steps<boxes_t<jacobi_physics_t, PLAIN>::small_t>)           \
    X(jacobi_on_chip_3d_large, on_chip_steps<boxes_t<jacobi_physics_t, PLAIN>::large_t>)           \
    X(jacobi_on_chip_3d_small_sourced, on_chip_steps<boxes_t<jacobi_physics_t, SOURCED>::small_t>) \
    X(jacobi_on_chip_3d_large_sourced, on_chip_steps<boxes_t<jacobi_physics_t, SOURCED>::large_t>) \
    X(jacobi_on_chip_3d_small_varied, on_chip_steps<boxes_t<jacobi_physics_t, VARIED>::small_t>)   \
    X(jacobi_on_chip_3d_large_varied, on_chip_steps<boxes_t<jacobi_physics_t, VARIED>::large_t>)

/* With varying coefficients Jacobi has more rows in shared memory, so a group has fewer items. */
#define PERDURE_PIPELINE_2D_KERNELS(X)                                                               \
    X(heat_blocked_2d, temporally_blocked<pipeline_tiles_t<heat_physics_t, true>, 256, 384>)         \
    X(heat_blocked_2d_varied, temporally_blocked<pipeline_tiles_t<heat_physics_t, false>, 384, 512>) \
    X(jacobi_blocked_2d, temporally_blocked<pipeline_tiles_t<jacobi_physics_t, true>, 256, 384>)     \
    X(jacobi_blocked_2d_varied, temporally_blocked<pipeline_tiles_t<jacobi_physics_t, false>, 256, 512>)

#define PERDURE_PIPELINE_3D_KERNELS(X)                                                              \
    X(heat_blocked_3d, temporally_blocked<pipeline_tiles_3d_t<heat_physics_t>, ITEMS_3D, ITEMS_3D>) \
    X(jacobi_blocked_3d, temporally_blocked<pipeline_tiles_3d_t<jacobi_physics_t>, ITEMS_3D, ITEMS_3D>)

/* Compiled for the formulas of a case, and for the tile that its plan gives. */
#define PERDURE_SYSTEM_TILES_KERNELS(X) X(system_tiles_2d, system_tiles_2d)

/* On-chip conjugate gradients: dimensions, uniform coefficients, cells of an item, whether w is kept (as far as registers allow)
 * or formed anew, and whether all boxes are full. */
#define PERDURE_CG_ON_CHIP_KERNELS(X)                                           \
    X(cg_on_chip_2d_uniform_8, cg_on_chip<2, true, 8, true, false>)             \
    X(cg_on_chip_2d_uniform_16, cg_on_chip<2, true, 16, true, false>)           \
    X(cg_on_chip_2d_uniform_64_anew, cg_on_chip<2, true, 64, false, false>)     \
    X(cg_on_chip_2d_uniform_64, cg_on_chip<2, true, 64, true, false>)           \
    X(cg_on_chip_2d_variable_8, cg_on_chip<2, false, 8, true, false>)           \
    X(cg_on_chip_2d_variable_16, cg_on_chip<2, false, 16, true, false>)         \
    X(cg_on_chip_2d_variable_64_anew, cg_on_chip<2, false, 64, false, false>)   \
    X(cg_on_chip_2d_variable_64, cg_on_chip<2, false, 64, true, false>)         \
    X(cg_on_chip_3d_uniform_8, cg_on_chip<3, true, 8, true, false>)             \
    X(cg_on_chip_3d_uniform_16, cg_on_chip<3, true, 16, true, false>)           \
    X(cg_on_chip_3d_uniform_16_full, cg_on_chip<3, true, 16, true, true>)       \
    X(cg_on_chip_3d_uniform_64_anew, cg_on_chip<3, true, 64, false, false>)     \
    X(cg_on_chip_3d_uniform_64_anew_full, cg_on_chip<3, true, 64, false, true>) \
    X(cg_on_chip_3d_uniform_64, cg_on_chip<3, true, 64, true, false>)           \
    X(cg_on_chip_3d_uniform_64_full, cg_on_chip<3, true, 64, true, true>)       \
    X(cg_on_chip_3d_variable_8, cg_on_chip<3, false, 8, true, false>)           \
    X(cg_on_chip_3d_variable_16, cg_on_chip<3, false, 16, true, false>)         \
    X(cg_on_chip_3d_variable_64_anew, cg_on_chip<3, false, 64, false, false>)   \
    X(cg_on_chip_3d_variable_64, cg_on_chip<3, false, 64, true, false>)

/* Streamed conjugate gradients: dimensions, uniform coefficients; width, height and items of a group's tile in a layer. Names end
 * in the items of a group and the cells of an item. */
#define PERDURE_CG_STREAMED_KERNELS(X)                                    \
    X(cg_streamed_2d_uniform_512_4, cg_streamed<2, true, 2048, 1, 512>)   \
    X(cg_streamed_2d_uniform_512_2, cg_streamed<2, true, 1024, 1, 512>)   \
    X(cg_streamed_2d_variable_512_4, cg_streamed<2, false, 2048, 1, 512>) \
    X(cg_streamed_2d_variable_512_2, cg_streamed<2, false, 1024, 1, 512>) \
    X(cg_streamed_3d_uniform_512_4, cg_streamed<3, true, 64, 32, 512>)    \
    X(cg_streamed_3d_uniform_512_2, cg_streamed<3, true, 64, 16, 512>)    \
    X(cg_streamed_3d_variable_512_4, cg_streamed<3, false, 64, 32, 512>)  \
    X(cg_streamed_3d_variable_512_2, cg_streamed<3, false, 64, 16, 512>)
