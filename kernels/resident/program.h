/* The resident kernels that exist once per real_t; included once for each, in a namespace of its own. */
#include "kernels/operator.h"

#include "kernels/heat.h"
#include "kernels/jacobi.h"

/* What a file needs stands before it. */
/* clang-format off */
#include "kernels/resident/nothing.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/terms_2d.h"
#include "kernels/resident/terms_variable_2d.h"
#include "kernels/resident/advance_row.h"
#include "kernels/resident/march_2d.h"
#include "kernels/resident/stepping.h"
#include "kernels/resident/streamed_2d.h"
#include "kernels/resident/streamed_2d_kernels.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/march_3d.h"
#include "kernels/resident/terms_3d.h"
#include "kernels/resident/streamed_3d_kernels.h"
#include "kernels/resident/held_2d.h"
#include "kernels/resident/held_exchange_2d.h"
#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/held_wide_tile_2d.h"
#include "kernels/resident/held_wide_exchange_2d.h"
#include "kernels/resident/held_wide_terms_2d.h"
#include "kernels/resident/held_wide_2d.h"
#include "kernels/resident/held_wide_2d_kernels.h"
/* clang-format on */
