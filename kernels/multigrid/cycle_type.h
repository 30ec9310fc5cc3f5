/* cycle_t, the type of what cycles work on: real_t, or one of its own where that is said before (kernels/mixed_programs.h). */
#include "kernels/real_type.h"

#ifndef cycle_t
#define cycle_t real_t
#endif
/* Known to the compiler. */
#define ROUNDED (sizeof(cycle_t) != sizeof(real_t))
