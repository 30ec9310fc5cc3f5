/* Streamed conjugate gradients for one real_t, in a namespace of its own. */
#include "kernels/resident/cg_streamed_kernels.h"
