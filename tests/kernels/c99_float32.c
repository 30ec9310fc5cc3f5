/* The kernel text is C99 when real_t is float. */
#define real_t float
#include "kernels/barrier_self_test.h"
#include "kernels/programs.h"
