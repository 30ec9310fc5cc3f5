/* The kernels of fields that are held in wide tiles and in boxes without sources, and what they need of
 * kernels/resident/program.h. */
#include "kernels/operator.h"

#include "kernels/heat.h"
#include "kernels/jacobi.h"

/* What a file needs stands before it. */
/* clang-format off */
#include "kernels/resident/nothing.h"
#include "kernels/resident/stepping.h"
#include "kernels/resident/jacobi_check.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/advance_row.h"
#include "kernels/resident/held_2d.h"
#include "kernels/resident/held_exchange_2d.h"
/* A group is a thread. */
#pragma push_macro("LOCAL")
#undef LOCAL
#define LOCAL static thread_local
#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/held_wide_tile_2d.h"
#include "kernels/resident/held_wide_exchange_2d.h"
#include "kernels/resident/held_wide_terms_2d.h"
#include "kernels/resident/held_wide_varied_2d.h"
#include "kernels/resident/held_wide_2d.h"
#include "kernels/resident/held_on_chip_kernels.h"
#include "kernels/resident/held_wide_2d_kernels.h"
#include "kernels/resident/held_box_3d.h"
#include "kernels/resident/held_box_exchange_3d.h"
#include "kernels/resident/held_box_faces_3d.h"
#include "kernels/resident/held_box_terms_3d.h"
#include "kernels/resident/held_box_cells_3d.h"
#include "kernels/resident/held_box_field_3d.h"
#include "kernels/resident/held_box_kernels_3d.h"
#pragma pop_macro("LOCAL")
/* clang-format on */
