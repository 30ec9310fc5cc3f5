#ifndef PERDURE_KERNELS_RESIDENT_WIDE_KERNELS_2D_H
#define PERDURE_KERNELS_RESIDENT_WIDE_KERNELS_2D_H

#include "kernels/resident/on_chip_kernel.h"
#include "kernels/resident/wide_2d.h"
#include "kernels/resident/wide_varied_2d.h"

#endif
