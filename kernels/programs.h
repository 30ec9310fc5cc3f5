/* The kernels that exist once per real_t; included once for each, in a namespace of its own where the
 * language has them. A new solver is one line here and one in kernels/list.h. */
#include "kernels/common.h"

#include "kernels/operator.h"

/* The type of what multigrid cycles work on. */
#define cycle_t real_t
#include "kernels/multigrid/level.h"

#include "kernels/multigrid/coarsen.h"

#include "kernels/multigrid/setup.h"
#include "kernels/multigrid/transfer.h"

#include "kernels/multigrid/correct.h"

#include "kernels/multigrid/steps.h"

#include "kernels/bicgstab.h"
#include "kernels/cg.h"
#include "kernels/cg_multigrid.h"
#include "kernels/chebyshev.h"
#include "kernels/heat.h"
#include "kernels/jacobi.h"
#include "kernels/sor.h"

#undef cycle_t
