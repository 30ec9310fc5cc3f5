/* The kernels of precision mixed: fields of real_t, double, with cycles in float32; included once, and also for uniform problems
 * alone. */
#undef cycle_t
#define cycle_t float

#include "kernels/cg_multigrid.h"
#if !defined(BY_LABELS) && !defined(BY_TENSORS)
#include "kernels/implicit_multigrid.h"
#endif

#undef cycle_t
