#ifndef PERDURE_KERNELS_RESIDENT_HELD_WIDE_2D_KERNELS_H
#define PERDURE_KERNELS_RESIDENT_HELD_WIDE_2D_KERNELS_H

#include "kernels/resident/held_on_chip_kernels.h"
#include "kernels/resident/held_wide_2d.h"
#include "kernels/resident/held_wide_varied_2d.h"

#endif
