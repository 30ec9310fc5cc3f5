/* Resident conjugate gradients on the chip for one real_t, in a namespace of its own. */
#include "kernels/resident/cg_resident_kernels.h"
