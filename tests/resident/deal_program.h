/* Tiles and how they are dealt out, and what they need of kernels/resident/program.h. */
#include "kernels/operator.h"

#include "kernels/heat.h"
#include "kernels/jacobi.h"

/* What a file needs stands before it. */
/* clang-format off */
#include "kernels/resident/nothing.h"
#include "kernels/resident/stepping.h"
#include "kernels/resident/physics.h"
#include "kernels/resident/advance_row.h"
#include "kernels/resident/deal.h"
#include "kernels/resident/tiles_2d.h"
#include "kernels/resident/tile_3d.h"
/* clang-format on */
