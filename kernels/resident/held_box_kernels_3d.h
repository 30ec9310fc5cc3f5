HEAT_HELD_UNIFORM(heat_held_3d_large, box_field_t<heat_physics_t, 8, 4, 2>)
HEAT_HELD_UNIFORM(heat_held_3d_small, box_field_t<heat_physics_t, 8, 2, 1>)
JACOBI_HELD_UNIFORM(jacobi_held_3d_large, box_field_t<jacobi_physics_t, 8, 4, 2>)
JACOBI_HELD_UNIFORM(jacobi_held_3d_small, box_field_t<jacobi_physics_t, 8, 2, 1>)
