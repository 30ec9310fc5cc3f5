/* The resident kernels by name, for tables: X(name, instance) for each that exists once per real_t, a list for each header of
 * that name: PERDURE_HELD_2D_KERNELS are those of kernels/resident/held_2d_kernels.h. */
#define PERDURE_HELD_2D_KERNELS(X)                           \
    X(heat_held_2d_small, held_2d<heat_physics_t, 1, 6>)     \
    X(heat_held_2d_large, held_2d<heat_physics_t, 2, 8>)     \
    X(jacobi_held_2d_small, held_2d<jacobi_physics_t, 1, 6>) \
    X(jacobi_held_2d_large, held_2d<jacobi_physics_t, 2, 8>)

#define PERDURE_HELD_WIDE_2D_KERNELS(X)                                            \
    X(heat_held_2d_wide_6, held<wide_field_t<wide_chip_t<heat_physics_t, 6>>>)     \
    X(heat_held_2d_wide_18, held<wide_field_t<wide_chip_t<heat_physics_t, 18>>>)   \
    X(heat_held_2d_wide_small_varied,                                              \
      held<wide_field_t<wide_varied_chip_t<heat_physics_t, WIDE_VARIED_SMALL>>>)   \
    X(heat_held_2d_wide_large_varied,                                              \
      held<wide_field_t<wide_varied_chip_t<heat_physics_t, WIDE_VARIED_LARGE>>>)   \
    X(jacobi_held_2d_wide_6, held<wide_field_t<wide_chip_t<jacobi_physics_t, 6>>>) \
    X(jacobi_held_2d_wide_18, held<wide_field_t<wide_chip_t<jacobi_physics_t, 18>>>)

#define PERDURE_HELD_BOX_3D_KERNELS(X)                                                 \
    X(heat_held_3d_small, held<boxes_t<heat_physics_t, PLAIN>::small_t>)               \
    X(heat_held_3d_large, held<boxes_t<heat_physics_t, PLAIN>::large_t>)               \
    X(heat_held_3d_small_sourced, held<boxes_t<heat_physics_t, SOURCED>::small_t>)     \
    X(heat_held_3d_large_sourced, held<boxes_t<heat_physics_t, SOURCED>::large_t>)     \
    X(heat_held_3d_small_varied, held<boxes_t<heat_physics_t, VARIED>::small_t>)       \
    X(heat_held_3d_large_varied, held<boxes_t<heat_physics_t, VARIED>::large_t>)       \
    X(jacobi_held_3d_small, held<boxes_t<jacobi_physics_t, PLAIN>::small_t>)           \
    X(jacobi_held_3d_large, held<boxes_t<jacobi_physics_t, PLAIN>::large_t>)           \
    X(jacobi_held_3d_small_sourced, held<boxes_t<jacobi_physics_t, SOURCED>::small_t>) \
    X(jacobi_held_3d_large_sourced, held<boxes_t<jacobi_physics_t, SOURCED>::large_t>) \
    X(jacobi_held_3d_small_varied, held<boxes_t<jacobi_physics_t, VARIED>::small_t>)   \
    X(jacobi_held_3d_large_varied, held<boxes_t<jacobi_physics_t, VARIED>::large_t>)

/* Of varied coefficients rows on the chip of Jacobi are more. */
#define PERDURE_RELAY_2D_KERNELS(X)                                                      \
    X(heat_streamed_2d, streamed<relay_tiles_t<heat_physics_t, true>, 256, 384>)         \
    X(heat_streamed_2d_varied, streamed<relay_tiles_t<heat_physics_t, false>, 384, 512>) \
    X(jacobi_streamed_2d, streamed<relay_tiles_t<jacobi_physics_t, true>, 256, 384>)     \
    X(jacobi_streamed_2d_varied, streamed<relay_tiles_t<jacobi_physics_t, false>, 256, 512>)

#define PERDURE_RELAY_3D_KERNELS(X)                                                     \
    X(heat_streamed_3d, streamed<relay_tiles_3d_t<heat_physics_t>, ITEMS_3D, ITEMS_3D>) \
    X(jacobi_streamed_3d, streamed<relay_tiles_3d_t<jacobi_physics_t>, ITEMS_3D, ITEMS_3D>)

/* Conjugate gradients on the chip: dimensions, uniform coefficients, cells of an item, whether w is kept, as far as
 * there are registers for it, or formed anew, and whether all boxes are full. */
#define PERDURE_CG_RESIDENT_KERNELS(X)                                            \
    X(cg_resident_2d_uniform_8, cg_resident<2, true, 8, true, false>)             \
    X(cg_resident_2d_uniform_16, cg_resident<2, true, 16, true, false>)           \
    X(cg_resident_2d_uniform_64_anew, cg_resident<2, true, 64, false, false>)     \
    X(cg_resident_2d_uniform_64, cg_resident<2, true, 64, true, false>)           \
    X(cg_resident_2d_variable_8, cg_resident<2, false, 8, true, false>)           \
    X(cg_resident_2d_variable_16, cg_resident<2, false, 16, true, false>)         \
    X(cg_resident_2d_variable_64_anew, cg_resident<2, false, 64, false, false>)   \
    X(cg_resident_2d_variable_64, cg_resident<2, false, 64, true, false>)         \
    X(cg_resident_3d_uniform_8, cg_resident<3, true, 8, true, false>)             \
    X(cg_resident_3d_uniform_16, cg_resident<3, true, 16, true, false>)           \
    X(cg_resident_3d_uniform_16_full, cg_resident<3, true, 16, true, true>)       \
    X(cg_resident_3d_uniform_64_anew, cg_resident<3, true, 64, false, false>)     \
    X(cg_resident_3d_uniform_64_anew_full, cg_resident<3, true, 64, false, true>) \
    X(cg_resident_3d_uniform_64, cg_resident<3, true, 64, true, false>)           \
    X(cg_resident_3d_uniform_64_full, cg_resident<3, true, 64, true, true>)       \
    X(cg_resident_3d_variable_8, cg_resident<3, false, 8, true, false>)           \
    X(cg_resident_3d_variable_16, cg_resident<3, false, 16, true, false>)         \
    X(cg_resident_3d_variable_64_anew, cg_resident<3, false, 64, false, false>)   \
    X(cg_resident_3d_variable_64, cg_resident<3, false, 64, true, false>)

/* Streamed conjugate gradients: dimensions, uniform coefficients, width, height and items of a group's tile in a layer. Names end
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
