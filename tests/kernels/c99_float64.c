/* The kernel text is C99 when real_t is double. */
#define real_t double
#include "kernels/barrier_self_test.h"
#include "kernels/programs.h"
