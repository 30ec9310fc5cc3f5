HEAT_HELD(heat_held_2d_wide_6, wide_field_t<heat_physics_t, 6>)
HEAT_HELD(heat_held_2d_wide_18, wide_field_t<heat_physics_t, 18>)
JACOBI_HELD(jacobi_held_2d_wide_6, wide_field_t<jacobi_physics_t, 6>)
JACOBI_HELD(jacobi_held_2d_wide_18, wide_field_t<jacobi_physics_t, 18>)
