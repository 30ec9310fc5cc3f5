/* The text of the kernels that do not depend on real_t: PERDURE_UNTYPED_KERNELS of kernels/list.h. */
#include "kernels/barrier_self_test.h"
#include "kernels/percolation.h"
