/* The tiles of resident kernels, and their load balance. */
#include "kernels/resident/load_balance.h"
#include "kernels/resident/tile_3d.h"
#include "kernels/resident/tiles_2d.h"
