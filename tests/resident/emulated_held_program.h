/* The kernels of fields that are held. */
#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/held_box_kernels_3d.h"
#include "kernels/resident/held_wide_2d_kernels.h"
