/* The kernels of relays, and what they need of kernels/resident/program.h. */
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
#include "kernels/resident/deal.h"
#include "kernels/resident/tiles_2d.h"
#include "kernels/resident/streamed.h"
#include "kernels/resident/relay_columns_2d.h"
#include "kernels/resident/relay_rows_2d.h"
#include "kernels/resident/relay_fields_2d.h"
#include "kernels/resident/relay_numbers_2d.h"
#include "kernels/resident/relay_2d.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/relay_terms_3d.h"
#include "kernels/resident/relay_sides_3d.h"
#include "kernels/resident/relay_chip_3d.h"
#include "kernels/resident/relay_3d.h"
/* A group is a thread. */
#pragma push_macro("LOCAL")
#undef LOCAL
#define LOCAL static thread_local
#include "kernels/resident/relay_kernels_2d.h"
#include "kernels/resident/relay_kernels_3d.h"
#pragma pop_macro("LOCAL")
/* clang-format on */
