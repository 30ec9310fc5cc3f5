/* The kernel text is C99 where coefficients come by labels. */
#define real_t double
#define NO_TRANSFORMS
#define BY_LABELS
#include "kernels/cg_multigrid.h"
