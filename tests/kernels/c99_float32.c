/* The kernel text is C99 when real_t is float. */
#define real_t float
#include "kernels/list.h"
#include "kernels/untyped_programs.h"
