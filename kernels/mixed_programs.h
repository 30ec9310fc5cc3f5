/* The kernels of precision mixed: fields of real_t, double, with cycles in float32; included once, and also for uniform problems
 * alone. */
#undef cycle_t
#define cycle_t float

#include "kernels/cg_multigrid.h"

#undef cycle_t
