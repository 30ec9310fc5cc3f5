/* All of a cycle, in the order in which one part needs the other; included once for each real_t and form. */

/* The type of what cycles work on: real_t, or one of its own where that is said before (kernels/mixed_programs.h). */
#ifndef cycle_t
#define cycle_t real_t
#endif
/* Known to the compiler. */
#undef ROUNDED
#define ROUNDED (sizeof(cycle_t) != sizeof(real_t))

#include "kernels/multigrid/lines.h"

#include "kernels/multigrid/level.h"

#include "kernels/multigrid/network.h"

#include "kernels/multigrid/coarsen.h"

#include "kernels/multigrid/setup.h"
#include "kernels/multigrid/transfer.h"

#include "kernels/multigrid/interpolate.h"

#ifndef NO_TRANSFORMS
#include "kernels/multigrid/modes.h"

#include "kernels/multigrid/transform.h"

#include "kernels/multigrid/butterflies.h"

#include "kernels/multigrid/real_modes.h"

#include "kernels/multigrid/fast_transform.h"
#endif

#include "kernels/multigrid/steps.h"
