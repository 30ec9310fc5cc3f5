/* The kernel text is C99 where coefficients are full tensors. */
#define real_t double
#define NO_TRANSFORMS
#define BY_TENSORS
#include "kernels/cg_multigrid.h"
