/* The tiles of resident kernels and how they are dealt out. */
#include "kernels/resident/deal.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/tiles_2d.h"
