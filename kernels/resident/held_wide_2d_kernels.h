#ifndef PERDURE_KERNELS_RESIDENT_HELD_WIDE_2D_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_WIDE_2D_KERNELS_H

#include "kernels/resident/held_on_chip_kernels.h"
#include "kernels/resident/held_wide_2d.h"
#include "kernels/resident/held_wide_varied_2d.h"

HEAT_HELD(heat_held_2d_wide_6, wide_field_t<wide_chip_t<heat_physics_t, 6>>)
HEAT_HELD(heat_held_2d_wide_18, wide_field_t<wide_chip_t<heat_physics_t, 18>>)
HEAT_HELD(heat_held_2d_wide_small_varied, wide_field_t<wide_varied_chip_t<heat_physics_t, WIDE_VARIED_SMALL>>)
HEAT_HELD(heat_held_2d_wide_large_varied, wide_field_t<wide_varied_chip_t<heat_physics_t, WIDE_VARIED_LARGE>>)
JACOBI_HELD(jacobi_held_2d_wide_6, wide_field_t<wide_chip_t<jacobi_physics_t, 6>>)
JACOBI_HELD(jacobi_held_2d_wide_18, wide_field_t<wide_chip_t<jacobi_physics_t, 18>>)

#endif
