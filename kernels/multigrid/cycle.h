/* All of a cycle, in the order in which one part needs the other; included once for each real_t and form. */

/* The type of what cycles work on. */
#undef cycle_t
#define cycle_t real_t

#include "kernels/multigrid/level.h"

#include "kernels/multigrid/coarsen.h"

#include "kernels/multigrid/setup.h"
#include "kernels/multigrid/transfer.h"

#include "kernels/multigrid/interpolate.h"

#include "kernels/multigrid/steps.h"
