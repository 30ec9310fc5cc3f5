/* The kernels of relays. */
#include "kernels/resident/relay_kernels_2d.h"
#include "kernels/resident/relay_kernels_3d.h"
