/* The tiles of resident kernels, and which group has which of them. */
#include "kernels/resident/deal.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/tiles_2d.h"
