/* The resident kernels that exist once per real_t; included once for each, in a namespace of its own. */
#include "kernels/resident/held_2d_kernels.h"
#include "kernels/resident/held_box_kernels_3d.h"
#include "kernels/resident/held_wide_2d_kernels.h"
#include "kernels/resident/relay_kernels_2d.h"
#include "kernels/resident/relay_kernels_3d.h"
